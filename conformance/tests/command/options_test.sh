#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# once: "$BUILD/rpcrdma" "$BUILD/pages"
# The options of every command: one table each, from which the parser, --help, the manual page and
# the completions of bash, zsh and fish are made. Every option has to be in each of them.
#
# usage: options_test.sh PATH_TO_RPCRDMA FOLDER_OF_PAGES

if [ $# -ne 2 ] || [ ! -x "$1" ] || [ ! -d "$2" ]; then
    echo "usage: $0 PATH_TO_RPCRDMA FOLDER_OF_PAGES" >&2
    exit 2
fi
rpcrdma=$(realpath "$1")
pages=$(realpath "$2")
root=$(cd "$(dirname "$0")/../../.." && pwd)
dir=$(mktemp -d) || exit 1
trap 'rm -rf "$dir"' EXIT
trap 'exit 1' HUP INT TERM
cd "$dir" || exit 1
PATH=$(dirname "$rpcrdma"):$PATH
passed=0 failed=0 skipped=0

# test_that WHAT COMMAND...: passes if the command succeeds.
test_that() {
    about=$1
    shift
    if "$@" >out 2>&1; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "FAILED: $about" >&2
        head -n 20 out | sed 's/^/    /' >&2
    fi
}
skip() {
    skipped=$((skipped + 1))
    echo "skipped: $1"
}
not() { ! "$@"; }

commands=$("$rpcrdma" --help | awk '/^Commands:/ { on = 1; next } /^$/ { on = 0 } on { print $1 }')
test_that 'there are twelve commands' test "$(echo "$commands" | wc -w)" -eq 12

# "COMMAND OPTION ARGUMENT" of each, as --help lists it; the argument is - where there is none.
for command in $commands; do
    "$rpcrdma" "$command" --help >"$command.help"
    test_that "rpcrdma $command --help fits 80 columns" not grep '.\{81\}' "$command.help"
    # shellcheck disable=SC2016 # awk's own
    awk -v command="$command" '/^  (-h, )?--/ {
        sub(/^  (-h, )?--/, "")
        name = $1; argument = $2 ~ /^[A-Z:]+(,\.\.\.)?$/ ? $2 : "-"
        if (sub(/\[=.*/, "", name)) argument = "optional"
        print command, name, argument }' "$command.help"
done >options
test_that 'there are more than 60 options' test "$(wc -l <options)" -gt 60

options_of() {
    awk -v command="$1" '$1 == command { print $2 }' options
}

# Every row of a table in the sources is listed.
# shellcheck disable=SC2046 # a list of files
sed -n 's/^ *{"\([a-z-]*\)", \(NULL\|"[A-Z[].*\),.*/\1/p' \
    $(grep -l 'struct option_row options_.* = {' "$root"/conformance/*/*.c "$root"/rxe-harness/*/*.c) |
    sort -u >rows
test_that 'the tables are found in the sources' test "$(wc -l <rows)" -gt 35
cut -d ' ' -f 2 options | sort -u >listed
test_that 'every row is listed by some --help' test -z "$(comm -23 rows listed)"

# Each option that takes a file says whether the file is read or written: "COMMAND --OPTION ARGUMENT
# DIRECTION". By that no command writes over what it reads (base/overwrite.c).
"$rpcrdma" --generate files >directions
test_that 'each option with a FILE says whether it is read or written' not grep ' unknown$' directions
test_that 'each FILE and FOLDER of --help is among them' test \
    "$(grep -cE ' (FILE|FOLDER)$' options)" -eq "$(wc -l <directions)"
test_that 'some are read' test "$(grep -c ' read$' directions)" -ge 6
test_that 'some are written' test "$(grep -c ' written$' directions)" -ge 20

# ---- the parser ----

while read -r command option argument; do
    case $option:$argument in
    help:*) continue ;;
    *:- | *:optional) wanted="unknown option '--frobnicate'" ;;
    *) wanted="option '--$option' needs an argument" ;;
    esac
    case $argument in
    - | optional) "$rpcrdma" "$command" "--$option" --frobnicate >out 2>err </dev/null ;;
    *) "$rpcrdma" "$command" "--$option" >out 2>err </dev/null ;;
    esac
    test_that "$command takes --$option" grep -qF -- "$wanted" err
done <options

# ---- the manual page ----

