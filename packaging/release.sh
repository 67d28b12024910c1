#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# All that a release consists of, in one folder, with checksums; and what is left for a person to do. `make release`
# calls it.
#
# usage: release.sh BUILD VERSION URL MAINTAINER
set -eu
build=$1 version=$2 url=$3 maintainer=$4 out=$1/release tag=v$2
make="${MAKE:-make} --no-print-directory DEPS=${DEPS:-yes} BUILD=$build"

wrong() { echo "release: $1" >&2; exit 1; }
[ -z "$(git status --porcelain)" ] || wrong 'not all is committed'
grep -q "^## \[$version\] - [0-9-]*\$" CHANGELOG.md || wrong "CHANGELOG.md has no section [$version] with a date"
grep -q "^Version: *$version\$" packaging/rpm/rpcrdma.spec || wrong "packaging/rpm/rpcrdma.spec is of another version"
grep -q " $version-1\$" packaging/rpm/rpcrdma.spec || wrong "packaging/rpm/rpcrdma.spec has no %changelog of $version"
notes=packaging/notes-$version.md
[ -f "$notes" ] || wrong "there is no $notes"
case $url in *example.org*) echo 'release: URL= and MAINTAINER= are not given: example.org stays' >&2 ;; esac

rm -rf "$out"
mkdir -p "$out"
variables() { $make "URL=$url" "MAINTAINER=$maintainer" "$@"; }
echo '-- archives, twice'
variables dist >"$build/release.log" || { tail "$build/release.log"; exit 1; }
cp "$build/dist/SHA256SUMS" "$build/release.sums"
variables dist >/dev/null
cmp "$build/release.sums" "$build/dist/SHA256SUMS" || wrong 'the archives are not the same twice'
cp "$build"/dist/*.tar.gz "$out/"

echo '-- the archive of the sources, built without git'
rm -rf "$build/release.tree"
mkdir "$build/release.tree"
tar -C "$build/release.tree" -xzf "$out/rpcrdma-$version.tar.gz"
(
    cd "$build/release.tree/rpcrdma-$version"
    ${MAKE:-make} -s DEPS=no BUILD=build all
    # Not by a pipe, whose status would be that of its end.
    for suite in 'vectors vectors' probe; do
        # shellcheck disable=SC2086 # words
        build/rpcrdma $suite >../log || { tail -n 20 ../log >&2; wrong "$suite fails"; }
        tail -n 1 ../log
    done
    [ "$(build/rpcrdma version)" = "rpcrdma $version" ]
)
rm -rf "$build/release.tree"

if command -v dpkg-buildpackage >/dev/null; then
    echo '-- Debian packages'
    variables deb >"$build/release.log" 2>&1 || { tail "$build/release.log"; exit 1; }
    find "$build/deb" -maxdepth 1 -type f -exec cp {} "$out/" \;
fi
if command -v rpmbuild >/dev/null; then
    echo '-- RPM packages'
    variables rpm >"$build/release.log" 2>&1 || { tail "$build/release.log"; exit 1; }
    find "$build/rpm" -name '*.rpm' -exec cp {} "$out/" \;
fi
echo '-- the interface of the libraries'
$make abi
cp "$notes" "$out/NOTES.md"
(cd "$out" && sha256sum -- * >../release.sums && mv ../release.sums SHA256SUMS && ls -l)
key=$(git config user.signingkey || :)
cat <<END

In $out is what is published. Left for you:
    gpg --armor --detach-sign $out/SHA256SUMS        ${key:+# with $key}
    git tag -s $tag -F $notes && git tag -v $tag
    git push origin $tag
Attach the files to $url/releases/$tag, with NOTES.md as its text. They are verified so:
    gpg --verify SHA256SUMS.asc SHA256SUMS && sha256sum -c SHA256SUMS
END
