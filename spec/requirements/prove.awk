# SPDX-License-Identifier: BSD-3-Clause
# One check of the register: print a line for each fault, and nothing where all is well.
#
# usage: awk -f words.awk -f headings.awk -f prove.awk -v check=NAME FILE...
#   columns, ids, words, levels, passive, held     FILE...: the register
#   keywords                                       keywords.tsv excluded.tsv, the register
#   shared                                         shared.tsv, the register
#   judged                                         names in the code, shared.tsv, unjudged.tsv, the register
#   sections, wording                              one specification, then its part of the register

BEGIN {
    FS = "\t"
    ID = 1; KEYWORD = 2; LEVEL = 3; SCOPE = 6; SEVERITY = 7; REACTION = 8; TEST = 9; TEXT = 10
    columns = split("id keyword level role message scope severity reaction test paraphrase", column, " ")
    words(KEYWORD, register_words["keyword"])
    words(LEVEL, register_words["level"])
    words(4, register_words["role"])
    words(5, register_words["message"])
    words(SCOPE, register_words["scope"])
    words(SEVERITY, register_words["severity"])
    words(REACTION, register_words["reaction"])
    words(TEST, register_words["test"])
    # Which levels a keyword has, and which severities a level.
    words("MUST", "must")
    words("SHOULD", "should")
    words("MAY", "none")
    words("lower-case", "derived,advisory,none")
    words("derived", "derived,advisory")
    words("level must", "-,warning,violation")
    words("level should", "-,warning")
    words("level derived", "-,warning,violation")
    words("level advisory", "-,note")
    words("level none", "-")
    run = 6 # so many words in a row are a quotation
}

function words(name, list,    i, n, word) {
    n = split(list, word, ",")
    for (i = 1; i <= n; i++)
        allowed[name, word[i]] = 1
}

function fault(why) {
    printf "%s:%d: %s\n", FILENAME, FNR, why
}

FNR == 1 {
    file++
    document = document_of(FILENAME)
}

check == "columns" { check_columns(); next }
check == "sections" && file == 1 { collect_section(); next }
check == "wording" && file == 1 { collect_wording(); next }
check == "keywords" && file <= 2 {
    if (FNR > 1)
        expected[$1 " " $2 " " $3] += file == 1 ? $4 : -$4
    if (file == 2 && FNR > 1 && $5 == "")
        fault("left out without a reason")
    next
}
check == "judged" && file == 1 { in_code[$1] = 1; next }
FNR == 1 { next }
check == "shared" && file == 1 { collect_shared(); next }
check == "judged" && file == 2 { is_shared[$2] = is_shared[$3] = 1; next }
check == "judged" && file == 3 { collect_unjudged(); next }

check == "shared" { is_passive[$ID] = $SEVERITY != "-" }
check == "judged" && $SEVERITY != "-" && document ~ /^rpcrdma2-/ { check_judged() }
check == "ids" { check_id() }
check == "words" { check_words() }
check == "levels" { check_levels() }
check == "passive" { check_passive() }
check == "held" { collect_held() }
check == "keywords" && $KEYWORD !~ /^(lower-case|derived)$/ { found[document " " section() " " $KEYWORD]++ }
check == "sections" && !(section() in known) { fault($ID ": the text has no section " section()) }
check == "wording" { check_wording() }

END {
    if (check == "held")
        check_held()
    if (check == "keywords")
        check_keywords()
    if (check == "shared")
        check_shared()
    if (check == "judged")
        check_unjudged()
}

function section(    part) {
    split($ID, part, "/")
    return part[2]
}

function check_columns(    i) {
    if (NF != columns) {
        fault(NF " columns, not " columns)
        return
    }
    for (i = 1; i <= columns; i++) {
        if (FNR == 1 && $i != column[i])
            fault("column " i " is called \"" $i "\", not \"" column[i] "\"")
        if ($i == "" || $i ~ /^ | $|  |[^ -~]/)
            fault(column[i] " is empty, or has needless blanks or octets that are no printable ASCII")
    }
}

function check_id() {
    if ($ID !~ /^[a-z0-9.-]+\/[0-9A-Z]+(\.[0-9]+)*\/[a-z0-9]+(-[a-z0-9]+)*$/)
        fault("malformed id \"" $ID "\"")
    if (index($ID, document "/") != 1)
        fault($ID " belongs in another file")
    if ($ID in seen)
        fault($ID " is in line " seen[$ID] " as well")
    seen[$ID] = FNR
}

function check_list(i,    k, n, word, twice) {
    n = split($i, word, ",")
    for (k = 1; k <= n; k++) {
        if (!((i, word[k]) in allowed))
            fault($ID ": unknown " column[i] " \"" word[k] "\"")
        if (word[k] in twice)
            fault($ID ": " column[i] " \"" word[k] "\" twice")
        twice[word[k]] = 1
    }
}

function check_words(    i) {
    for (i = KEYWORD; i <= SEVERITY; i++)
        if (!((i, $i) in allowed))
            fault($ID ": unknown " column[i] " \"" $i "\"")
    if ($REACTION != "-")
        check_list(REACTION)
    if ($TEST !~ /^none: [^ ]/)
        check_list(TEST)
}

