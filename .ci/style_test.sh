#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# once:
# needs: clang-format shellcheck
# The house's outward rules: format, scripts, licence lines, nothing generated or of one machine.
set -u
passed=0 failed=0
phrases=$(mktemp) || exit 1
trap 'rm -f "$phrases"' EXIT

# test NAME COMMAND...: passes if the command succeeds
test_that() {
    name=$1
    shift
    if output=$("$@" 2>&1); then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        printf 'not ok: %s\n%s\n' "$name" "$output"
    fi
}

folders='codec gen conformance vectors fuzz rxe-harness python'

sources() {
    # shellcheck disable=SC2086 # a list
    find $folders -name '*.[ch]' | sort
}

formatted() {
    sources | xargs clang-format --dry-run -Werror
}

scripts_are_clean() {
    find . -name build -prune -o -name '*.sh' -exec shellcheck {} + &&
        shellcheck .ci/run rxe-harness/vm/init
}

licensed() {
    # shellcheck disable=SC2086 # a list
    bad=$(find $folders spec .ci packaging -type f \( -name '*.[ch]' -o -name '*.sh' -o -name '*.awk' \
        -o -name '*.errata' \) -exec grep -L 'SPDX-License-Identifier: BSD-3-Clause' {} +)
    [ -z "$bad" ] || { echo "$bad"; return 1; }
}

no_machine_paths() {
    # The brackets keep this line from finding itself.
    # shellcheck disable=SC2086 # a list
    ! grep -rnE '(^|[^[:alnum:]])/(wor[k]|far[m])/' $folders spec .ci packaging Makefile README.md
}

# What a protocol asks beyond RFC 8166 is a binding's: conformance/check/bindings.
checker_knows_no_binding() {
    ! grep -rniE 'nfs' conformance/check/core conformance/check/rules
}

# Version 1's own header code, and the rules that speak of its versions, name its procedures.
rules_name_no_procedure() {
    ! grep -rnE 'RPCRDMA1_(MSG|NOMSG|MSGP|DONE|ERROR)\b' conformance/check/core conformance/check/rules |
        grep -v '^conformance/check/rules/header\.c:'
}

# What is version 2's alone is in rooms of its own: folders or files of that name, the session, the codec. The
# fuzz targets are one file each in a folder that make finds them in; these take apart messages of both drafts.
version_2_keeps_to_its_rooms() {
    ! grep -rl 'RPCRDMA2_' --include='*.[ch]' conformance rxe-harness fuzz gen vectors |
        grep -vE '/version2(/|\.[ch]$|_)|^rxe-harness/session/|/tests/|^fuzz/targets/(decode2|message|oracle2)_fuzz\.c$'
}

# A struct's tag is found by its name. These few are of one file each, or of programs that share nothing.
struct_tags_differ() {
    bad=$(sources | grep -v /tests/ | xargs grep -hoE '^struct [a-z_0-9]+ \{' | sort | uniq -d |
        grep -vE ' (question|reading|table|vector_event) ')
    [ -z "$bad" ] || { echo "$bad"; return 1; }
}

# What a command says on stderr goes through base/status.c, which lets nothing steer a terminal.
stderr_has_one_way() {
    ! grep -rn '\bstderr\b' conformance rxe-harness --include='*.c' |
        grep -vE '/(tests|bench|examples|proof)/|/base/(status|terminal|alloc)\.c:|"[^"]*stderr'
}

# What files, peers and testees say goes to stdout by text_put() or terminal_wrap(); HTML, JSON and XML
# have ways of their own. Text that is built in memory (STREAM.out) goes through these later.
foreign_text_is_masked() {
    # shellcheck disable=SC2046 # a list of files
    bad=$(awk '
        FNR == 1 { statement = "" }
        /(^|[^a-z_])(printf|fprintf|fputs|puts|fwrite)\(/ { statement = ""; at = FILENAME ":" FNR; on = 1 }
        on { statement = statement $0 }
        on && /;$/ {
            on = 0
            sub(/.*(^|[^a-z_])(printf|fprintf|fputs|puts|fwrite)\(/, "(", statement)
            gsub(/test_case->[a-z]+/, "", statement) # ours
            if (statement !~ /^\([a-z]+\.out,/ && statement !~ /, [a-z]+\.out\);$/ &&
                statement ~ /(->|\.)(file|path|comment|connection|subject|actual|expected|wanted|cause|log|test|peer|title)([^a-z_]|$)/)
                print at ": " statement
        }' $(find conformance/base conformance/options conformance/command conformance/report conformance/decode conformance/run \
            rxe-harness -name '*.c' ! -path '*/tests/*' ! -path '*/peers/*' ! -name '*json*' ! -name '*html*' \
            ! -name '*junit*' ! -name 'generate*' ! -name record.c ! -name known.c))
    [ -z "$bad" ] || { echo "$bad"; return 1; }
}

# The regular expressions of .ci/phrases occur nowhere in prose.
plain_words() {
    grep -v '^#' .ci/phrases >"$phrases"
    # shellcheck disable=SC2086 # a list
    ! grep -rniE -f "$phrases" $folders packaging Makefile ./*.md spec/*.md spec/requirements/*.md \
        --include='*.[ch]' --include='*.sh' --include='*.awk' --include='*.py' --include='*.md' \
        --include='*.in' --include=Makefile --include='*.mk'
}

test_that 'sources follow .clang-format' formatted
test_that 'the checker knows no upper layer' checker_knows_no_binding
test_that 'rules name no procedure of one version' rules_name_no_procedure
test_that 'shell scripts pass shellcheck' scripts_are_clean
test_that 'version 2 keeps to its rooms' version_2_keeps_to_its_rooms
test_that 'struct tags differ' struct_tags_differ
test_that 'what goes to stderr goes through status.c' stderr_has_one_way
test_that 'text of foreign origin goes through text.c' foreign_text_is_masked
test_that 'sources carry the licence line' licensed
test_that 'no path of one machine is in the tree' no_machine_paths
test_that 'prose avoids the phrases of .ci/phrases' plain_words
echo "$passed passed, $failed failed, 0 skipped"
[ "$failed" -eq 0 ]