man=$pages/rpcrdma.1
if command -v mandoc >/dev/null; then
    test_that 'mandoc finds nothing wrong in the manual page' mandoc -T lint -W warning "$man"
    mandoc -T utf8 "$man" | sed "s/.$(printf '\b')//g" >page
    # The section of each command, and those of shared options, hold every option with its argument.
    while read -r command option argument; do
        small=$(echo "$argument" | tr '[:upper:]' '[:lower:]')
        case $argument in
        -) shown="--$option" ;;
        optional) shown="--${option}[=" ;;
        *) shown="--$option $small" ;;
        esac
        # shellcheck disable=SC2016 # awk's own
        test_that "the manual page has $shown in a section for $command" awk -v command="$command" \
            -v shown="$shown" '/^   [^ ]/ { on = $0 ~ "(^| )(of|and) .*" command "( |,|$)" }
            on && index($0, shown) && $0 ~ /^     (-h, )?--/ { found = 1 } END { exit !found }' page
    done <options
    # SYNOPSIS has the options that are the command's own.
    sed -n '/^SYNOPSIS/,/^DESCRIPTION/p' page | tr -s ' \n' ' ' >synopsis
    for option in $(cut -d ' ' -f 2 options | sort | uniq -u); do
        test_that "SYNOPSIS has --$option" grep -qF -- "--$option" synopsis
    done
else
    skip 'no mandoc: the manual page is not formatted'
fi
test_that 'no mark of the template is left' not grep -n '@' "$man"

# ---- bash ----

completed() { grep -qx -- "$1" out.words; }
cat >complete.bash <<END
. "$pages/bash/rpcrdma"
COMP_WORDS=(rpcrdma "\$@")
COMP_CWORD=\$#
_rpcrdma 2>/dev/null
printf '%s\n' "\${COMPREPLY[@]}"
END
if command -v shellcheck >/dev/null; then
    test_that 'the completion of bash passes shellcheck' shellcheck "$pages/bash/rpcrdma"
fi
for command in $commands; do
    bash complete.bash "$command" -- >out.words
    for option in $(options_of "$command"); do
        test_that "bash completes --$option of $command" completed "--$option"
    done
done
bash complete.bash '' >out.words
for word in $commands help version --version; do
    test_that "bash completes the word $word" completed "$word"
done
bash complete.bash help '' >out.words
test_that 'bash completes a command after help' completed probe
test_that 'bash completes no file after help' not completed out.words
rule=rfc8166/3.4.5/position-multiple-of-four
bash complete.bash check --level '' >out.words
test_that 'bash completes a word of --level' completed advisory
bash complete.bash check --rule rfc8166/3.4.5/ >out.words
test_that 'bash completes a rule' completed "$rule"
# Cases and vectors are found by their ids.
bash complete.bash probe --case smallest >out.words
test_that 'bash completes a case of probe' completed smallest-call
bash complete.bash serve --skip reply-of >out.words
test_that 'bash completes a case of serve' completed reply-of-unknown-xid
bash complete.bash vectors --case msgp >out.words
test_that 'bash completes a vector' completed msgp-call
"$rpcrdma" probe --list | sed -n 's/^\([^ #][^ ]*\).*/\1/p' | sort >ids
bash complete.bash probe --case '' | sort >out.words
test_that 'bash completes every case' cmp ids out.words
bash complete.bash serve --skip reply-twice,reply-of >out.words
test_that 'bash completes a second case' completed reply-twice,reply-of-unknown-xid
bash complete.bash vectors --offers write-chunks,write-a >out.words
test_that 'bash completes a second word' completed write-chunks,write-and-reply
bash complete.bash check --level must,sh >out.words
test_that 'bash completes no second word where one is taken' not grep -q . out.words
mkdir folder
: >file.pcap
bash complete.bash check --known file >out.words
test_that 'bash completes a file' completed file.pcap
bash complete.bash check file >out.words
test_that 'bash completes an operand' completed file.pcap
bash complete.bash probe --vectors f >out.words
test_that 'bash completes folders only' not completed file.pcap

# Every word that can be completed is explained.
sed -n "s/^ *\([a-z]*\):\(--[a-z-]*\)).*words='\([^']*\)'.*/\1 \2 \3/p" "$pages/bash/rpcrdma" >choices
test_that 'there are options of words' test "$(wc -l <choices)" -gt 20
while read -r command option words; do
    awk -v option="$option" '$1 == option { on = 1; print; next } /^  -/ { on = 0 } on' "$command.help" >out.help
    for word in $words; do
        test_that "rpcrdma $command --help explains $option $word" grep -qwF -- "$word" out.help
    done
