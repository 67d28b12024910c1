# SPDX-License-Identifier: BSD-3-Clause
# Count the BCP 14 keywords of specifications, section by section.
#
# usage: awk -f headings.awk -f keywords.awk rfc8166.txt ... >keywords.tsv
#
# The document is the name of the file without its folder and suffix, for a draft of version 2
# rpcrdma2 and the draft's number. Page breaks are taken out and the lines of a section joined first,
# as a keyword of two words can be on two lines. headings.awk knows the headings.

BEGIN {
    OFS = "\t"
    # The longer keywords first: MUST NOT is not a MUST as well.
    n = split("MUST NOT,SHALL NOT,SHOULD NOT,NOT RECOMMENDED,MUST,SHALL,SHOULD,REQUIRED,RECOMMENDED,MAY,OPTIONAL", keyword, ",")
    print "document", "section", "keyword", "occurrences"
}

function flush_section(    i, count) {
    text = " " text " "
    gsub(/[^A-Za-z0-9_]+/, " ", text)
    gsub(/ /, "  ", text) # so that neighbours do not share a blank
    for (i = 1; i <= n; i++) {
        word = keyword[i]
        gsub(/ /, "  ", word)
        count = gsub(" " word " ", " . ", text)
        if (count > 0)
            print document, section, keyword[i], count
    }
    text = ""
}

FNR == 1 {
    if (NR > 1)
        flush_section()
    document = document_of(FILENAME)
    section = "0"
}

is_page_break() {
    next
}

{
    name = heading()
    if (name != "") {
        flush_section()
        section = name
    }
    text = text " " $0
}

END { flush_section() }
