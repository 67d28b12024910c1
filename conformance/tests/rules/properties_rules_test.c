// SPDX-License-Identifier: BSD-3-Clause
/* The rules on transport properties: events of which the last breaks them, or nearly does. */
#include "conformance/tests/support/version2/rows.h"
#include "conformance/base/count.h"

#define CAPTURED(of)                                                                               \
    {                                                                                              \
        .draft = RPCRDMA_PROTOCOL_2_##of, .seen_between = true                                     \
    }

#define REFUSED "?> 9 2 40 4 3" /* by the client: BAD_PROPVAL */
#define GRANT(side) side " 0 2 40 5"
#define FINAL(side, set) side " 9 2 40 7 " set
#define MIDDLE(side, set) side " 9 2 40 6 " set
/* Properties of -07, one number each. */
#define SEND_SIZE(n) "1 1 4 " #n
#define RECEIVE_SIZE(n) "1 2 4 " #n
#define SEGMENT_SIZE(n) "1 3 4 " #n
#define SEGMENT_COUNT(n) "1 4 4 " #n
#define REVERSE(n) "1 5 4 " #n
/* A Call of this many words beyond 72 octets; one with a Write chunk of 1 or 17 segments. */
#define LONG_CALL(words) "> 7 2 40 10 0 none call *" #words
#define LONG_REPLY(words) "< 7 2 40 13 0 reply *" #words
#define WRITE_OF(length) "> 7 2 40 10 0 0 1 1 0xa " #length " 0 0 0 0 call"
#define SEGMENT(n) " " #n " 64 1 0x" #n "000"
#define EIGHT(n)                                                                                   \
    SEGMENT(n##0)                                                                                  \
    SEGMENT(n##1)                                                                                  \
    SEGMENT(n##2)                                                                                  \
    SEGMENT(n##3)                                                                                  \
    SEGMENT(n##4) SEGMENT(n##5) SEGMENT(n##6) SEGMENT(n##7)
#define SIXTEEN_SEGMENTS "> 7 2 40 10 0 0 1 16" EIGHT(1) EIGHT(2) " 0 0 call"
#define SEVENTEEN_SEGMENTS "> 7 2 40 10 0 0 1 17" EIGHT(1) EIGHT(2) SEGMENT(30) " 0 0 call"

static const struct play_row rows_07[] = {
    /* ---- values ---- */
    {"V " ID "5.1/value-form @24 -> process,err-bad-propval",
     {OPEN, FINAL(">", "1 2 2 0"),
      "= the value of property 2 has 2 octets, too few for what it is"},
     {OPEN, FINAL(">", "1 2 4 8192")},
     NULL,
     DRAFT_07},
    /* An empty value is the default, an unknown one can have any. */
    {"V " ID "5.1/value-form @24 -> process,err-bad-propval",
     {OPEN, FINAL(">", "1 5 3 0"),
      "= the value of property 5 has 3 octets, too few for what it is"},
     {OPEN, FINAL(">", "2 2 0 0x7fffffff 3 0")},
     NULL,
     DRAFT_07},
    /* Authentication has a count of its own. */
    {"V " ID "5.1/value-form @24 -> process,err-bad-propval",
     {OPEN, FINAL(">", "1 6 8 5 0")},
     {OPEN, FINAL(">", "1 6 8 4 0")},
     NULL,
     DRAFT_07},
    {"W " ID "5.1/value-too-long @24 -> process,err-bad-propval",
     {OPEN, FINAL(">", "1 2 8 8192 0"), "= the value of property 2 has 8 octets; a number has 4"},
     {OPEN, FINAL(">", "1 2 4 8192")},
     NULL,
     DRAFT_07},
    {"N " ID "5.1/property-twice @40 -> process",
     {OPEN, FINAL(">", "2 2 4 8192 2 4 9000"), "= property 2 is 9000 here and was 8192 before"},
     {OPEN, FINAL(">", "2 2 4 8192 2 4 8192")},
     NULL,
     DRAFT_07},
    {"N " ID "5.1/property-twice @28 -> process",
     {OPEN, MIDDLE(">", RECEIVE_SIZE(8192)), FINAL(">", RECEIVE_SIZE(9000))},
     {OPEN, MIDDLE(">", "1 6 4 0"), FINAL(">", "1 6 8 4 0")},
     NULL,
     DRAFT_07},
    {"N " ID "5.2.2/receive-size-small @28 -> process",
     {OPEN, FINAL(">", RECEIVE_SIZE(4095)),
      "= the Receive Buffer Size is 4095, less than the 4096 octets of the default"},
     {OPEN, FINAL(">", RECEIVE_SIZE(4096))},
     NULL,
     DRAFT_07},
    {"N " ID "5.2.5/reverse-value-defined @28 -> process,err-bad-propval",
     {OPEN, FINAL(">", REVERSE(4)), "= Reverse-Direction Support is 4, which stands for nothing"},
     {OPEN, FINAL(">", REVERSE(3))},
     NULL,
     DRAFT_07},

    /* ---- the sequence ---- */
    {"V " ID "6.3.3/properties-continue @12 -> err-inval-cont",
     {OPEN, MIDDLE(">", RECEIVE_SIZE(8192)), CALL(2),
      "= a message of type 10, where more properties were to follow"},
     {OPEN, MIDDLE(">", RECEIVE_SIZE(8192)), FINAL(">", "0"), CALL(2)},
     NULL,
     DRAFT_07},
    {"V " ID "6.3.3/properties-continue @12 -> err-inval-cont",
     {OPEN, MIDDLE(">", "0"), MIDDLE(">", "0"), CALL(2)},
     {OPEN, CALL(2), MIDDLE(">", "0"), REPLY(2)},
     NULL,
     DRAFT_07},
    {"W " ID "6.3.6/control-between @12 -> process,err-inval-cont",
     {OPEN, MIDDLE(">", "0"), GRANT(">"), "= a message of type 5 between the pieces of another"},
     {OPEN, MIDDLE(">", "0"), GRANT("<")},
     NULL,
     DRAFT_07},
    {"V " ID "6.3.4/nothing-after-final @12 -> err-inval-cont",
     {OPEN, FINAL(">", "0"), FINAL(">", "0")},
     {OPEN, FINAL(">", "0"), FINAL("<", "0")},
     NULL,
     DRAFT_07},
    {"V " ID "6.3.4/nothing-after-final @12 -> err-inval-cont",
     {OPEN, FINAL(">", "0"), CALL(2), MIDDLE(">", "0")},
     {OPEN, MIDDLE(">", "0"), FINAL(">", "0")},
     NULL,
     DRAFT_07},
    {"W " ID "6.3.4/final-after-refused @12 -> process,err-inval-cont",
     {OPEN, "?" FINAL(">", "1 2 2 0"), "< 9 2 40 4 3", FINAL(">", RECEIVE_SIZE(8192))},
     {OPEN, MIDDLE(">", "0"), FINAL(">", RECEIVE_SIZE(8192))},
     NULL,
     DRAFT_07},
    {"W " ID "6.3.4/final-after-refused @12 -> process,err-inval-cont",
     {OPEN, FINAL(">", RECEIVE_SIZE(8192)), "< 9 2 40 4 100", FINAL(">", RECEIVE_SIZE(9000))},
     {OPEN, FINAL(">", RECEIVE_SIZE(8192)), "< 9 2 40 4 100", CALL(2)},
     NULL,
     DRAFT_07},

    /* ---- what follows: the length of Sends ---- */
    {"V " ID "5.2.2/send-within-receive-size -> process,close",
     {OPEN, FINAL("<", RECEIVE_SIZE(8192)), LONG_CALL(2031),
      "= the Send has 8196 octets; the limit is 8192"},
     {OPEN, FINAL("<", RECEIVE_SIZE(8192)), LONG_CALL(2030)},
     NULL,
     DRAFT_07},
    {"V " ID "4.2.2/send-within-default -> process,close",
     {OPEN, LONG_CALL(1007), "= the Send has 4100 octets; the limit is 4096"},
     {OPEN, LONG_CALL(1006)},
     NULL,
     DRAFT_07},
    /* A message with a bad value that was refused tells nothing; who does not know the property
     * takes the others. */
    {"V " ID "4.2.2/send-within-default -> process,close",
     {OPEN, "?" FINAL("<", "2 2 4 8192 5 2 0"), REFUSED, LONG_CALL(1007)},
     {OPEN, "?" FINAL("<", "2 2 4 8192 5 2 0"), LONG_CALL(1007)},
     NULL,
     DRAFT_07},
    {"V " ID "5.2.2/send-within-receive-size -> process,close",
     {OPEN, "?" FINAL("<", "2 2 4 8192 5 2 0"), CALL(2), LONG_CALL(2031)},
     {OPEN, "?" FINAL("<", "2 2 4 8192 5 2 0"), CALL(2), LONG_CALL(2030)},
     NULL,
     DRAFT_07},
    /* Nobody takes the bad value itself. */
    {"V " ID "4.2.2/send-within-default -> process,close",
     {OPEN, "?" FINAL("<", "1 2 2 0"), LONG_CALL(1007)},
     {OPEN, "?" FINAL("<", "1 2 2 0"), LONG_CALL(1006)},
     NULL,
     DRAFT_07},
    /* Refused is one message, and not those before it. */
    {"V " ID "5.2.2/send-within-receive-size -> process,close",
     {OPEN, MIDDLE("<", RECEIVE_SIZE(8192)), "?" FINAL("<", "2 2 4 9000 5 2 0"), REFUSED, CALL(2),
      LONG_CALL(2031)},
     {OPEN, MIDDLE("<", RECEIVE_SIZE(8192)), "?" FINAL("<", "2 2 4 9000 5 2 0"), REFUSED, CALL(2),
      LONG_CALL(2030)},
     NULL,
     DRAFT_07},
    /* Told again, it is sure. */
    {"V " ID "5.2.2/send-within-receive-size -> process,close",
     {OPEN, "?" MIDDLE("<", "2 2 4 9000 5 2 0"), FINAL("<", RECEIVE_SIZE(8192)), CALL(2),
      LONG_CALL(2031)},
     {OPEN, "?" MIDDLE("<", "2 2 4 9000 5 2 0"), FINAL("<", RECEIVE_SIZE(8192)), CALL(2),
      LONG_CALL(2030)},
     NULL,
     DRAFT_07},
    /* An empty value takes it back. */
    {"V " ID "4.2.2/send-within-default -> process,close",
     {OPEN, FINAL("<", "2 2 4 8192 2 0"), CALL(2), LONG_CALL(1007)},
     {OPEN, FINAL("<", "2 2 4 8192 2 0"), LONG_CALL(1007)},
     NULL,
     DRAFT_07},
    /* A smaller size may be late for one Send; seen from between, until it was surely there. */
    {"V " ID "5.2.2/send-within-receive-size -> process,close",
     {OPEN, "?" FINAL("<", RECEIVE_SIZE(2048)), CALL(2), LONG_CALL(1006),
      "= the Send has 4096 octets; the limit is 2048"},
     {OPEN, "?" FINAL("<", RECEIVE_SIZE(2048)), LONG_CALL(1006)},
     NULL,
     DRAFT_07},
    /* 1024 octets may be sent even to who told less: a client's first Send may have as many. */
    {"V " ID "5.2.2/send-within-receive-size -> process,close",
     {OPEN, "?" FINAL("<", RECEIVE_SIZE(512)), CALL(2), LONG_CALL(239),
      "= the Send has 1028 octets; the limit is 1024"},
     {OPEN, "?" FINAL("<", RECEIVE_SIZE(512)), CALL(2), LONG_CALL(238)},
     NULL,
     DRAFT_07},
    {"V " ID "5.2.2/send-within-receive-size -> process,close",
     {OPEN, CALL(2), "?" FINAL("<", RECEIVE_SIZE(2048)), REPLY(2), "< 3 2 40 10 0 none call",
      "> 3 2 40 13 0 reply", LONG_CALL(1006)},
     {OPEN, CALL(2), "?" FINAL("<", RECEIVE_SIZE(2048)), REPLY(2), CALL(3), LONG_CALL(1006)},
     NULL,
     {.draft = RPCRDMA_PROTOCOL_2_07, .seen_between = true, .reverse_direction = true}},
    /* An error for an XID whose message was forgotten may refuse a size, or something else. */
    {"V " ID "5.2.2/send-within-receive-size -> process,close",
     {OPEN, MIDDLE("<", RECEIVE_SIZE(5000)), "?" FINAL("<", RECEIVE_SIZE(9000)), CALL(2), CALL(3),
      "> 9 2 40 4 100", LONG_CALL(2233)},
     {OPEN, MIDDLE("<", RECEIVE_SIZE(5000)), "?" FINAL("<", RECEIVE_SIZE(9000)), CALL(2), CALL(3),
      "> 9 2 40 4 100", LONG_CALL(2232)},
     NULL,
     {.draft = RPCRDMA_PROTOCOL_2_07, .seen_between = true, .max_calls = 1}},
    {"W " ID "6.3.4/within-default -> process,close",
     {OPEN, FINAL("<", RECEIVE_SIZE(8192)), FINAL(">", "1 99 4072 *1018"),
      "= the Send has 4100 octets; the limit is 4096"},
     {OPEN, FINAL("<", RECEIVE_SIZE(8192)), FINAL(">", "1 99 4068 *1017")},
     NULL,
     DRAFT_07},
    {"W " ID "5.2.1/send-within-own-size -> process,close",
     {OPEN, FINAL("<", RECEIVE_SIZE(8192)), FINAL(">", SEND_SIZE(2048)), LONG_CALL(495),
      "= the Send has 2052 octets; the limit is 2048"},
     {OPEN, FINAL("<", RECEIVE_SIZE(8192)), FINAL(">", SEND_SIZE(2048)), LONG_CALL(494)},
     NULL,
     DRAFT_07},
    {"W " ID "5.2.1/send-within-own-size -> process,close",
     {OPEN, FINAL("<", RECEIVE_SIZE(8192)), MIDDLE(">", SEND_SIZE(2048)), FINAL(">", "0"),
      LONG_CALL(495)},
     {OPEN, FINAL("<", RECEIVE_SIZE(8192)), MIDDLE(">", SEND_SIZE(2048)),
      "?" FINAL(">", "2 1 4 4096 5 2 0"), LONG_CALL(495)},
     NULL,
     DRAFT_07},

    /* ---- and segments ---- */
    {"W " ID "5.2.3/segment-within-told @36 -> process,err-segments,err-system",
     {OPEN, FINAL("<", SEGMENT_SIZE(4096)), WRITE_OF(4097),
      "= a segment of 4097 octets; the other side told a most of 4096"},
     {OPEN, FINAL("<", SEGMENT_SIZE(4096)), WRITE_OF(4096)},
     NULL,
     DRAFT_07},
    /* Of several the longest; of equal ones the first. */
    {"W " ID "5.2.3/segment-within-told @36 -> process,err-segments,err-system",
     {OPEN, FINAL("<", SEGMENT_SIZE(4096)),
      "> 7 2 40 10 0 0 1 2 0xa 4097 0 0 0xb 4097 0 0 0 0 call"},
     {OPEN, FINAL("<", SEGMENT_SIZE(4096)),
      "> 7 2 40 10 0 0 1 2 0xa 4096 0 0 0xb 4096 0 0 0 0 call"},
     NULL,
     DRAFT_07},
    {"W " ID "5.2.3/segment-within-told @52 -> process,err-segments,err-system",
     {OPEN, FINAL("<", SEGMENT_SIZE(4096)),
      "> 7 2 40 10 0 0 1 3 0xa 4097 0 0 0xb 4098 0 0 0xc 4098 0 0 0 0 call"},
     {OPEN, FINAL("<", SEGMENT_SIZE(4098)),
      "> 7 2 40 10 0 0 1 3 0xa 4097 0 0 0xb 4098 0 0 0xc 4098 0 0 0 0 call"},
     NULL,
     DRAFT_07},
    /* It may not have arrived. */
    {"N " ID "5.2.3/segment-above-default @36 -> process",
     {OPEN, WRITE_OF(1048577),
      "= a segment of 1048577 octets; the other side told no most, and the default is 1048576"},
     {OPEN, FINAL("<", SEGMENT_SIZE(4096)), WRITE_OF(4097)},
     NULL,
     CAPTURED(07)},
    {"N " ID "5.2.3/segment-above-default @36 -> process",
     {OPEN, WRITE_OF(1048577)},
     {OPEN, WRITE_OF(1048576)},
     NULL,
     DRAFT_07},
    {"W " ID "5.2.4/segments-within-told -> process,err-segments",
     {OPEN, FINAL("<", SEGMENT_COUNT(16)), SEVENTEEN_SEGMENTS,
      "= 17 segments; the other side told a most of 16"},
     {OPEN, FINAL("<", SEGMENT_COUNT(17)), SEVENTEEN_SEGMENTS},
     NULL,
     DRAFT_07},
    /* What comes with an invalid value may not be enforced. */
    {"W " ID "5.2.3/segment-within-told @36 -> process,err-segments,err-system",
     {OPEN, MIDDLE("<", SEGMENT_SIZE(4096)), FINAL("<", "0"), WRITE_OF(4097)},
     {OPEN, MIDDLE("<", SEGMENT_SIZE(4096)), "?" FINAL("<", "2 3 4 8192 5 2 0"), WRITE_OF(8193)},
     NULL,
     DRAFT_07},
    {"N " ID "5.2.3/segment-above-default @36 -> process",
     {OPEN, "?" FINAL("<", "2 4 4 32 5 2 0"), WRITE_OF(1048577)},
     {OPEN, "?" FINAL("<", "2 3 4 8388608 5 2 0"), WRITE_OF(1048577)},
     NULL,
     DRAFT_07},
    {"N " ID "5.2.4/segments-above-default -> process,err-segments",
     {OPEN, "?" FINAL("<", "2 3 4 32 5 2 0"), SEVENTEEN_SEGMENTS,
      "= 17 segments; the other side told no most, and the default is 16"},
     {OPEN, "?" FINAL("<", "2 4 4 32 5 2 0"), SEVENTEEN_SEGMENTS},
     NULL,
     DRAFT_07},
    {"V " ID "4.6.3/peer-refused -> process,discard,close,err-inval-htype,err-system",
     {OPEN, FINAL(">", REVERSE(0)), CALL(2), REPLY(2), "< 3 2 40 10 0 none call"},
     {OPEN, MIDDLE(">", REVERSE(0)), "?" FINAL(">", "2 5 4 1 3 2 0"), CALL(2), REPLY(2),
      "< 3 2 40 10 0 none call"},
     NULL,
     DRAFT_07},
    {"N " ID "5.2.4/segments-above-default -> process,err-segments",
     {OPEN, SEVENTEEN_SEGMENTS},
     {OPEN, SIXTEEN_SEGMENTS},
     NULL,
     DRAFT_07},
};

/* Draft -04: CONNPROP 6, REQPROP 7, RESPROP 8, UPDPROP 9; RBSIZ 1, BRS 2. */
#define TELL(side, set, subset) side " 9 2 32 6 " set " " subset
#define ASK(side, set) side " 8 2 32 7 " set
#define UPDATE(side, set) side " 9 2 32 9 " set
#define RESPOND(side, done, rejected, others) side " 8 2 32 8 " done " " rejected " " others
#define SIZE(n) "1 1 4 " #n
#define ASK_AS(xid, set) "> " #xid " 2 32 7 " set
#define DONE_AS(xid, done) "< " #xid " 2 32 8 1 " #done " 0 0"
#define THREE_TO_EIGHT " 3 4 0 4 4 0 5 4 0 6 4 0 7 4 0 8 4 0"
#define TWENTY                                                                                     \
    "20 1 4 9000 2 4 1" THREE_TO_EIGHT " 9 4 0 10 4 0 11 4 0 12 4 0 13 4 0 14 4 0 15 4 0 16 4 0 "  \
    "17 4 0 18 4 0 19 4 0 20 4 0"
#define EITHER_WAY "process,err-invalid-proc,err-invalid-option"

static const struct play_row rows_04[] = {
    {"V " ID_04 "5.1.1/value-form @24 -> process,err-bad-xdr,err-invalid-proc,err-invalid-option",
     {OPEN_04, TELL(">", "1 1 2 0", "0"),
      "= the value of property 1 has 2 octets, too few for what it is"},
     {OPEN_04, TELL(">", "1 3 2 0", "0")},
     "-> " EITHER_WAY,
     DRAFT_04},
    {"W " ID_04
     "5.1.1/value-too-long @24 -> process,err-bad-xdr,err-invalid-proc,err-invalid-option",
     {OPEN_04, TELL(">", "1 1 8 8192 0", "0"),
      "= the value of property 1 has 8 octets; a number has 4"},
     {OPEN_04, TELL(">", "1 1 4 8192", "0")},
     "-> " EITHER_WAY,
     DRAFT_04},
    {"V " ID_04 "2.3/send-within-threshold -> process,close",
     {OPEN_04, TELL("<", SIZE(8192), "0"), "> 7 2 32 0 0 0 none call *2030",
      "= the Send has 8196 octets; the limit is 8192"},
     {OPEN_04, TELL("<", SIZE(8192), "0"), "> 7 2 32 0 0 0 none call *2029"},
     NULL,
     DRAFT_04},
    {"V " ID_04 "2.3/send-above-default -> process,close",
     {OPEN_04, "> 7 2 32 0 0 0 none call *1006", "= the Send has 4100 octets; the limit is 4096"},
     {OPEN_04, "> 7 2 32 0 0 0 none call *1005"},
     NULL,
     DRAFT_04},

    /* ---- changes ---- */
    {"W " ID_04 "5.2.1/size-shrinks-unasked @28 -> " EITHER_WAY,
     {OPEN_04, TELL("<", SIZE(8192), "0"), UPDATE("<", SIZE(8191)),
      "= the Receive Buffer Size falls from 8192 to 8191 unrequested"},
     {OPEN_04, TELL("<", SIZE(8192), "0"), ASK(">", SIZE(8191)), UPDATE("<", SIZE(8191))},
     "-> " EITHER_WAY,
     DRAFT_04},
    {"W " ID_04 "5.2.1/size-shrinks-unasked @28 -> " EITHER_WAY,
     {OPEN_04, TELL("<", SIZE(8192), "0"), UPDATE("<", SIZE(8191))},
     {OPEN_04, TELL("<", SIZE(8192), "0"), UPDATE("<", SIZE(9000))},
     "-> " EITHER_WAY,
     DRAFT_04},
    {"W " ID_04 "5.2.1/asked-size-kept -> process",
     {OPEN_04, TELL("<", SIZE(8192), "0"), ASK(">", SIZE(2048)), "> 7 2 32 0 0 0 none call *494",
      "= the Send has 2052 octets; its sender asked for a size of 2048"},
     {OPEN_04, TELL("<", SIZE(8192), "0"), ASK(">", SIZE(2048)), "> 7 2 32 0 0 0 none call *493"},
     NULL,
     DRAFT_04},
    /* A new size of the other side is no answer, and yet the last word; another property is not. */
    {"W " ID_04 "5.2.1/asked-size-kept -> process",
     {OPEN_04, TELL("<", SIZE(8192), "0"), ASK(">", SIZE(2048)), UPDATE("<", "1 2 4 1"),
      "> 7 2 32 0 0 0 none call *494"},
     {OPEN_04, TELL("<", SIZE(8192), "0"), ASK(">", SIZE(2048)), UPDATE("<", SIZE(8192)),
      "> 7 2 32 0 0 0 none call *494"},
     NULL,
     DRAFT_04},
    {"W " ID_04 "5.2.1/asked-size-kept -> process",
     {OPEN_04, TELL("<", SIZE(8192), "0"), ASK(">", SIZE(2048)), "> 7 2 32 0 0 0 none call *494"},
     {OPEN_04, TELL("<", SIZE(8192), "0"), ASK(">", SIZE(2048)), RESPOND("<", "0", "1 1", "0"),
      "> 7 2 32 0 0 0 none call *494"},
     NULL,
     DRAFT_04},
    {"W " ID_04 "5.3.1/constant-kept @28 -> " EITHER_WAY,
     {OPEN_04, TELL("<", SIZE(8192), "1 0x80000001"), UPDATE("<", SIZE(9000)),
      "= property 1 changes from 8192 to 9000, and this side has called it constant"},
     {OPEN_04, TELL("<", SIZE(8192), "1 2"), UPDATE("<", SIZE(9000))},
     "-> " EITHER_WAY,
     DRAFT_04},
    /* From the other end of the word the bit stands for nothing. */
    {"W " ID_04 "5.3.1/constant-kept @28 -> " EITHER_WAY,
     {OPEN_04, TELL("<", SIZE(8192), "1 1"), UPDATE("<", SIZE(9000))},
     {OPEN_04, TELL("<", SIZE(8192), "0"), UPDATE("<", SIZE(9000))},
     "-> " EITHER_WAY,
     DRAFT_04},
    {"W " ID_04 "5.3.1/constant-kept @28 -> " EITHER_WAY,
     {OPEN_04, TELL("<", SIZE(8192), "1 0x80000000"), UPDATE("<", SIZE(9000))},
     {OPEN_04, TELL("<", SIZE(8192), "1 0x40000000"), UPDATE("<", SIZE(9000))},
     "-> " EITHER_WAY,
     DRAFT_04},
    {"W " ID_04 "5.3.1/left-out-kept @28 -> " EITHER_WAY,
     {OPEN_04, TELL("<", "1 2 4 1", "0"), UPDATE("<", SIZE(9000)),
      "= property 1 changes to 9000, and the CONNPROP of this side left it out"},
     {OPEN_04, TELL("<", "1 2 4 1", "0"), UPDATE("<", SIZE(4096))},
     "-> " EITHER_WAY,
     DRAFT_04},
    {"W " ID_04 "5.3.1/left-out-kept @28 -> " EITHER_WAY,
     {OPEN_04, TELL("<", "1 2 4 1", "0"), UPDATE("<", SIZE(9000))},
     {OPEN_04, UPDATE("<", SIZE(9000))},
     "-> " EITHER_WAY,
     DRAFT_04},
    {"W " ID_04 "5.3.1/left-out-not-requested @28 -> " EITHER_WAY,
     {OPEN_04, TELL("<", "1 2 4 1", "0"), ASK(">", SIZE(9000)),
      "= property 1, which the CONNPROP of the other side left out"},
     {OPEN_04, TELL("<", SIZE(8192), "0"), ASK(">", SIZE(9000))},
     "-> " EITHER_WAY,
     DRAFT_04},
    {"W " ID_04 "5.3.1/left-out-not-requested @28 -> " EITHER_WAY,
     {OPEN_04, CALL_04(2), TELL("<", "1 2 4 1", "0"), REPLY_04(2), "< 3 2 32 0 0 0 none call",
      "> 3 2 32 0 1 0 none reply", ASK(">", SIZE(9000))},
     {OPEN_04, CALL_04(2), TELL("<", "1 2 4 1", "0"), REPLY_04(2), ASK(">", SIZE(9000))},
     "-> " EITHER_WAY,
     {.draft = RPCRDMA_PROTOCOL_2_04, .seen_between = true, .reverse_direction = true}},
    /* What was answered was sent before the CONNPROP. */
    {"W " ID_04 "5.3.1/left-out-not-requested @28 -> " EITHER_WAY,
     {OPEN_04, TELL("<", "0", "0"), "< 3 2 32 0 0 0 none call", "> 3 2 32 0 1 0 none reply",
      ASK(">", SIZE(9000))},
     {OPEN_04, "< 3 2 32 0 0 0 none call", TELL("<", "0", "0"), "> 3 2 32 0 1 0 none reply",
      ASK(">", SIZE(9000))},
     "-> " EITHER_WAY,
     {.draft = RPCRDMA_PROTOCOL_2_04, .seen_between = true, .reverse_direction = true}},
    /* Of sizes that fall the largest holds until the other side has heard of the last. */
    {"V " ID_04 "2.3/send-within-threshold -> process,close",
     {OPEN_04, TELL("<", SIZE(9000), "0"), "?" UPDATE("<", SIZE(8192)), "?" UPDATE("<", SIZE(4096)),
      "> 7 2 32 0 0 0 none call *2232"},
     {OPEN_04, TELL("<", SIZE(9000), "0"), "?" UPDATE("<", SIZE(8192)), "?" UPDATE("<", SIZE(4096)),
      "> 7 2 32 0 0 0 none call *2231"},
     NULL,
     DRAFT_04},

    /* What else a message with an invalid value says is uncertain. */
    {"V " ID_04 "2.3/send-within-threshold -> process,close",
     {OPEN_04, "?" TELL("<", "2 1 4 8192 2 4 3", "0"), "> 7 2 32 0 0 0 none call *2030"},
     {OPEN_04, "?" TELL("<", "2 1 4 8192 2 4 3", "0"), "> 7 2 32 0 0 0 none call *2029"},
     NULL,
     DRAFT_04},
    {"W " ID_04 "5.3.1/left-out-kept @28 -> " EITHER_WAY,
     {OPEN_04, TELL("<", "1 2 4 1", "0"), UPDATE("<", SIZE(9000))},
     {OPEN_04, TELL("<", "1 2 4 1", "0"), "?" TELL("<", "2 1 4 8192 2 4 3", "0"),
      UPDATE("<", SIZE(9000))},
     "-> " EITHER_WAY,
     DRAFT_04},
    {"W " ID_04 "5.2.1/size-shrinks-unasked @28 -> " EITHER_WAY,
     {OPEN_04, TELL("<", SIZE(8192), "0"), UPDATE("<", SIZE(8191))},
     {OPEN_04, TELL("<", SIZE(8192), "0"), "?" ASK(">", "2 1 4 8191 2 4 3"),
      UPDATE("<", SIZE(8191))},
     "-> " EITHER_WAY,
     DRAFT_04},
    {"W " ID_04 "5.2.1/size-shrinks-unasked @28 -> " EITHER_WAY,
     {OPEN_04, TELL("<", SIZE(8192), "0"), UPDATE("<", SIZE(8191))},
     {OPEN_04, TELL("<", SIZE(8192), "0"), "?" UPDATE("<", "2 1 4 8000 2 4 3"),
      UPDATE("<", SIZE(8100))},
     "-> " EITHER_WAY,
     DRAFT_04},
    {"W " ID_04 "5.2.1/asked-size-kept -> process",
     {OPEN_04, TELL("<", SIZE(8192), "0"), ASK(">", SIZE(2048)), "> 7 2 32 0 0 0 none call *494"},
     {OPEN_04, TELL("<", SIZE(8192), "0"), ASK(">", SIZE(2048)),
      "?" RESPOND("<", "0", "1 1", "1 2 4 3"), "> 7 2 32 0 0 0 none call *494"},
     NULL,
     DRAFT_04},
    {"V " ID_04 "2.3/send-within-threshold -> process,close",
     {OPEN_04, TELL("<", "2 1 4 4096 2 4 1", "0"), ASK(">", "2 1 4 8192 2 4 1"),
      RESPOND("<", "0", "1 3", "0"), "> 7 2 32 0 0 0 none call *2029",
      "= the Send has 8192 octets; the limit is 4096"},
     {OPEN_04, TELL("<", "2 1 4 4096 2 4 1", "0"), ASK(">", "2 1 4 8192 2 4 1"),
      "?" RESPOND("<", "1 1", "0", "1 2 4 3"), "> 7 2 32 0 0 0 none call *2029"},
     NULL,
     DRAFT_04},

    /* Nor what size a response with such a value has brought. */
    {"W " ID_04 "5.2.1/size-shrinks-unasked @28 -> " EITHER_WAY,
     {OPEN_04, TELL("<", "2 1 4 8192 2 4 1", "0"), ASK(">", "1 2 4 1"),
      RESPOND("<", "1 1", "0", "0"), UPDATE("<", SIZE(8191))},
     {OPEN_04, TELL("<", "2 1 4 8192 2 4 1", "0"), ASK(">", "1 2 4 1"),
      "?" RESPOND("<", "0", "0", "1 2 4 3"), UPDATE("<", SIZE(8191))},
     "-> " EITHER_WAY,
     DRAFT_04},

    /* ---- responses ---- */
    {"W " ID_04 "5.3.3/response-matches @0 -> process,discard",
     {OPEN_04, RESPOND("<", "1 1", "0", "0"), "= no request of the other side with XID 0x8 waits"},
     {OPEN_04, "?" ASK(">", "2 1 4 8191 2 4 3"), RESPOND("<", "1 1", "0", "0")},
     NULL,
     DRAFT_04},
    {"W " ID_04 "5.3.3/response-matches @0 -> process,discard",
     {OPEN_04, RESPOND("<", "0", "0", "0")},
     {OPEN_04, ASK(">", SIZE(9000)), RESPOND("<", "1 1", "0", "0")},
     NULL,
     DRAFT_04},
    {"W " ID_04 "5.3.3/response-matches @0 -> process,discard",
     {OPEN_04, ASK(">", SIZE(9000)), RESPOND("<", "1 1", "0", "0"), RESPOND("<", "1 1", "0", "0")},
     {OPEN_04, "> gap", RESPOND("<", "1 1", "0", "0")},
     NULL,
     DRAFT_04},
    {"V " ID_04 "5.3.3/other-was-requested @40 -> process",
     {OPEN_04, ASK(">", SIZE(9000)), RESPOND("<", "1 1", "0", "1 2 4 1"),
      "= property 2 is given another value, and was not in the request"},
     {OPEN_04, ASK(">", SIZE(9000)), RESPOND("<", "0", "0", "1 1 4 8000")},
     NULL,
     DRAFT_04},
    {"V " ID_04 "5.3.3/subsets-apart @16 -> process",
     {OPEN_04, ASK(">", SIZE(9000)), RESPOND("<", "1 1", "1 1", "0")},
     {OPEN_04, ASK(">", "2 1 4 9000 2 4 1"), RESPOND("<", "1 1", "1 2", "0")},
     NULL,
     DRAFT_04},
    /* By either order of bits. */
    {"V " ID_04 "5.3.3/subsets-apart @16 -> process",
     {OPEN_04, ASK(">", SIZE(9000)), RESPOND("<", "1 0x80000000", "0", "1 1 4 8000")},
     {OPEN_04, ASK(">", "2 1 4 9000 2 4 1"), RESPOND("<", "1 0x80000000", "1 0x40000000", "0")},
     NULL,
     DRAFT_04},
    {"W " ID_04 "5.3.3/subsets-cover @16 -> process",
     {OPEN_04, ASK(">", "2 1 4 9000 2 4 1"), RESPOND("<", "1 1", "0", "0"),
      "= of the 2 properties of the request some are neither done, rejected nor other"},
     {OPEN_04, ASK(">", "2 1 4 9000 2 4 1"), RESPOND("<", "1 1", "0", "1 2 4 1")},
     NULL,
     DRAFT_04},
    /* Of more than eight the checker does not remember which they were. */
    {"W " ID_04 "5.3.3/subsets-cover @16 -> process",
     {OPEN_04, ASK(">", "8 1 4 9000 2 4 1" THREE_TO_EIGHT), RESPOND("<", "1 0x7f", "0", "0"),
      "= of the 8 properties of the request some are neither done, rejected nor other"},
     {OPEN_04, ASK(">", "9 1 4 9000 2 4 1" THREE_TO_EIGHT " 9 4 0"),
      RESPOND("<", "1 0x7f", "0", "0")},
     NULL,
     DRAFT_04},
    /* A long one leaves what is known of others as it is. */
    {"W " ID_04 "5.3.3/response-matches @0 -> process,discard",
     {OPEN_04, ASK_AS(5, SIZE(9000)), ASK_AS(6, SIZE(9100)), ASK_AS(7, SIZE(9200)),
      ASK_AS(8, TWENTY), DONE_AS(9, 1)},
     {OPEN_04, ASK_AS(5, SIZE(9000)), ASK_AS(6, SIZE(9100)), ASK_AS(7, SIZE(9200)),
      ASK_AS(8, TWENTY), DONE_AS(5, 1), DONE_AS(6, 1), DONE_AS(7, 1), DONE_AS(8, 0xfffff)},
     NULL,
     DRAFT_04},
    /* Requests wait for their responses in any order, each as it was made; of five one is lost. */
    {"W " ID_04 "5.3.3/response-matches @0 -> process,discard",
     {OPEN_04, ASK_AS(5, SIZE(9000)), ASK_AS(6, SIZE(9100)), DONE_AS(5, 1), DONE_AS(5, 1),
      "= no request of the other side with XID 0x5 waits"},
     {OPEN_04, ASK_AS(5, SIZE(9000)), ASK_AS(6, SIZE(9100)), DONE_AS(5, 1), DONE_AS(6, 1)},
     NULL,
     DRAFT_04},
    {"W " ID_04 "5.3.3/subsets-cover @16 -> process",
     {OPEN_04, ASK_AS(5, SIZE(9000)), ASK_AS(6, "2 1 4 9100 2 4 1"), DONE_AS(5, 1), DONE_AS(6, 1)},
     {OPEN_04, ASK_AS(5, SIZE(9000)), ASK_AS(6, "2 1 4 9100 2 4 1"), DONE_AS(5, 1), DONE_AS(6, 3)},
     NULL,
     DRAFT_04},
    {"W " ID_04 "5.3.3/response-matches @0 -> process,discard",
     {OPEN_04, ASK_AS(5, SIZE(9000)), ASK_AS(6, "2 1 4 9100 2 4 1"), ASK_AS(7, SIZE(9000)),
      DONE_AS(6, 3), DONE_AS(7, 1), DONE_AS(6, 3)},
     {OPEN_04, ASK_AS(5, SIZE(9000)), ASK_AS(6, "2 1 4 9100 2 4 1"), ASK_AS(7, SIZE(9000)),
      DONE_AS(6, 3), DONE_AS(7, 1), DONE_AS(5, 1)},
     NULL,
     DRAFT_04},
    {"W " ID_04 "5.3.3/subsets-cover @16 -> process",
     {OPEN_04, ASK_AS(1, "0"), ASK_AS(2, "2 1 4 9000 2 4 1"), ASK_AS(3, SIZE(9000)),
      ASK_AS(4, SIZE(9000)), ASK_AS(5, "2 1 4 9000 2 4 1"), DONE_AS(3, 1), DONE_AS(4, 1),
      DONE_AS(1, 7), DONE_AS(5, 3), DONE_AS(2, 1)},
     {OPEN_04, ASK_AS(1, "0"), ASK_AS(2, "2 1 4 9000 2 4 1"), ASK_AS(3, SIZE(9000)),
      ASK_AS(4, SIZE(9000)), ASK_AS(5, "2 1 4 9000 2 4 1"), DONE_AS(3, 1), DONE_AS(4, 1),
      DONE_AS(1, 7), DONE_AS(5, 3), DONE_AS(2, 3)},
     NULL,
     DRAFT_04},
    /* What was done holds. */
    {"V " ID_04 "2.3/send-within-threshold -> process,close",
     {OPEN_04, TELL("<", SIZE(8192), "0"), ASK(">", SIZE(2048)),
      RESPOND("<", "1 0x80000001", "0", "0"), CALL_04(2), REPLY_04(2),
      "> 7 2 32 0 0 0 none call *494"},
     {OPEN_04, TELL("<", SIZE(8192), "0"), ASK(">", SIZE(2048)),
      RESPOND("<", "0", "0", "1 1 4 4096"), CALL_04(2), REPLY_04(2),
      "> 7 2 32 0 0 0 none call *494"},
     NULL,
     DRAFT_04},
};

START_TEST(rules07)
{
    play_row(&rows_07[_i]);
}
END_TEST

START_TEST(rules04)
{
    play_row(&rows_04[_i]);
}
END_TEST

PLAY_ROWS(rows_07)
PLAY_ROWS(rows_04)

int main(void)
{
    Suite *suite = suite_create("rules on transport properties");
    TCase *tests = tcase_create("rules on transport properties");
    tcase_add_loop_test(tests, rules07, 0, COUNT(rows_07));
    tcase_add_loop_test(tests, rules04, 0, COUNT(rows_04));
    suite_add_tcase(suite, tests);
    return play_run(suite);
}
