#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# once: "$BUILD"
# needs: git jq
# The recipes of CONTRIBUTING.md, by the letter, in a copy of the tree: as many files are written by hand as the
# page says, `make accept` does the rest, and the checks that the recipe names pass. The copy is built as far as the tree
# is, and each recipe begins where the one before ended, so that only what it changes is compiled.
#
# usage: recipes_test.sh BUILD
set -u
build=$1
passed=0 failed=0
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
page=$PWD/CONTRIBUTING.md

verdict() {
    what=$1
    shift
    if "$@" >"$work/out" 2>&1; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "not ok: $recipe: $what"
        tail -n 15 "$work/out" | sed 's/^/    /'
    fi
}

# ---- the copy, built as far as this tree is ----

tree=$work/tree
mkdir "$tree"
sh .ci/files.sh | tar -cf - -T - | tar -C "$tree" -xf -
mkdir "$tree/build"
for part in gen spec obj pages ref tests xdrgen rpcrdma make_vectors vector_tables; do
    [ ! -e "$build/$part" ] || cp -a "$build/$part" "$tree/build/"
done
cp -a "$build"/*.a "$build"/*.so* "$tree/build/"
cd "$tree" || exit 1
export GIT_CONFIG_GLOBAL=/dev/null GIT_CONFIG_SYSTEM=/dev/null
commit() { git add -A && git -c user.name=x -c user.email=x@example.org commit -q -m x; }
git init -q .

start() {
    recipe=$1
    commit
}
# after FILE LINE-PATTERN TEXT: put the text after the first such line
after() {
    awk -v pattern="$2" -v text="$3" '{ print } !done && $0 ~ pattern { print text; done = 1 }
        END { exit !done }' "$1" >"$work/edited" && cp "$work/edited" "$1"
}
# What the page says of this recipe: "### A rule (6 or 7 with its vectors)" has 6, and 7.
written_as_said() {
    said=$(sed -n "s/^### $recipe (\([0-9][0-9]*\( or [0-9]*\)*\).*/\1/p" "$page")
    is=$(git diff --name-only | wc -l)
    echo "by hand: $is; the page says $said"
    case " $said " in *" $is "*) return 0 ;; esac
    git diff --name-only
    return 1
}
# Lines that change beside what the recipe of a rule names, and beside the vectors, which are made of what it names.
few_others() {
    git diff --numstat -- . ':!spec/requirements' ':!conformance/check/rules' ':!conformance/tests/rules' \
        ':!vectors/make' ':!vectors/*.json' ':!rxe-harness/tests/octets_test.c' ':!conformance/tests/data/sums.tsv' \
        >"$work/others"
    cat "$work/others"
    awk '{ lines += $1 + $2 } END { exit !(lines > 0 && lines <= 15) }' "$work/others"
}
make_all() { make -s DEPS=no -j2 "$@"; }
passes() { make_all "build/tests/$1" && "build/tests/$1"; }

# ---- a vector ----

start 'A vector'
after vectors/make/chunks_read.c 'static const struct vector chunks_read_vectors' '    {
        .id = "position-misaligned-in-third-entry",
        .comment = "Two entries are good; the third, of a chunk of its own, is at 58.",
        .flags = "broken",
        .events = {{"> msg read:44:0xa1/8/0x1000 read:52:0xa3/4/0x3000 read:58:0xa2/4/0x2000 | call 8 4 9",
                    MISALIGNED(68)}},
    },'
verdict 'files written by hand' written_as_said
verdict 'make vectors' make_all vectors # `make accept` comes with that of the rule
verdict 'builds' make_all all # after it: the command has the vectors in it
verdict 'lint' build/rpcrdma vectors --lint vectors
verdict 'the checker' build/rpcrdma vectors vectors

# ---- a link type ----

start 'A link type of captures'
after conformance/input/frame/link.c 'DLT_LOOP, 4' '    {DLT_C_HDLC, 4, 2, NULL},'
after conformance/tests/capture/packet_test.c '"loop", DLT_LOOP' \
    '    {"hdlc", DLT_C_HDLC, 4, {0x0f, 0, 8, 0}, 0, 0},'
verdict 'files written by hand' written_as_said
for name in packet layers; do
    verdict "$name" passes conformance/tests/capture/${name}_test
done

# ---- an option ----

