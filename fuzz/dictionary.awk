# SPDX-License-Identifier: BSD-3-Clause
# A libFuzzer dictionary out of XDR: each constant and enumerator as the word that it is on the
# wire, under its name; then words at the edges of counts and presence words.
#
# usage: awk -f dictionary.awk FILE.x...

function hex_digit(n) { return substr("0123456789abcdef", n + 1, 1) }

function octet(n) { return "\\x" hex_digit(int(n / 16)) hex_digit(n % 16) }

# mawk's integers end at 2^31 in %x, so digit by digit.
function word(n,    i, text) {
    if (n < 0)
        n += 4294967296
    for (i = 0; i < 4; i++) {
        text = octet(n % 256) text
        n = int(n / 256)
    }
    return text
}

function from_hex(text,    i, n) {
    n = 0
    text = tolower(text)
    for (i = 3; i <= length(text); i++)
        n = n * 16 + index("0123456789abcdef", substr(text, i, 1)) - 1
    return n
}

function emit(name, value,    text) {
    if (value ~ /^0[xX]/)
        value = from_hex(value)
    else if (value !~ /^-?[0-9]+$/) # a string: what is beyond 2^31 mawk prints as 4.29497e+09
        return
    text = word(value + 0)
    if (text in seen)
        return
    seen[text] = 1
    gsub(/[^A-Za-z0-9_]/, "_", name)
    printf "%s=\"%s\"\n", name, text
}

{
    gsub(/\/\*[^*]*\*\//, "")
}

/^[ \t]*const / && match($0, /=/) {
    split($0, part, /[ \t=;]+/)
    emit($2, part[3] == "" ? part[4] : part[3])
    next
}

match($0, /^[ \t]*[A-Za-z_][A-Za-z0-9_]*[ \t]*=[ \t]*-?[0-9A-Fa-fxX]+[ \t]*,?/) {
    line = $0
    gsub(/[ \t,]/, "", line)
    split(line, part, "=")
    emit(part[1], part[2])
}

END {
    emit("version_unknown", 7)
    emit("aligned_position", 40)
    emit("smallest_header", 28)
    emit("count_wraps_by_16", 268435456)
    emit("count_just_below", 268435455)
    emit("largest_signed", 2147483647)
    emit("all_ones", "4294967295")
    emit("program_nfs", 100003)
    emit("nfs_acl", 100227)
    print "private_data=\"\\xf6\\xab\\x0e\\x18\\x01\\x01\\x03\\x03\""
}
