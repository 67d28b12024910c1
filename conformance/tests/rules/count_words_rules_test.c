// SPDX-License-Identifier: BSD-3-Clause
/* Items whose count word went into the chunk, or is nowhere. */
#include "conformance/tests/support/nfs_rows.h"
#include "conformance/tests/support/translate.h"
#include "conformance/base/count.h"

static const struct play_row rows[] = {
    /* The item has no octets: the chunk is the count word alone. */
    {"V 3.4.4.1/count-stays @20 -> err-chunk,garbage-args",
     {READS("64", "4") NFS3("7") "4 0xf 0 0 0 0"},
     {CALL WRITE3("0")},
     NULL,
     NFS},
    {"V 3.4.4.1/count-stays @20 -> err-chunk,garbage-args",
     {READS("84", "9") COMPOUND("1", "2") "38 0 0 0 0 0 0 0 10",
      "= the payload lacks the count word of the item in the Read chunk at Position 84"},
     {READS("88", "5") COMPOUND("1", "2") WRITE4("5") "10"},
     NULL,
     NFS},
    /* Of the second item of two, and of both. */
    {"N rfc8267/6.4.2/one-read-chunk @44; V 3.4.4.1/count-stays @44 -> err-chunk,garbage-args",
     {TWO_READS("88", "5", "128", "8") COMPOUND("1", "2") WRITE4("5") "38 0 0 0 0 0 0 0"},
     {TWO_READS("88", "5", "132", "4") COMPOUND("1", "2") WRITE4("5") WRITE4("4")},
     "N rfc8267/6.4.2/one-read-chunk @44 -> process,err-chunk,garbage-args",
     NFS},
    {"N rfc8267/6.4.2/one-read-chunk @44; V 3.4.4.1/count-stays @20 -> err-chunk,garbage-args",
     {TWO_READS("84", "9", "128", "8") COMPOUND("1", "4") "38 *7 38 *7 10 10"},
     {TWO_READS("88", "5", "132", "4") COMPOUND("1", "4") WRITE4("5") WRITE4("4") "10 10"},
     "N rfc8267/6.4.2/one-read-chunk @44 -> process,err-chunk,garbage-args",
     NFS},
    /* What follows decodes as if nothing were missing: of its results nothing is said. */
    {"V 3.4.4.1/count-stays @20 -> err-chunk,garbage-args",
     {"> 7 1 32 0 1 88 0xa 5 0 0 0 " ONE("8") END COMPOUND("1", "2") "38 *7 15 10 1 1 0x10000"},
     {"> 7 1 32 0 1 88 0xa 5 0 0 0 " ONE("8") END COMPOUND("1", "2")
          WRITE4("5") "15 10 1 1 0x10000"},
     "N 4.3.2/write-list-not-needed @44 -> process",
     NFS},
    /* A Read chunk before it that is wrong itself is named instead. */
    {"N rfc8267/6.4.2/one-read-chunk @44; V 3.4.5.2/unpadded-chunk-length @52; "
     "V 6.1/only-eligible-reduced @20 -> err-chunk,garbage-args",
     {TWO_READS("60", "4", "100", "5") COMPOUND("1", "3") "22 4 38 *7 10",
      "= no item at Position 60 is eligible"},
     {READS("100", "5") COMPOUND("1", "3") PUTFH4 WRITE4("5") "10"},
     NULL,
     NFS},
    /* What follows is taken for the count word, which is nowhere. */
    {"V 3.4.4.1/count-stays @20 -> err-chunk,garbage-args",
     {READS("88", "5") COMPOUND("1", "2") "38 0 0 0 0 0 0 0 10"},
     {READS("88", "10") COMPOUND("1", "2") WRITE4("10") "10"},
     NULL,
     NFS},
    {"V 3.4.4.1/count-stays @20 -> err-chunk,garbage-args",
     {READS("84", "8") NFS2("13") "*8 4 0x61626364 0x1a4 *7"},
     {READS("84", "8") NFS2("13") "*8 4 0x61626364 8 0x1a4 *7"},
     NULL,
     NFS},
    /* An argument that lacks more is not said to lack its count. */
    {"V 3.4.4.1/count-stays @20 -> err-chunk,garbage-args",
     {READS("64", "12") NFS3("7") "4 0xf 0 0 8 0"},
     {READS("60", "12") NFS3("7") "4 0xf 0 0 8"},
     NULL,
     NFS},
    {"V 3.4.4.1/count-stays @24 -> terminate",
     {"> " WRITES ONE("64") END READ3("64"), "< " WRITES ONE("9") END DONE "0 0 5 1",
      "= the payload lacks the count word of the result in rdma_writes[0]"},
     {"> " WRITES ONE("64") END READ3("64"), "< " WRITES ONE("5") END READ3_DONE("5")},
     NULL,
     NFS},
    {"V 3.4.4.1/count-stays @24 -> terminate",
     {"> " WRITES ONE("64") END READLINK3, "< " WRITES ONE("9") END DONE "0 0"},
     {"> " WRITES ONE("64") END READLINK3, "< " WRITES ONE("3") END DONE "0 0"},
     NULL,
     NFS},
    /* A Reply that lacks another word has its count word where it should be, one word early. */
    {"V 3.4.4.1/count-stays @24 -> terminate",
     {"> " WRITES ONE("64") END NFS2("6") "*8 0 64 0", "< " WRITES ONE("9") END DONE "0 1 *16"},
     {"> " WRITES ONE("64") END NFS2("6") "*8 0 64 0", "< " WRITES ONE("5") END DONE "0 1 *15 5"},
     NULL,
     NFS},
    /* What follows is taken for the count word. */
    {"V 3.4.4.1/count-stays @24 -> terminate",
     {"> " WRITES ONE("64") END COMPOUND("1", "2") READ4("64") "10",
      "< " WRITES ONE("9") END COMPOUND_DONE("0", "2") "25 0 1 10 0 4 0xf"},
     {"> " WRITES ONE("64") END COMPOUND("1", "2") READ4("64") "10",
      "< " WRITES ONE("5") END COMPOUND_DONE("0", "2") READ4_DONE("5") "10 0 4 0xf"},
     NULL,
     NFS},
};
PLAY_ROWS(rows)

int main(void)
{
    return play_version1("count words", PLAY_NO_SCOPE, NULL);
}