done <choices

# ---- zsh ----

if command -v zsh >/dev/null; then
    test_that 'zsh reads its completion' zsh -n "$pages/zsh/_rpcrdma"
    cat >complete.zsh <<'END'
_arguments() { print -rl -- "$@" }
_describe() { print -rl -- $commands }
words=(rpcrdma "$2" '')
CURRENT=$(( $# + 1 ))
. "$1"
END
    for command in $commands; do
        zsh complete.zsh "$pages/zsh/_rpcrdma" "$command" >out.words
        for option in $(options_of "$command"); do
            test_that "zsh completes --$option of $command" \
                grep -qE -- "^(\*)?--$option(=-)?\[.*\]" out.words
        done
        test_that "zsh lists the operands of $command" grep -qF '*:operand:' out.words
    done
    zsh complete.zsh "$pages/zsh/_rpcrdma" >out.words
    for word in $commands help version; do
        test_that "zsh completes the word $word" grep -q "^$word:" out.words
    done
    cat >help.zsh <<'END'
compadd() { print -rl -- "$@" }
words=(rpcrdma help '')
CURRENT=3
. "$1"
END
    zsh help.zsh "$pages/zsh/_rpcrdma" >out.words
    test_that 'zsh completes a command after help' completed probe
    cat >cases.zsh <<'END'
compadd() { print -rl -- ${(P)2} }
_arguments() { "_rpcrdma_$ids" }
words=(rpcrdma "$2" '')
CURRENT=3 ids=$3
. "$1"
END
    zsh cases.zsh "$pages/zsh/_rpcrdma" probe cases | sort >out.words
    test_that 'zsh completes every case' cmp ids out.words
    zsh cases.zsh "$pages/zsh/_rpcrdma" vectors vectors >out.words
    test_that 'zsh completes a vector' completed msgp-call
    for option in 'probe --case' 'probe --skip' 'serve --case'; do
        zsh complete.zsh "$pages/zsh/_rpcrdma" "${option% *}" >out.words
        test_that "zsh completes cases of $option" grep -q -- "^\*${option#* }\[.*:_sequence _rpcrdma_cases$" out.words
    done
else
    skip 'no zsh: its completion is not run'
fi

# ---- fish ----

if command -v fish >/dev/null; then
    export HOME="$dir"
    fished() {
        fish --no-config -c "source $pages/fish/rpcrdma.fish; complete -C'$1'" 2>/dev/null >out.described
        cut -f 1 out.described >out.words
    }
    for command in $commands; do
        fished "rpcrdma $command --"
        for option in $(options_of "$command"); do
            # --probe=WORDS is shown with its sign of equality where the argument may be left out.
            test_that "fish completes --$option of $command" \
                grep -qxE -- "--$option=?" out.words
        done
    done
    fished 'rpcrdma '
    for word in $commands help version; do
        test_that "fish completes the word $word" completed "$word"
    done
    fished 'rpcrdma check --level '
    test_that 'fish completes a word of --level' completed advisory
    test_that 'fish says nothing of each word that the option says' not grep -qE '	.' out.described
    fished 'rpcrdma help '
    test_that 'fish completes a command after help' completed probe
    test_that 'fish completes no file after help' not completed out.words
    fished 'rpcrdma rules rfc8166/3.4.5/'
    test_that 'fish completes a rule' completed "$rule"
    fished 'rpcrdma probe --case smallest'
    test_that 'fish completes a case of probe' completed smallest-call
    fished 'rpcrdma serve --skip reply-of'
    test_that 'fish completes a case of serve' completed reply-of-unknown-xid
    fished 'rpcrdma serve --skip reply-twice,reply-of'
    test_that 'fish completes a second case' completed reply-twice,reply-of-unknown-xid
    fished 'rpcrdma vectors --offers write-chunks,write-a'
    test_that 'fish completes a second word' completed write-chunks,write-and-reply
    fished 'rpcrdma vectors --case msgp'
    test_that 'fish completes a vector' completed msgp-call
else
    skip 'no fish: its completion is not run'
fi

echo "$passed passed, $failed failed, $skipped skipped"
[ "$failed" -eq 0 ]
