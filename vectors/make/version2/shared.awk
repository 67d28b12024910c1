# SPDX-License-Identifier: BSD-3-Clause
# Make the C table of the rules of version 1 that hold in version 2, for translated vectors.
#
# usage: awk -f shared.awk spec/requirements/*.tsv

BEGIN {
    FS = "\t"
    letter["violation"] = "V"
    letter["warning"] = "W"
    letter["note"] = "N"
}

FNR == 1 {
    is_register = $1 == "id"
    is_shared = $1 == "version1"
    next
}

is_register && $7 in letter {
    severity[$1] = letter[$7]
    reaction[$1] = $8
}

is_shared {
    rules++
    rule[rules] = $1
    held[rules, 2] = $2
    held[rules, 3] = $3
}

function print_rule(id, words) {
    gsub(/,/, " ", words)
    if (id in severity)
        printf "{\"%s\", '%s', \"%s\"}", id, severity[id], words
    else
        printf "{0}"
}

END {
    for (i = 1; i <= rules; i++) {
        printf "{"
        for (k = 1; k <= 3; k++) {
            id = k == 1 || held[i, k] == "=" ? rule[i] : held[i, k]
            words = reaction[id]
            if (k > 1)
                sub(/err-chunk/, "err-bad-xdr", words)
            print_rule(id, words)
            printf k < 3 ? ", " : "},\n"
        }
    }
}
