# SPDX-License-Identifier: BSD-3-Clause
# The names that NFS gives its procedures and operations, out of its XDR, as C tables by number; and
# the number of its program.
#
# usage: awk -f names.awk nfs2.x nfs3.x nfs4.x >nfs_names.h
#
# Callbacks have tables of their own: their program has the number that a client gives it.

function close_table() {
    if (table != "")
        print "};"
    table = ""
}

function open_table(name) {
    close_table()
    table = name
    printf "static const char *const %s[] = {\n", name
}

# "void NFSPROC3_NULL(void) = 0;" and, of NFS version 4, on a line of its own.
/^program NFS4?_PROGRAM / { in_program = 1 }
in_program && /^ *version / {
    for (number = 2; number <= 4; number++)
        if (FILENAME ~ ("nfs" number "[.]x$"))
            open_table("nfs" (of_version = number) "_procedures")
}
in_program && match($0, /NFSPROC[34]?_[A-Z0-9]+\(/) {
    name = substr($0, RSTART, RLENGTH - 1)
    sub(/^[^_]*_/, "", name)
    value = $NF
    sub(/;$/, "", value)
    printf "    [%d] = \"%s\",\n", value, name
}
in_program && /^}/ {
    in_program = 0
    close_table()
    program = $3
    sub(/;$/, "", program)
    printf "enum { NFS%d_PROGRAM = %s };\n", of_version, program
}

/^program NFS4_CALLBACK / { open_table("nfs4_callbacks") }
table == "nfs4_callbacks" && match($0, /CB_[A-Z]+\(/) {
    value = $NF
    sub(/;$/, "", value)
    printf "    [%d] = \"%s\",\n", value, substr($0, RSTART, RLENGTH - 1)
}
table == "nfs4_callbacks" && /^}/ { close_table() }

/^enum nfs_cb_opnum4 / { in_operations = 1; open_table("nfs4_callback_operations") }
/^enum nfs_opnum4 / { in_operations = 1; open_table("nfs4_operations") }
# OP_ILLEGAL is far from the others.
in_operations && /^ *OP_[A-Z0-9_]+ *= *[0-9]/ {
    value = $3
    sub(/,$/, "", value)
    if (value + 0 < 1000)
        printf "    [%d] = \"%s\",\n", value, substr($1, 4)
}
in_operations && /^}/ { in_operations = 0; close_table() }
