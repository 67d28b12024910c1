# SPDX-License-Identifier: BSD-3-Clause
# crashed.awk crash.words LOG: the first line of a kernel's log that tells of a crash of the kernel, or of what a sanitizer
# found in it. What a process does to itself is none (traps:).
NR == FNR { words[++count] = $0; next }
/traps: / { next }
{
    for (i = 1; i <= count; i++)
        if (index($0, words[i])) {
            print
            exit
        }
}
