#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Apply a list of named, strict edits to an extracted XDR file.
#
# usage: repair.sh ERRATA < FILE.x > REPAIRED.x
#
# The format of ERRATA is described in README.md. The edits are applied in their order. One whose
# text is not there, or there another number of times than it says, or still there afterwards (it
# could be applied twice) ends the run: nothing is printed, the edit is named.
# Exit status: 0 done, 1 an edit or ERRATA is wrong, 2 wrong usage.

set -u

if [ $# -ne 1 ]; then
    echo "usage: repair.sh ERRATA < FILE.x > REPAIRED.x" >&2
    exit 2
fi
if [ ! -f "$1" ] || [ ! -r "$1" ]; then
    echo "repair.sh: $1: cannot be read" >&2
    exit 1
fi

# The name of ERRATA goes through the environment: -v would interpret its backslashes.
ERRATA=$1 LC_ALL=C awk '
    function die(message) {
        print "repair.sh: " message | "cat >&2"
        close("cat >&2")
        failed = 1
        exit 1
    }

    function syntax(message) {
        die(errata ":" line_number ": " message)
    }

    # --- Reading ERRATA ---

    function open_edit(name) {
        if (name !~ /^[a-z0-9][a-z0-9-]*$/)
            syntax("an edit is named in small letters, digits and hyphens")
        if (name in known)
            syntax("edit " name ": named twice")
        known[name] = 1
        current = ++edits
        edit_name[current] = name
        has_why = is_text = 0
        old_count[current] = new_count[current] = removed = added = 0
    }

    function close_edit(   body) {
        if (!current)
            return
        body = old_count[current] + new_count[current]
        if (!has_why)
            syntax("edit " edit_name[current] ": gives no reason (why)")
        if (!is_text && !body)
            syntax("edit " edit_name[current] ": changes nothing")
        if (!is_text && !old_count[current])
            syntax("edit " edit_name[current] ": says not where (no = or - line)")
        if (!is_text && !removed && !added)
            syntax("edit " edit_name[current] ": changes nothing")
        current = 0
    }

    # text TIMES "OLD" "NEW"
    function read_text(line,   rest, part) {
        if (is_text || old_count[current] + new_count[current])
            syntax("edit " edit_name[current] ": one action only")
        if (line !~ /^text [1-9][0-9]* "[^"]+" "[^"]*"$/)
            syntax("edit " edit_name[current] ": expected: text TIMES \"OLD\" \"NEW\"")
        is_text = 1
        rest = substr(line, 6)
        times[current] = substr(rest, 1, index(rest, " ") - 1) + 0
        split(rest, part, "\"")
        text_old[current] = part[2]
        text_new[current] = part[4]
    }

    function read_marked(mark, rest) {
        if (is_text)
            syntax("edit " edit_name[current] ": one action only")
        if (mark != "+")
            old_line[current, ++old_count[current]] = rest
        if (mark != "-")
            new_line[current, ++new_count[current]] = rest
        if (mark == "-")
            removed++
        if (mark == "+")
            added++
    }

    function read_errata(   line, got, mark) {
        while ((got = (getline line < errata)) > 0) {
            line_number++
            mark = substr(line, 1, 1)
            if (line == "" || mark == "#")
                close_edit()
            else if (line ~ /^edit /) {
                if (current)
                    syntax("an empty line ends an edit")
                open_edit(substr(line, 6))
            } else if (!current)
                syntax("expected: edit NAME")
            else if (line ~ /^why [^ ]/)
                has_why = 1
            else if (line ~ /^text /)
                read_text(line)
            else if (mark == "-" || mark == "+" || mark == "=")
                read_marked(mark, substr(line, 2))
            else
                syntax("expected why, text, or a line marked =, - or +")
        }
        if (got < 0)
            die(errata ": cannot be read")
        close_edit()
        if (!edits)
            die(errata ": holds no edit")
    }

    # --- Applying it ---

    # How often the old lines of edit e are in the text; the last place is left in "place".
    function find_lines(e,   at, i, found) {
        found = 0
        for (at = 1; at + old_count[e] - 1 <= lines; at++) {
            for (i = 1; i <= old_count[e]; i++)
                if (text[at + i - 1] != old_line[e, i])
                    break
            if (i > old_count[e]) {
                found++
                place = at
            }
        }
        return found
    }

    function count_text(old,   at, i, rest, found) {
        found = 0
        for (i = 1; i <= lines; i++)
            for (rest = text[i]; (at = index(rest, old)) > 0; found++)
                rest = substr(rest, at + length(old))
        return found
    }

    function replace_text(old, new,   at, i, rest, done) {
        for (i = 1; i <= lines; i++) {
            done = ""
            for (rest = text[i]; (at = index(rest, old)) > 0; rest = substr(rest, at + length(old)))
                done = done substr(rest, 1, at - 1) new
            text[i] = done rest
        }
    }

    function replace_lines(e,   i, from, shift) {
        from = place + old_count[e]
        shift = new_count[e] - old_count[e]
        if (shift > 0)
            for (i = lines; i >= from; i--)
                text[i + shift] = text[i]
        else if (shift < 0)
            for (i = from; i <= lines; i++)
                text[i + shift] = text[i]
        for (i = 1; i <= new_count[e]; i++)
            text[place + i - 1] = new_line[e, i]
        lines += shift
    }

    function apply(e,   expected, found) {
        expected = (e in times) ? times[e] : 1
        found = (e in times) ? count_text(text_old[e]) : find_lines(e)
        if (found != expected)
            die(errata ": edit " edit_name[e] ": its text is there " found " times, not " expected)
        if (e in times)
            replace_text(text_old[e], text_new[e])
        else
            replace_lines(e)
        found = (e in times) ? count_text(text_old[e]) : find_lines(e)
        if (found)
            die(errata ": edit " edit_name[e] ": its text is still there after it")
    }

    BEGIN {
        errata = ENVIRON["ERRATA"]
        read_errata()
    }

    { text[++lines] = $0 }

    END {
        if (failed)
            exit 1
        for (e = 1; e <= edits; e++)
            apply(e)
        for (i = 1; i <= lines; i++)
            print text[i]
    }'
