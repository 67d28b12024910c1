#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# once: "$BUILD/vector_tables" "$BUILD/rpcrdma"
# The tables that the command keeps of the vectors: made of JSON, however it is laid out; no two rows
# of `probe` send the same octets, and none names a rule that its Send does not touch.
#
# usage: tables_test.sh VECTOR_TABLES RPCRDMA
set -u

tables=$(realpath "$1") rpcrdma=$2
passed=0 failed=0
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT

verdict() {
    name=$1
    shift
    if "$@"; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "not ok: $name"
    fi
}

# The same vectors on one line each file.
made=$(find vectors -name '*.json' ! -name '*.schema.json' ! -path '*/recorded/*' | sort)
# shellcheck disable=SC2086 # names without blanks
python3 - "$work" $made <<'END'
import json, os, sys
for path in sys.argv[2:]:
    flat = os.path.join(sys.argv[1], path)
    os.makedirs(os.path.dirname(flat), exist_ok=True)
    with open(flat, 'w') as out:
        json.dump(json.load(open(path)), out)
END
for table in index probe; do
    # shellcheck disable=SC2086 # names without blanks
    "$tables" $table $made >"$work/$table.c"
    # shellcheck disable=SC2086
    (cd "$work" && "$tables" $table $made) >"$work/$table.flat.c"
    verdict "$table: the layout of the JSON does not matter" cmp -s "$work/$table.c" "$work/$table.flat.c"
    verdict "$table: not empty" test "$(grep -c '^    {"' "$work/$table.c")" -gt 300
done
"$tables" schema >"$work/schema.json"
verdict 'vector.schema.json is what the command checks' cmp "$work/schema.json" vectors/vector.schema.json
"$tables" probe "$work/nothing-here.json" >/dev/null 2>&1
verdict 'a file that is not there' test $? = 3
"$tables" >/dev/null 2>&1
verdict 'usage' test $? = 2

# Each row's Send after an exchange of NULL: what it says to break it breaks, and nothing else does.
python3 - "$work" <<'END'
import json, re, sys
text = open(sys.argv[1] + '/probe.c').read()
rows = re.findall(r'\{"([a-z0-9-]+)", "(?:[^"\\]|\\.)*", ("[^"]*"|NULL), (true|false), [A-Z_ |]+,((?:\s*"[0-9a-f]*")+)\}', text)
null = '0000000100000001000000200000000000000000000000000000000000000001'
call = null + '0000000000000002' + '20000000' + '00000001' + '00000000' * 5
reply = null + '00000001' + '00000000' * 4
tests = [{'id': id, 'comment': rule if breaks == 'true' else '', 'events': [
    {'from': 'client', 'send': call}, {'from': 'server', 'send': reply},
    {'from': 'client', 'send': re.sub(r'[^0-9a-f]', '', octets)}]}
    for id, rule, breaks, octets in rows]
sends = [test['events'][2]['send'] for test in tests]
print(len(tests), 'rows')
json.dump({'schema': 'rpcrdma-vectors-v1', 'protocol': 'rpcrdma1', 'title': 'rows', 'tests': tests},
          open(sys.argv[1] + '/rows', 'w'))
open(sys.argv[1] + '/same', 'w').write(str(len(sends) - len(set(sends))))
END
verdict 'no two rows send the same octets' test "$(cat "$work/same")" = 0
"$rpcrdma" check --json "$work/rows" >"$work/findings"
python3 - "$work" <<'END'
import json, sys
claimed = {t['id']: t['comment'].strip('"') for t in json.load(open(sys.argv[1] + '/rows'))['tests']}
wrong = []
for line in open(sys.argv[1] + '/findings'):
    event = json.loads(line)
    if event['kind'] != 'event' or event['event'] != 2:
        continue
    rules = [f['rule'] for f in event['findings']]
    claim = claimed[event['test']]
    if (claim and claim not in rules) or (not claim and rules):
        wrong.append((event['test'], claim, rules))
for row in wrong:
    print(*row)
open(sys.argv[1] + '/untouched', 'w').write(str(len(wrong)))
END
verdict 'no row names a rule that its Send does not touch' test "$(cat "$work/untouched")" = 0

echo "$passed passed, $failed failed, 0 skipped"
[ "$failed" = 0 ]
