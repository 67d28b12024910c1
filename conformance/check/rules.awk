# SPDX-License-Identifier: BSD-3-Clause
# Make the C tables of the requirements from their register, and the words of its columns.
#
# usage: awk -f words.awk -f rules.awk -v out=header|source unjudged.tsv REGISTER...
#        awk -f words.awk -f rules.awk -v out=shared shared.tsv unjudged.tsv REGISTER...
#        awk -f words.awk -f rules.awk -v out=words
#
# unjudged.tsv has the ids of passive rules that the checker does not judge yet: to the table they
# are not passive; or that no vector shows. shared.tsv says which rules of version 1 hold in the
# drafts of version 2, and under which id.
# A malformed row is an error that names its file and line. What is printed before it is worthless,
# so the caller writes to a temporary file and renames it.

BEGIN {
    FS = "\t"
    if (out == "words") {
        word_lists()
        stopped = 1
        exit 0
    }
    if (out != "header" && out != "source" && out != "shared") {
        print "usage: awk -f words.awk -f rules.awk -v out=header|source|shared|words FILE..." >"/dev/stderr"
        stopped = 1
        exit 2
    }
    columns = split("id keyword level role message scope verdict reaction test paraphrase", column, " ")
    for (i in register_words)
        words(i, register_words[i])
    severity["-"] = -1
    severity["note"] = 0
    severity["warning"] = 1
    severity["violation"] = 2
}

# Each list as one string with blanks between, and as strings with commas between.
function word_lists(    i, names, name, list) {
    print "#ifndef CONFORMANCE_REGISTER_WORDS_H"
    print "#define CONFORMANCE_REGISTER_WORDS_H"
    print ""
    names = split("level role scope reaction", name, " ")
    for (i = 1; i <= names; i++) {
        list = register_words[name[i]]
        gsub(/,/, " ", list)
        printf "#define REGISTER_%sS \"%s\"\n", toupper(name[i]), list
        gsub(/ /, "\", \"", list)
        printf "#define REGISTER_%s_LIST \"%s\"\n", toupper(name[i]), list
    }
    print ""
    print "#endif"
}

function words(name, list,    i, n, word) {
    n = split(list, word, ",")
    for (i = 1; i <= n; i++)
        allowed[name, word[i]] = 1
}

function malformed(why) {
    printf "%s:%d: %s\n", FILENAME, FNR, why >"/dev/stderr"
    stopped = 1
    exit 1
}

function string(text) {
    gsub(/\\/, "\\\\", text)
    gsub(/"/, "\\\"", text)
    return "\"" text "\""
}

function enumerator(id) {
    id = toupper(id)
    gsub(/[^A-Z0-9]/, "_", id)
    return id ~ /^RPCRDMA/ ? id : "RPCRDMA_" id
}

