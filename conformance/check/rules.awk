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
    columns = split("id keyword level role message scope severity reaction test paraphrase", column, " ")
    for (i in register_words)
        words(i, register_words[i])
    split("level role message scope", enumerated, " ")
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

# The word of a column as a constant.
function constant(name, word) {
    if (name == "severity")
        return word == "-" ? "RPCRDMA_NO_SEVERITY" : "RPCRDMA_" toupper(word)
    gsub(/[^a-z]/, "_", word)
    return "RPCRDMA_" toupper(name) "_" toupper(word)
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
    print "#include <stdint.h>"
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
    print "/* How severe it is when a passive checker finds the requirement broken. */"
    print "enum rpcrdma_severity {"
    print "    RPCRDMA_NO_SEVERITY = -1, /* no passive checker applies it */"
    print "    RPCRDMA_NOTE,             /* legal but remarkable */"
    print "    RPCRDMA_WARNING,          /* a SHOULD, or what the text only implies */"
    print "    RPCRDMA_VIOLATION         /* a MUST, or the text leaves no other reading */"
    print "};"
    print ""
    print "/* The words of the register's columns, explained in spec/requirements/README.md. Each has a"
    print " * function that gives the word; another number has \"?\". */"
    for (i = 1; i <= 4; i++)
        enum_of(enumerated[i])
    print "/* A set: how the requirement is tested. */"
    print "enum rpcrdma_rule_test {"
    print "    RPCRDMA_TEST_PASSIVE = 1,   /* by looking on */"
    print "    RPCRDMA_TEST_RESPONDER = 2, /* against a live Responder */"
    print "    RPCRDMA_TEST_REQUESTER = 4  /* against a live Requester */"
    print "};"
    print ""
    print "/* What the register says of one requirement. No string is NULL. */"
    print "struct rpcrdma_requirement {"
    print "    const char *id;      /* document/section/slug */"
    print "    const char *keyword; /* of BCP 14, or lower-case, or derived */"
    print "    const char *text;    /* the requirement in our own words */"
    print "    const char *why_untested; /* empty where there are tests */"
    print "    enum rpcrdma_rule_level level;"
    print "    enum rpcrdma_rule_role role;       /* whom it binds */"
    print "    enum rpcrdma_rule_message message; /* which messages it is about */"
    print "    enum rpcrdma_rule_scope scope;     /* what has to be seen to judge it */"
    print "    enum rpcrdma_severity severity;"
    print "    uint32_t reactions; /* what a receiver is free to do: a set of enum rpcrdma_reaction */"
    print "    uint32_t tests;     /* a set of enum rpcrdma_rule_test */"
    print "    bool lacks_vectors; /* no vector shows it yet, though the checker applies it */"
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
        printf "    [%s] = {\n", enumerator(row[i, 1])
        printf "        .id = %s,\n        .keyword = %s,\n", string(row[i, 1]), string(row[i, 2])
        for (j = 1; j <= 4; j++)
            printf "        .%s = %s,\n", enumerated[j], constant(enumerated[j], row[i, 2 + j])
        printf "        .severity = %s,\n", constant("severity", row[i, 7])
        printf "        .reactions = 0x%x,\n", set_of("reaction", row[i, 8])
        printf "        .tests = 0x%x,\n", set_of("test", row[i, 9])
        printf "        .why_untested = %s,\n", string(why_untested(row[i, 9]))
        printf "        .text = %s,\n", string(row[i, 10])
        printf "        .lacks_vectors = %d,\n    },\n", row[i, 1] in unshown
    }
    print "};"
    for (i = 1; i <= 4; i++)
        names_of(enumerated[i])
}

function enum_of(name,    i, n, word) {
    n = split(register_words[name], word, ",")
    printf "enum rpcrdma_rule_%s {", name
    for (i = 1; i <= n; i++)
        printf "%s\n    %s", (i > 1 ? "," : ""), constant(name, word[i])
    printf "\n};\nRPCRDMA_API const char *rpcrdma_rule_%s_name(enum rpcrdma_rule_%s %s);\n\n", name, name, name
}

function names_of(name,    list) {
    list = register_words[name]
    gsub(/,/, "\", \"", list)
    printf "\nconst char *rpcrdma_rule_%s_name(enum rpcrdma_rule_%s %s)\n{\n", name, name, name
    printf "    static const char *const names[] = {\"%s\"};\n", list
    printf "    return (unsigned)%s < sizeof names / sizeof names[0] ? names[%s] : \"?\";\n}\n", name, name
}

# Of each draft: for each rule the one that holds in its place, and what it leaves open to a
# receiver. Rules of version 2 hold under their own ids.
function shared_rules(    i, k, as) {
    for (i = 2; i <= pairs; i++)
        for (k = 2; k <= 3; k++)
            holds[shared[i, 1], k] = shared[i, k]
    print "/*"
    print " * Which rules hold in the drafts of version 2."
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
}

function in_draft(id, k,    as) {
    as = holds[id, k]
    if (as == "=" || id ~ /^rpcrdma2-/)
        return enumerator(id)
    return as ~ /\// ? enumerator(as) : "RPCRDMA_RULES"
}

# Words in the order of their bits.
function set_of(name, list,    i, n, word, set) {
    n = split(register_words[name], word, ",")
    set = 0
    for (i = 1; i <= n; i++)
        if (index("," list ",", "," word[i] ","))
            set += 2 ^ (i - 1)
    return set
}

function why_untested(test) {
    return test ~ /^none: / ? substr(test, 7) : ""
}
