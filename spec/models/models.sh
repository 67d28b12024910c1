#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Search the models with Spin: every invariant holds, each rule that is left out is missed by one, and the
# checker judges every run as the model does.
#
# usage: models.sh quick|all|accept JUDGE
# once: quick "$BUILD/judge_runs"
# needs: spin
#
# JUDGE is build/judge_runs. `quick` takes the small bounds only; `make model` takes all. `accept` takes all, too, and
# writes what the checker said of the runs into runs.tsv, which the others compare with.
set -u
mode=$1 judge=$2
models=$(dirname "$0")
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
optimize=-O0 # compiling takes longer than searching
[ "$mode" = quick ] || optimize=-O1
mkdir "$work/kept"
passed=0 failed=0 groups=0
words= # the version in whose words the checker is told, if not the model's
export LEFT_OUT CHECKED
CK_VERBOSITY=silent
export CK_VERBOSITY

verdict() { # NAME STATUS
    if [ "$2" -eq 0 ]; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "not ok: $1"
    fi
}

# build NAME MODEL MACROS [FLAGS]: a verifier of these bounds and choices
build() {
    [ ! -x "$work/$1.pan" ] || return 0
    mkdir -p "$work/$1"
    # shellcheck disable=SC2086 # lists
    (cp "$models"/*.pml "$work/$1" && cd "$work/$1" && spin -a $3 "$2.pml" >spin.out 2>&1 &&
        ${CC:-cc} $optimize -w -DSAFETY -DMEMLIM=6000 ${4-} -o ../"$1.pan" pan.c) || {
        cat "$work/$1/spin.out"
        exit 1
    }
}

# search NAME [OPTIONS]: what the verifier says, in $work/said; in a folder of its own, for it leaves a trail
search() {
    name=$1
    shift
    (cd "$work/$name" && "../$name.pan" -n -m1000000 -w22 "$@") >"$work/said" 2>&1
}

# number MODEL NAME, id MODEL NAME: of a rule or an invariant of the model
number() {
    awk -v name="$2" '$1 == "#define" && $2 == name { print $3 }' "$models/$1.pml"
}
id() {
    [ "$2" != stuck ] || echo stuck
    awk -v name="$2" '$1 == "#define" && $2 == name {
        for (i = 4; i <= NF; i++)
            if ($i ~ /^(rfc|rpcrdma2)/) {
                sub(/[:,]$/, "", $i)
                print $i
            }
    }' "$models/$1.pml"
}

# holds NAME MODEL MACROS: no invariant is violated, and nobody is stuck
holds() {
    build "$1" "$2" "$3"
    LEFT_OUT=0 CHECKED=0
    search "$1"
    awk -v name="$2 $3" '/states, stored/ { s = $1 } / transitions / { t = $1 } /total actual memory/ { m = $1 }
        /elapsed time/ { e = $4 } END { printf "%s: %d states, %d transitions, %s s, %s MB\n", name, s, t, e, m }' "$work/said"
    grep -q 'errors: 0' "$work/said"
    verdict "$2 $3" $?
}

# planted NAME MODEL MACROS RULE INVARIANT: without the rule the invariant is violated. INVARIANT stuck: nobody goes on
planted() {
    build "$1" "$2" "$3"
    LEFT_OUT=$(number "$2" "$4")
    if [ "$5" = stuck ]; then
        CHECKED=99
        search "$1" -A
        grep -q 'invalid end state' "$work/said"
    else
        CHECKED=$(number "$2" "$5")
        search "$1" -E
        grep -q 'assertion violated' "$work/said"
    fi
    status=$?
    echo "without $(id "$2" "$4"): $(id "$2" "$5")"
    verdict "$2 $3 without $4: $5" $status
}

# chosen NAME MODEL MACROS INVARIANT: by this choice the invariant is violated
chosen() {
    build "$1" "$2" "$3"
    LEFT_OUT=0
    if [ "$4" = stuck ]; then
        CHECKED=99
        search "$1" -A
    else
        CHECKED=$(number "$2" "$4")
        search "$1" -E
    fi
    ! grep -q 'errors: 0' "$work/said"
    status=$?
    echo "$2 $3: $(id "$2" "$4")"
    verdict "$2 $3: $4" $status
}

# expected NAME TEXT: of these runs the checker says what runs.tsv has
expected() {
    why=$(awk -F '\t' -v name="$1" '$1 == name { print $3 }' "$models/runs.tsv")
    printf '%s\t%s\t%s\n' "$1" "$2" "$why" >>"$work/accepted"
    was=$(awk -F '\t' -v name="$1" '$1 == name { print $2 }' "$models/runs.tsv")
    [ "$was" = "$2" ] || [ "$mode" = accept ] || {
        echo "    runs.tsv has: ${was:-nothing}"
        return 1
    }
}

# runs NAME MODEL MACROS VIEW [RULE]: every run before the checker; with RULE, those whose last step breaks it
runs() {
    case $4 in client) place=0 ;; server) place=1 ;; *) place=2 ;; esac
    build "$1-$4" "$2" "$3 -DTRACE=1 -DVIEW=$place" -DNOREDUCE
    CHECKED=99 LEFT_OUT=0
    [ $# -lt 5 ] || LEFT_OUT=$(number "$2" "$5")
    search "$1-$4" -A -E
    grep '^run ' "$work/said" | sort -u >"$work/runs"
    [ $# -lt 5 ] || {
        # the last event is the forbidden one
        awk 'substr($NF, 1, 1) ~ /[89a-f]/' "$work/runs" >"$work/broken"
        mv "$work/broken" "$work/runs"
    }
    # shellcheck disable=SC2046 # a list
    "$judge" "${words:-$2}" "$4" $([ $# -lt 5 ] || id "$2" "$5") <"$work/runs" >"$work/judged"
    status=$?
    cat "$work/judged"
    groups=$((groups + 1))
    cp "$work/runs" "$work/kept/$groups.runs"
    cp "$work/judged" "$work/kept/$groups.judge_runs.said"
    # shellcheck disable=SC2046
    echo "${words:-$2}" "$4" $([ $# -lt 5 ] || id "$2" "$5") >"$work/kept/$groups.judge_runs"
    verdict "$2 $3 $4 ${5-}: judged" $status
    expected "$1 $4 ${5-all rules kept}" "$(sed -n '$s/^[^:]*: //p' "$work/judged")"
    verdict "$2 $3 $4 ${5-}: as before" $?
}

# told PROGRAM FAULTY: the first group of runs of which this judge_runs or follow_runs says something else
told() {
    for arguments in "$work"/kept/*."$1"; do
        # shellcheck disable=SC2046 # words
        timeout 600 "$2" $(cat "$arguments") <"${arguments%."$1"}.runs" >"$work/said" 2>&1
        cmp -s "$work/said" "$arguments.said" || {
            cat "$arguments"
            return
        }
    done
    echo nothing
}

# fault ROW: this one of faults.tsv in the checker or a peer: some run tells it, or the row says why none does
fault() {
    line=$(grep -v '^#' "$models/faults.tsv" | sed -n "$1p")
    why=$(echo "$line" | cut -f5) area=$(echo "$line" | cut -f1) source=$(echo "$line" | cut -f2)
    case $source in conformance/*) program=judge_runs ;; *) program=follow_runs ;; esac
    awk -F '\t' -v row="$1" '!/^#/ && ++count == row {
        while ((getline line < $2) > 0) {
            if ((at = index(line, $3)) > 0) {
                edits++
                line = substr(line, 1, at - 1) $4 substr(line, at + length($3))
            }
            print line
        }
        exit edits != 1
    }' "$models/faults.tsv" >"$work/faulty.c" &&
        sh "$(dirname "$judge")/$program.faulty" "$work/faulty.c" "$work/faulty" >"$work/said" 2>&1
    verdict "fault $1 of faults.tsv is planted" $?
    by=$(told $program "$work/faulty")
    echo "fault $1, $area: $by${why:+ ($why)}"
    case $by in nothing) [ -n "$why" ] ;; *) [ -z "$why" ] ;; esac
    verdict "fault $1 of faults.tsv: $by" $?
}

# follow NAME MODEL MACROS VIEW: runs that the checker judges, and through which our peer of that side is driven
follow() {
    runs "$@"
    "$(dirname "$judge")/follow_runs" "$2" "$4" <"$work/runs" >"$work/followed"
    status=$?
    cat "$work/followed"
    cp "$work/followed" "$work/kept/$groups.follow_runs.said"
    echo "$2 $4" >"$work/kept/$groups.follow_runs"
    verdict "$2 $3 $4: our peer" $status
    expected "$1 $4 our peer" "$(sed -n '$s/^[^:]*: //p' "$work/followed")"
    verdict "$2 $3 $4: our peer as before" $?
}

# follow2 NAME MACROS VIEW: of version 2, as its session chooses
follow2() {
    follow "$1" version2 "$2 -DBETWEEN_PIECES=0 -DEARLY=1" "$3"
}

one='-DFORWARD=1 -DBACK=0 -DCHUNKS=3 -DLOSSES=0'
both='-DFORWARD=1 -DBACK=1 -DCHUNKS=0 -DLOSSES=0'
three='-DFORWARD=3 -DBACK=0 -DCHUNKS=0 -DLOSSES=1'
errors='-DFORWARD=3 -DBACK=0 -DCHUNKS=0 -DLOSSES=0 -DERROR_IS_REPLY=0'

four='-DFORWARD=4 -DBACK=0 -DCHUNKS=0 -DLOSSES=0 -DERRORS=0 -DGRANT=3'

holds one version1 "$one"
holds both version1 "$both"
for rule in READS_BEFORE_REPLY WRITES_BEFORE_REPLY WITHIN_OFFERED_MEMORY INVALIDATE_OWN ONLY_RESPONDER_INITIATES \
    RELEASE_AFTER_REPLY; do
    planted one version1 "$one" $rule MEMORY_REGISTERED
done
for rule in RETURNED_LENGTH_WRITTEN CHUNK_COPIED MEMORY_FROM_REQUESTER; do
    planted one version1 "$one" $rule WRITES_ARRIVED
done
planted one version1 "$one" PLAIN_SEND SUPPORTED
planted one version1 "$one" MEMORY_FENCED MEMORY_ALONE
planted one version1 "$one" REPLY_MATCHES_CALL OWN_ANSWER
for rule in PEER_PREPARED CLIENT_RECEIVES REPLY_RECEIVES REPLY_MATCHES_CALL; do
    planted both version1 "$both" $rule RECEIVES_POSTED
done

# runs_of_one VIEW: what `make check` judges, too
runs_of_one() {
    case $1 in between) runs one version1 "$one" "$1" ;; *) follow one version1 "$one" "$1" ;; esac
    for rule in REPLY_MATCHES_CALL READS_BEFORE_REPLY WRITES_BEFORE_REPLY RETURNED_LENGTH_WRITTEN WITHIN_OFFERED_MEMORY \
        INVALIDATE_OWN PLAIN_SEND ONLY_RESPONDER_INITIATES GRANT_NOT_ZERO REQUESTER_SENDS_NO_ERROR CHUNK_COPIED \
        MEMORY_FROM_REQUESTER; do
        runs one version1 "$one" "$1" $rule
    done
}
runs_of_one client
[ "$mode" != quick ] || runs both version1 "$both" between
[ "$mode" != quick ] || follow one version1 "$one" server

small='-DFORWARD=1 -DBACK=0 -DSENDS=4 -DBETWEEN_PIECES=0'
runs small2 version2 "$small" client
for rule in REPLY_MATCHES_CALL ERROR_ENDS PLAIN_SEND HANDLE_OF_CALL WITH_LAST_PIECE CONTROL_PLAIN CONTROL_BETWEEN; do
    runs small2 version2 "$small" client $rule
done
follow2 short2 '-DFORWARD=1 -DBACK=0 -DSENDS=4 -DGRANTS=1' client

two='-DFORWARD=2 -DBACK=0 -DSENDS=5'
many='-DFORWARD=3 -DBACK=0 -DPIECES=0 -DADVERTISED=1 -DSENDS=6'
old='-DFORWARD=1 -DBACK=0 -DREFUSALS=1 -DPROPERTIES=1 -DSENDS=5'

chunks2='-DFORWARD=1 -DBACK=0 -DSENDS=4 -DCHUNKS=3'
lost2='-DFORWARD=1 -DBACK=0 -DSENDS=4 -DCHUNKS=3 -DLOSSES=1'

# version2: what needs some states only
version2() {
    holds two2 version2 "$two"
    for rule in SPARE_RECEIVE AS_ADVERTISED; do
        planted two2 version2 "$two" $rule RECEIVES_POSTED
    done
    planted two2 version2 "$two" REFRESHED_BY_GRANT stuck
    planted two2 version2 "$two" TOTAL_ABOVE_COUNT CREDITS_KEPT
    for rule in REMAINING CALL_CONTINUES REPLY_CONTINUES; do
        planted two2 version2 "$two" $rule WHOLE_MESSAGES
    done
    for rule in CLIENT_VERSION SERVER_VERSION; do
        planted two2 version2 "$two" $rule ONE_VERSION
    done
    for rule in REPLY_MATCHES_CALL ERROR_ENDS AFTER_CALL; do
        planted two2 version2 "$two" $rule OWN_ANSWER
    done
    for rule in PLAIN_SEND HANDLE_OF_CALL WITH_LAST_PIECE CONTROL_PLAIN; do
        planted two2 version2 "$two" $rule MEMORY_ALONE
    done
    holds chunks2 version2 "$chunks2"
    for rule in READS_BEFORE_REPLY WRITES_BEFORE_REPLY WITHIN_OFFERED_MEMORY; do
        planted chunks2 version2 "$chunks2" $rule MEMORY_REGISTERED
    done
    planted chunks2 version2 "$chunks2" RETURNED_LENGTH_WRITTEN WRITES_ARRIVED
    holds lost2 version2 "$lost2"
    planted lost2 version2 "$lost2" BEGINS_ANEW stuck
    planted old2 version2 "$old" SERVER_WAITS ONE_VERSION
    planted old2 version2 "$old" REFUSED_NOT_USED ONE_VERSION
    planted old2 version2 "$old" VERSION_ANSWERED stuck
}

pieces='-DFORWARD=2 -DBACK=0 -DSENDS=3 -DBETWEEN_PIECES=0'
grants='-DFORWARD=2 -DBACK=0 -DPIECES=0 -DADVERTISED=1 -DSENDS=4 -DERRORS=0'
refused='-DFORWARD=1 -DBACK=0 -DREFUSALS=1 -DPROPERTIES=1 -DSENDS=4 -DPIECES=0'
amid='-DFORWARD=2 -DBACK=0 -DSENDS=3 -DBETWEEN_PIECES=0 -DERRORS=2 -DGRANTS=0'
cross='-DFORWARD=1 -DBACK=1 -DPROPERTIES=1 -DSENDS=3 -DERRORS=0 -DBETWEEN_PIECES=0 -DGRANTS=0'
told='-DFORWARD=1 -DBACK=1 -DPROPERTIES=2 -DPIECES=0 -DSENDS=3 -DERRORS=0'

# runs2 VIEW: of version 2
runs2() {
    runs chunks2 version2 "$chunks2 -DPIECES=0 -DBETWEEN_PIECES=0" "$1"
    for rule in READS_BEFORE_REPLY WRITES_BEFORE_REPLY RETURNED_LENGTH_WRITTEN WITHIN_OFFERED_MEMORY PLAIN_SEND \
        HANDLE_OF_CALL; do
        runs chunks2 version2 "$chunks2 -DPIECES=0 -DBETWEEN_PIECES=0" "$1" $rule
    done
    runs lost2 version2 "-DFORWARD=1 -DBACK=0 -DSENDS=3 -DPIECES=0 -DBETWEEN_PIECES=0 -DCHUNKS=1 -DLOSSES=1" "$1"
    runs pieces2 version2 "$pieces" "$1"
    for rule in SENDS_WITHIN_LIMIT TOTAL_ABOVE_COUNT CLIENT_VERSION SERVER_VERSION PIECES_NOT_MIXED REPLY_MATCHES_CALL \
        ERROR_ENDS PLAIN_SEND HANDLE_OF_CALL WITH_LAST_PIECE CONTROL_PLAIN CONTROL_BETWEEN REMAINING CALL_CONTINUES \
        REPLY_CONTINUES AFTER_CALL; do
        runs pieces2 version2 "$pieces" "$1" $rule
    done
    runs amid2 version2 "$amid" "$1"
    runs grants2 version2 "$grants" "$1"
    runs zero2 version2 "$grants -DZERO=1" "$1"
    for rule in SENDS_WITHIN_LIMIT ONE_GRANT_BEYOND; do
        runs grants2 version2 "$grants" "$1" $rule
    done
    runs refused2 version2 "$refused" "$1"
    for rule in REFUSED_NOT_USED SERVER_WAITS NOTHING_AFTER_FINAL; do
        runs refused2 version2 "$refused" "$1" $rule
    done
    runs told2 version2 "$told" "$1"
    runs told2 version2 "$told" "$1" PROPERTIES_CONTINUE
}

if [ "$mode" != quick ]; then
    version2
    runs2 client
    runs2 server
    runs pieces2 version2 "$pieces" between
    runs told2 version2 "$told" between
    runs full2 version2 "$small -DCHUNKS=4 -DPIECES=0" client
    runs cross2 version2 "$cross" server
    runs cross2 version2 "$cross" server REPLY_CONTINUES
    follow2 short2 '-DFORWARD=1 -DBACK=0 -DSENDS=4 -DGRANTS=1' server
    for view in client server; do
        follow2 split2 '-DFORWARD=2 -DBACK=0 -DSENDS=5 -DGRANTS=0' $view
        follow2 whole2 '-DFORWARD=2 -DBACK=0 -DSENDS=5 -DGRANTS=1 -DPIECES=0' $view
        follow2 single2 "$grants" $view
        follow2 versions2 '-DFORWARD=1 -DBACK=0 -DREFUSALS=1 -DPROPERTIES=1 -DSENDS=4 -DGRANTS=1' $view
        follow2 reverse2 '-DFORWARD=1 -DBACK=1 -DPROPERTIES=1 -DPIECES=0 -DSENDS=3 -DERRORS=0' $view
    done
    holds pair2 version2 '-DFORWARD=2 -DBACK=0 -DSENDS=4 -DLOSSES=1'
    holds old2 version2 "$old"
    for rule in SENDS_WITHIN_LIMIT ONE_GRANT_BEYOND; do
        planted many2 version2 "$many" $rule RECEIVES_POSTED
    done
    planted mixed2 version2 '-DFORWARD=3 -DBACK=0 -DSENDS=5' PIECES_NOT_MIXED WHOLE_MESSAGES
    holds told2 version2 '-DFORWARD=1 -DBACK=1 -DPROPERTIES=2 -DPIECES=0 -DSENDS=5'
    for rule in PROPERTIES_CONTINUE NOTHING_AFTER_FINAL; do
        planted told2 version2 '-DFORWARD=1 -DBACK=1 -DPROPERTIES=2 -DPIECES=0 -DSENDS=5' $rule PROPERTIES_WHOLE
    done
    chosen word2 version2 "$two -DWORD=0" stuck
    chosen limit2 version2 "$many -DLIMIT=0" RECEIVES_POSTED
    chosen short2 version2 "$old -DFIRST_SHORT=1" stuck
    chosen prefix2 version2 "$two -DPREFIX_20=1" stuck
    chosen final2 version2 '-DFORWARD=1 -DBACK=1 -DPROPERTIES=1 -DPIECES=0 -DSENDS=5 -DFINAL_REFUSED=1' stuck
    chosen between2 version2 "$two -DERRORS=0 -DZERO=1 -DBETWEEN_PIECES=0" stuck
    holds apart2 version2 "$two -DBETWEEN_PIECES=0"
    holds zero2 version2 "$two -DERRORS=0 -DZERO=1"
    holds amid2 version2 "$amid"

    holds three version1 "$three"
    holds errors version1 "$errors"
    for rule in ONE_CREDIT_AT_FIRST CALLS_WITHIN_GRANT CREDITS_BEGIN_ANEW RECEIVES_BEFORE_GRANT \
        REQUESTER_SENDS_NO_ERROR; do
        planted three version1 "$three" $rule RECEIVES_POSTED
    done
    planted three version1 "$three" XID_UNIQUE OWN_ANSWER
    planted three version1 "$three" GRANT_NOT_ZERO stuck
    planted errors version1 "$errors" VALID_REPLY_FIRST RECEIVES_POSTED
    holds two version1 '-DFORWARD=2 -DBACK=0 -DCHUNKS=3 -DLOSSES=1'
    holds reverse version1 '-DFORWARD=2 -DBACK=1 -DCHUNKS=0 -DLOSSES=1'
    holds mixed version1 '-DFORWARD=1 -DBACK=1 -DCHUNKS=3 -DLOSSES=1'

    chosen lowered version1 '-DFORWARD=4 -DBACK=0 -DCHUNKS=0 -DLOSSES=0 -DGRANT=3 -DLOWERED_GRANT=1' RECEIVES_POSTED
    chosen resent version1 '-DFORWARD=1 -DBACK=0 -DCHUNKS=0 -DLOSSES=0 -DRESENT_CALL=2' RECEIVES_POSTED
    chosen again version1 '-DFORWARD=2 -DBACK=0 -DCHUNKS=3 -DLOSSES=0 -DRESENT_CALL=1' MEMORY_REGISTERED
    chosen stranded version1 '-DFORWARD=1 -DBACK=1 -DCHUNKS=0 -DLOSSES=1 -DSTRANDED_CALL=1' stuck

    words=draft04
    runs one04 version1 "$one" client
    for rule in READS_BEFORE_REPLY WRITES_BEFORE_REPLY RETURNED_LENGTH_WRITTEN WITHIN_OFFERED_MEMORY GRANT_NOT_ZERO; do
        runs one04 version1 "$one" client $rule
    done
    for view in client between; do
        runs both04 version1 "$both" $view
        runs errors04 version1 "$errors" $view
        for rule in ONE_CREDIT_AT_FIRST VALID_REPLY_FIRST CALLS_WITHIN_GRANT XID_UNIQUE REPLY_MATCHES_CALL; do
            runs errors04 version1 "$errors" $view $rule
        done
    done
    words=
    runs_of_one server
    runs_of_one between
    full='-DFORWARD=1 -DBACK=0 -DCHUNKS=4 -DLOSSES=0'
    holds full version1 "$full"
    runs full version1 "$full" client
    for rule in READS_BEFORE_REPLY WRITES_BEFORE_REPLY RETURNED_LENGTH_WRITTEN WITHIN_OFFERED_MEMORY INVALIDATE_OWN \
        CHUNK_COPIED; do
        runs full version1 "$full" client $rule
    done
    runs fourth version1 '-DFORWARD=4 -DBACK=0 -DCHUNKS=0 -DLOSSES=0 -DERRORS=0 -DGRANT=2' between
    runs four version1 "$four" between
    runs four version1 "$four" between CALLS_WITHIN_GRANT
    for view in client server between; do
        case $view in client) do=follow ;; *) do=runs ;; esac # our Responder makes no reverse Calls
        $do both version1 "$both" $view
        $do reverse version1 '-DFORWARD=2 -DBACK=1 -DCHUNKS=0 -DLOSSES=0' $view
        case $view in between) do=runs ;; *) do=follow ;; esac
        $do lost version1 '-DFORWARD=1 -DBACK=0 -DCHUNKS=3 -DLOSSES=1' $view
        $do pair version1 '-DFORWARD=2 -DBACK=0 -DCHUNKS=1 -DLOSSES=0' $view
        case $view in between) ;; *) follow triple version1 '-DFORWARD=3 -DBACK=0 -DCHUNKS=0 -DLOSSES=0 -DERRORS=0' $view ;; esac
        runs resent version1 '-DFORWARD=2 -DBACK=0 -DCHUNKS=0 -DLOSSES=0 -DRESENT_CALL=1' $view
        runs copied version1 '-DFORWARD=2 -DBACK=0 -DCHUNKS=0 -DLOSSES=0 -DRESENT_CALL=2' $view
        runs errors version1 "$errors" $view
        runs both version1 "$both" $view PEER_PREPARED
        runs both version1 "$both" $view REQUESTER_SENDS_NO_ERROR
        for rule in ONE_CREDIT_AT_FIRST VALID_REPLY_FIRST CALLS_WITHIN_GRANT XID_UNIQUE REPLY_MATCHES_CALL GRANT_NOT_ZERO; do
            runs errors version1 "$errors" $view $rule
        done
    done
fi
# All of faults.tsv; or some, which the runs of `quick` tell
case $mode in quick) rows=${FAULTS-9 13 23 33 44 54 61} ;; *) rows=$(seq "$(grep -vc '^#' "$models/faults.tsv")") ;; esac
for row in $rows; do
    fault "$row"
done
if [ "$mode" = accept ]; then
    (grep '^#' "$models/runs.tsv" && sed 's/\t$//' "$work/accepted") >"$work/runs.tsv"
    cp "$work/runs.tsv" "$models/runs.tsv"
elif [ "$mode" = all ]; then
    cut -f1 "$work/accepted" >"$work/names"
    ! grep -v '^#' "$models/runs.tsv" | cut -f1 | grep -vxFf "$work/names"
    verdict "all of runs.tsv was judged" $?
fi
echo "$passed passed, $failed failed, 0 skipped"
[ "$failed" -eq 0 ]