FNR == 1 {
    file = FILENAME
    sub(/.*\//, "", file)
}

file == "unjudged.tsv" {
    if (FNR > 1 && $2 !~ /^no (code|tests|vectors) yet$/)
        malformed("the reason is not \"no code yet\", \"no tests yet\" or \"no vectors yet\"")
    unshown[$1] = 1
    if ($2 != "no vectors yet")
        unjudged[$1] = 1
    next
}

file == "shared.tsv" {
    pairs++
    for (i = 1; i <= 3; i++)
        shared[pairs, i] = $i
    next
}

FNR == 1 {
    if (NF != columns)
        malformed("the header line has " NF " columns, not " columns)
    for (i = 1; i <= columns; i++)
        if ($i != column[i])
            malformed("column " i " is \"" $i "\", not \"" column[i] "\"")
    next
}

{
    if (NF != columns)
        malformed(NF " columns, not " columns)
    for (i = 1; i <= columns; i++) {
        if ($i == "" || $i ~ /^ | $|[^ -~]/)
            malformed(column[i] " is empty, or has blanks around it or octets that are no printable ASCII")
        if (i > 1 && i < 8 && !((column[i], $i) in allowed))
            malformed("unknown " column[i] " \"" $i "\"")
    }
    if ($1 !~ /^[a-z0-9.-]+\/[0-9A-Z]+(\.[0-9]+)*\/[a-z0-9]+(-[a-z0-9]+)*$/)
        malformed("malformed id \"" $1 "\"")
    name = enumerator($1)
    if (name in seen)
        malformed("\"" $1 "\" has the enumerator of " seen[name])
    seen[name] = $1
    rules++
    for (i = 1; i <= columns; i++)
        row[rules, i] = $i
    if ($1 in unjudged) {
        row[rules, 7] = "-"
        row[rules, 9] = "none: not judged yet"
    }
}

END {
    if (stopped)
        exit # with the status set before
    if (rules == 0) {
        print "rules.awk: no requirement at all" >"/dev/stderr"
        exit 1
    }
    if (out == "header")
        header()
    else if (out == "source")
        source()
    else
        shared_rules()
}

function header(    i) {
    print "/*"
    print " * The requirements: one enumerator and one table row for each, in the register's order."
    print " */"
    print "#ifndef RPCRDMA_RULES_H"
    print "#define RPCRDMA_RULES_H"
    print ""
    print "#include <rpcrdma/xdr.h> /* RPCRDMA_API */"
    print ""
    print "#include <stdbool.h>"
    print ""
    print "#ifdef __cplusplus"
    print "extern \"C\" {"
    print "#endif"
    print ""
    print "/*"
    print " * One enumerator for each requirement, after its id. They number the rows of the table of this"
    print " * version only: what is stored or sent on is the id, which never changes."
    print " */"
    print "enum rpcrdma_rule {"
    for (i = 1; i <= rules; i++)
        print "    " enumerator(row[i, 1]) ","
    print "    RPCRDMA_RULES /* how many there are */"
    print "};"
    print ""
    print "/*"
    print " * What the register says of one requirement. The words of each column are explained in"
    print " * spec/requirements/README.md. No string is NULL; \"-\" stands for none."
    print " */"
    print "struct rpcrdma_requirement {"
    print "    const char *id;       /* document/section/slug */"
    print "    const char *keyword;  /* of BCP 14, or lower-case, or derived */"
    print "    const char *level;    /* must, should, derived, advisory, none */"
    print "    const char *role;     /* whom it binds */"
    print "    const char *message;  /* call, reply, error, reply/error, any */"
    print "    const char *scope;    /* what has to be seen to judge it */"
    print "    const char *verdict;  /* violation, warning, note; - where no passive checker applies it */"
    print "    const char *reaction; /* what a receiver is free to do, separated by commas */"
    print "    const char *test;     /* passive, responder, requester, separated by commas; or none: why */"
    print "    const char *text;     /* the requirement in our own words */"
    print "    signed char severity; /* the verdict as number: 2 violation, 1 warning, 0 note, -1 none */"
    print "    bool lacks_vectors;   /* no vector shows it yet, though the checker applies it */"
    print "};"
    print ""
    print "/* The register, indexed by enum rpcrdma_rule. */"
    print "RPCRDMA_API extern const struct rpcrdma_requirement rpcrdma_requirements[RPCRDMA_RULES];"
    print ""
    print "#ifdef __cplusplus"
    print "}"
    print "#endif"
    print ""
    print "#endif"
}

function source(    i, j) {
    print "/*"
    print " * The table of requirements."
    print " */"
    print "#include <rpcrdma/rules.h>"
    print ""
    print "const struct rpcrdma_requirement rpcrdma_requirements[RPCRDMA_RULES] = {"
    for (i = 1; i <= rules; i++) {
        printf "    [%s] = {", enumerator(row[i, 1])
        for (j = 1; j <= columns; j++)
            printf "\n        %s,", string(row[i, j])
        printf "\n        %d,\n        %d,\n    },\n", severity[row[i, 7]], row[i, 1] in unshown
    }
    print "};"
}

# Of each draft: for each rule the one that holds in its place, and what it leaves open to a
# receiver. Rules of version 2 hold under their own ids.
function shared_rules(    i, k, as) {
    for (i = 2; i <= pairs; i++)
        for (k = 2; k <= 3; k++)
            holds[shared[i, 1], k] = shared[i, k]
    print "/*"
    print " * Which rules hold in the drafts of version 2, and the reactions of all rules as sets."
    print " */"
    print "#include \"conformance/check/core/review.h\""
    print ""
    print "const uint16_t rpcrdma_shared_rules[2][RPCRDMA_RULES] = {"
    for (k = 2; k <= 3; k++) {
        print "    {"
        for (i = 1; i <= rules; i++)
            printf "        [%s] = %s,\n", enumerator(row[i, 1]), in_draft(row[i, 1], k)
        print "    },"
    }
    print "};"
    print ""
    print "const uint32_t rpcrdma_rule_reactions[RPCRDMA_RULES] = {"
    for (i = 1; i <= rules; i++)
        printf "    [%s] = 0x%x,\n", enumerator(row[i, 1]), reactions(row[i, 8])
    print "};"
}

function in_draft(id, k,    as) {
    as = holds[id, k]
    if (as == "=" || id ~ /^rpcrdma2-/)
        return enumerator(id)
    return as ~ /\// ? enumerator(as) : "RPCRDMA_RULES"
}

# Words in the order of their bits.
function reactions(list,    i, n, word, set) {
    n = split(register_words["reaction"], word, ",")
    set = 0
    for (i = 1; i <= n; i++)
        if (index("," list ",", "," word[i] ","))
            set += 2 ^ (i - 1)
    return set
}