function check_levels(    group) {
    group = $KEYWORD
    sub(/^(MUST NOT|SHALL|SHALL NOT|REQUIRED)$/, "MUST", group)
    sub(/^(SHOULD NOT|RECOMMENDED|NOT RECOMMENDED)$/, "SHOULD", group)
    sub(/^OPTIONAL$/, "MAY", group)
    if (!((group, $LEVEL) in allowed))
        fault($ID ": keyword " $KEYWORD " has no level " $LEVEL)
    if (!(("level " $LEVEL, $SEVERITY) in allowed))
        fault($ID ": level " $LEVEL " has no severity " $SEVERITY)
}

function check_passive(    passive) {
    passive = "," $TEST "," ~ /,passive,/
    if (passive != ($SEVERITY != "-"))
        fault($ID ": a severity goes with a passive test, and the other way round")
    if (passive && $SCOPE == "internal")
        fault($ID ": what is internal cannot be seen")
    if (passive && $REACTION == "-")
        fault($ID ": does not say what a receiver is free to do")
}

function collect_held(    list, n, part, i) {
    observable[$ID] = "," $TEST "," ~ /,passive,/
    if ($TEST !~ /^none: held by (rfc|rpcrdma)/)
        return
    list = $TEST
    sub(/^none: held by /, "", list)
    n = split(list, part, ", ")
    for (i = 1; i <= n; i++)
        held[++holders] = $ID " " part[i]
}

function check_held(    i, pair) {
    for (i = 1; i <= holders; i++) {
        split(held[i], pair, " ")
        if (!observable[pair[2]])
            print pair[1] ": held by " pair[2] ", which is not a passive rule"
    }
}

# What a line of shared.tsv says of one draft: "=", "-", or the id of a rule of that draft.
function collect_shared(    draft) {
    if (NF != 4 || $4 == "")
        fault("4 columns, none of them empty")
    if ($1 in shared_line)
        fault($1 " is in line " shared_line[$1] " as well")
    shared_line[$1] = FNR
    for (draft = 2; draft <= 3; draft++)
        if ($draft != "=" && $draft != "-") {
            if (index($draft, draft == 2 ? "rpcrdma2-04/" : "rpcrdma2-07/") != 1)
                fault($draft " is not of that column's draft")
            shared_target[$draft] = $1
        }
}

function check_shared(    id) {
    for (id in is_passive)
        if (id ~ /^rfc/ && is_passive[id] && !(id in shared_line))
            print "shared.tsv has no line for " id
    for (id in shared_line)
        if (!is_passive[id])
            print "shared.tsv: " id " is not a passive rule"
    for (id in shared_target)
        if (!is_passive[id])
            print "shared.tsv: " id ", for " shared_target[id] ", is not a passive rule"
}

function collect_unjudged() {
    if (NF != 2 || (FNR > 1 && $2 !~ /^no (code|tests|vectors) yet$/))
        fault("an id and a reason")
    if (FNR > 1)
        unjudged[$1] = $2
}

function enumerator(id) {
    id = toupper(id)
    gsub(/[^A-Z0-9]/, "_", id)
    return id ~ /^RPCRDMA/ ? id : "RPCRDMA_" id
}

function check_judged() {
    if (($ID in unjudged) && unjudged[$ID] == "no code yet" && (enumerator($ID) in in_code))
        fault($ID ": unjudged.tsv says that it has no code, and it has")
    if (!($ID in unjudged) && !(enumerator($ID) in in_code) && !($ID in is_shared))
        fault($ID ": nothing judges it")
    known[$ID] = 1
}

function check_unjudged(    id) {
    for (id in unjudged)
        if (!(id in known))
            print "unjudged.tsv: " id " is not a passive rule of version 2"
}

function check_keywords(    key) {
    for (key in found)
        if (!(key in expected))
            expected[key] = 0
    for (key in expected)
        if (expected[key] != found[key] + 0)
            print key ": " expected[key] " in the text, " found[key] + 0 " in the register"
}

function collect_section(    name) {
    name = heading()
    if (name != "")
        known[name] = 1
}

# Split text to words: small letters and digits, apostrophes taken out, all else a blank.
function split_words(text, word) {
    text = tolower(text)
    gsub(/'/, "", text)
    gsub(/[^a-z0-9]+/, " ", text)
    sub(/^ /, "", text)
    sub(/ $/, "", text)
    return split(text, word, " ")
}

function collect_wording(    i, n, word) {
    if (is_page_break())
        return
    n = split_words($0, word)
    for (i = 1; i <= n; i++) {
        for (k = 1; k < run; k++)
            last[k] = last[k + 1]
        last[run] = word[i]
        quoted[last[1] " " last[2] " " last[3] " " last[4] " " last[5] " " last[6]] = 1
    }
}

function check_wording(    i, n, word, six) {
    n = split_words($TEXT, word)
    for (i = 1; i + run - 1 <= n; i++) {
        six = word[i] " " word[i + 1] " " word[i + 2] " " word[i + 3] " " word[i + 4] " " word[i + 5]
        if (six in quoted)
            fault($ID ": words of the text: \"" six "\"")
    }
}
