#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# The files of the project, one a line: from git, or in an archive of the sources from its list.
if [ -f MANIFEST ]; then
    cat MANIFEST
else
    git ls-files
fi
