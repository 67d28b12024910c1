# SPDX-License-Identifier: BSD-3-Clause
# Compares runs of one suite: awk -v part=NAME -f compare.awk KNOWN RESULTS RESULTS...
# RESULTS: what one run wrote with --json. A verdict is how a test ended, event by event and rule by
# rule. Prints what is not the same in all runs, in how many a verdict is, and what is said of it. Exit status 1 if that is
# anything but what the list KNOWN leaves several endings, and what is now as required or as recorded,
# now another of the reactions that are open.

# The value of a member of a flat object on one line.
function member(name, value) {
    if (!match($0, "\"" name "\":(\"([^\"\\\\]|\\\\.)*\"|[^,}]*)"))
        return ""
    value = substr($0, RSTART + length(name) + 3, RLENGTH - length(name) - 3)
    gsub(/"/, "", value)
    return value
}

FNR == 1 { file++ }
file == 1 {
    if ($2 ~ /,/)
        either[$1] = 1
    next
}
/^\{"kind":"result"/ {
    test = member("test")
    event = member("event")
    place = test (event + 0 > 0 ? ":" event : "") " " member("rule")
    # The same rule twice in a test: by number.
    nth = ++count[file, place]
    place = place (nth > 1 ? " (" nth ")" : "")
    if (!(place in name)) {
        name[place] = test (event + 0 > 0 ? ":" event : "")
        order[++places] = place
    }
    ending = member("ending")
    seen[place, ending]++
    runs_with[place]++
    if (!((place, ending) in first)) {
        endings[place] = endings[place] (endings[place] ? " " : "") ending
        first[place, ending] = member("actual")
    }
}
END {
    runs = file - 1
    for (i = 1; i <= places; i++) {
        place = order[i]
        number = split(endings[place], list, " ")
        if (number == 1 && runs_with[place] == runs)
            continue
        text = ""
        for (j = 1; j <= number; j++)
            text = text (text ? ", " : "") list[j] " " seen[place, list[j]] " times"
        if (runs_with[place] < runs)
            text = text ", no result " (runs - runs_with[place]) " times"
        for (j = 1; j <= number; j++)
            if (list[j] != "as-required")
                text = text "; " list[j] ": " first[place, list[j]]
        either_way = runs_with[place] == runs && number == 2 &&
            (place, "as-required") in seen && (place, "tolerated") in seen
        why = either_way ? " (both are open)" : name[place] in either ? " (known)" : ""
        printf "live: %s: %s: %s%s\n", part, place, text, why
        differ += why == ""
    }
    exit(differ > 0)
}