start 'An option of a command'
after conformance/command/check.h 'bool all, strict' '    bool brief;'
after conformance/command/cmd_check.c '"all", NULL' '@'
grep -n '^@$' conformance/command/cmd_check.c >/dev/null && {
    row='    {"brief", NULL, "print less", SETS(FLAG, struct check_command, brief)},'
    # Before the row of --all, which goes on for some lines.
    awk -v row="$row" '/"all", NULL/ { print row } !/^@$/ { print }' conformance/command/cmd_check.c >"$work/edited" &&
        cp "$work/edited" conformance/command/cmd_check.c
}
verdict 'files written by hand' written_as_said
verdict 'builds' make_all all
verdict 'help' sh -c 'build/rpcrdma check --help | grep -q -- "--brief"'
verdict 'in help, manual and completions' sh conformance/tests/command/options_test.sh build/rpcrdma build/pages

# ---- a rule: an advisory one, with a vector and a near miss ----

start 'A rule'
id=rfc8166/3.4.5/position-of-5a
after spec/requirements/rfc8166.tsv "^rfc8166/3.4.5/position-multiple-of-four" \
    "$id	lower-case	advisory	requester	call	header	note	process	passive	A Position of four octets 5a is remarkable."
after spec/requirements/shared.tsv "^rfc8166/3.4.5/position-multiple-of-four" "$id	-	-	not judged in version 2"
after conformance/check/rules/chunks.c 'check_bounds_of_memory.send, &segment.target, entry' \
    '        if (segment.position == 0x5a5a5a58)
            break_rule(&send->review, RPCRDMA_RFC8166_3_4_5_POSITION_OF_5A,
                       entry + ENTRY_AT_POSITION, NO_REACTION, "Position %u is remarkable",
                       segment.position);'
after conformance/tests/rules/header_rules_test.c '---- the Read list ----' \
    '    {"N 3.4.5/position-of-5a @20; V 3.4.5/position-in-bounds @20 -> err-chunk,garbage-args",
     {"> 7 1 32 0 1 0x5a5a5a58 0xa 4 0 0 0 0 0 call"},
     {"> 7 1 32 0 1 0x5a5a5a54 0xa 4 0 0 0 0 0 call"},
     "V 3.4.5/position-in-bounds @20 -> err-chunk,garbage-args",
     DEFAULTS},'
after vectors/make/chunks_read.c 'static const struct vector chunks_read_vectors' '    {
        .id = "position-of-5a",
        .comment = "A Position of four octets 5a, but for two bits.",
        .flags = "broken",
        .events = {{"> msg read:0x5a5a5a58:0xa1/8/0x1000 | call 8 9",
                    "N:3.4.5/position-of-5a@20 V:3.4.5/position-in-bounds@20 err-chunk garbage-args"}},
    },
    {
        .id = "position-below-5a",
        .comment = "A Position of one word less.",
        .flags = "broken near-miss",
        .near_miss = "3.4.5/position-of-5a",
        .events = {{"> msg read:0x5a5a5a54:0xa1/8/0x1000 | call 8 9", BEYOND(20)}},
    },'
after rxe-harness/tests/octets_test.c 'rfc8166/3.4.5' '    {"rfc8166/3.4.5/position-of-5a", READS},'
verdict 'files written by hand' written_as_said
verdict 'the register' sh spec/requirements/prove.sh
verdict 'make accept' make_all accept
verdict 'little else changes' few_others
verdict 'lint' build/rpcrdma vectors --lint vectors
verdict 'the checker' build/rpcrdma vectors vectors
for name in conformance/tests/rules/header_rules rxe-harness/tests/octets; do
    verdict "$name" passes "${name}_test"
done

# ---- a live case ----

start 'A live case'
after rxe-harness/probe/cases.c '^    LONG_REPLY\\(8192, 1\\)' \
    '    ECHO("echo-of-three", "ECHO of 3 octets: Read chunk, Write chunk.", 3, .read_segments = 1, .write_segments = 1),'
after rxe-harness/tests/probe_test.c 'write_wrong}, "push-1023-in-7"' \
    '    {{.write = write_wrong}, "echo-of-three", ENDING_WRONG, NULL},'
verdict 'files written by hand' written_as_said
verdict 'make accept' make_all accept
verdict 'the case' build/rpcrdma probe --case echo-of-three
verdict 'its rule' sh rxe-harness/tests/rules_test.sh build/rpcrdma
for name in probe octets sent answers planted; do
    verdict "$name" passes rxe-harness/tests/${name}_test
done

echo "$passed passed, $failed failed, 0 skipped"
[ "$failed" -eq 0 ]
