// SPDX-License-Identifier: BSD-3-Clause
/*
 * Where the text leaves room to read it wrongly: whose message it is, which test comes first, and
 * what strict decoding means.
 */
#include "vectors/make/vectors.h"

#define CALL                                                                                       \
    {                                                                                              \
        "> msg | call", NULL                                                                       \
    }
#define ANSWERED                                                                                   \
    {                                                                                              \
        "< msg | accepted", NULL                                                                   \
    }
/* A Call that opens the connection is answered before the events of interest. */
#define OPENED CALL, ANSWERED
#define GARBAGE_ARGS "0x2f0c0001 1 0 0 0 4"

static const struct vector vectors[] = {
    /* ---- direction and role ---- */
    {
        .id = "reading-server-calls-with-read-list",
        .comment = "The server is the Requester here: a Read list from its side is not a fault, as "
                   "the message is a Call.",
        .flags = "conforming near-miss",
        .near_miss = "4.3.1/reply-read-list-empty rfc8167/6/peer-prepared",
        .settings = "reverse",
        .events = {OPENED,
                   {"< msg xid:9 read:44:0xa1/8/0x1000 | call 8", NULL},
                   {"> msg xid:9 | accepted", NULL}},
    },
    {
        .id = "reading-client-refuses-call-of-server",
        .comment = "The client is the Responder here, and so RDMA_ERROR is for it to send.",
        .flags = "conforming near-miss",
        .near_miss = "4.2.4/requester-sends-no-error 4.5/error-without-call",
        .settings = "reverse",
        .events = {OPENED, {"< msg xid:9 | call", NULL}, {"> error:chunk xid:9", "terminate"}},
    },
    {
        .id = "reading-server-makes-long-call",
        .comment = "A Position Zero chunk makes an RDMA_NOMSG a Call, whichever side sends it.",
        .flags = "conforming near-miss",
        .near_miss = "4.3.1/reply-read-list-empty 4.2.4/nomsg-holds-payload",
        .settings = "reverse",
        .events = {OPENED, {"< nomsg xid:9 read:0:0xa1/2048/0x1000", "process"}},
    },
    {
        .id = "reading-long-call-with-reply-chunk",
        .comment = "A Position Zero chunk decides: with a Reply chunk beside it this is a Call "
                   "all the same.",
        .flags = "conforming near-miss",
        .near_miss = "4.2.4/nomsg-holds-payload 4.3.1/reply-read-list-empty",
        .events = {{"> nomsg read:0:0xa1/2048/0x1000 reply:0xc1/4096/0x4000", "process"}},
    },
    {
        .id = "reading-nomsg-from-server-with-write-list-alone",
        .comment = "No Position Zero chunk and no Reply chunk: neither Call nor Reply, wrong in "
                   "either direction.",
        .flags = "broken to-requester",
        .events = {{"> msg write:0xb1/64/0x3000 | call", NULL},
                   {"< nomsg write:0xb1/64/0x3000", "V:4.2.4/nomsg-holds-payload@16 discard"}},
    },
    {
        .id = "reading-message-type-of-two",
        .comment = "The second word of the payload tells Call from Reply; 2 is neither.",
        .flags = "broken",
        .events = {{"> msg | call @32=2", "V:2.2.2/message-type@32 discard err-chunk"}},
    },
    {
        .id = "reading-broken-header-of-either-direction",
        .comment = "Once Calls may come from either side a header that does not decode can be a "
                   "bad Call or a bad Reply, and version 1 has no word that tells.",
        .flags = "broken two-readings",
        .settings = "reverse",
        .events = {CALL,
                   {"< msg | accepted @16=2", "V:4/xdr-encoded@16 length:- discard err-chunk"}},
    },
    {
        .id = "reading-broken-header-of-one-direction",
        .comment = "No Call ever came from the server: what it sends here is a bad Reply.",
        .flags = "broken to-requester",
        .events = {CALL, {"< msg | accepted @16=2", "V:4/xdr-encoded@16 length:- discard"}},
    },
    {
        .id = "reading-same-xid-in-both-directions",
        .comment = "Each side numbers its own Calls: the same XID in flight both ways is no "
                   "duplicate.",
        .flags = "conforming near-miss",
        .near_miss = "2.2.2/xid-unique 2.2.2/reply-matches-call",
        .settings = "reverse",
        .events = {CALL, {"< msg | call", NULL}, {"> msg | accepted", NULL}, ANSWERED},
    },
    {
        .id = "reading-credits-of-the-other-direction",
        .comment = "One credit each way, and one Call in flight each way: neither counts against "
                   "the other.",
        .flags = "conforming near-miss",
        .near_miss = "3.3.1/calls-within-grant 3.3.3/one-credit-at-first",
        .settings = "reverse",
        .events = {CALL,
                   {"< msg credit:1 | accepted", NULL},
                   {"> msg xid:2 | call", NULL},
                   {"< msg xid:3 | call", NULL},
                   {"> msg xid:3 credit:1 | accepted", NULL},
                   {"< msg xid:2 credit:1 | accepted", NULL}},
    },
    /* ---- the order of a Responder's tests ---- */
    {
        .id = "reading-order-length-before-all",
        .comment = "24 octets with version 7, procedure 9 and a broken list: the length comes "
                   "first and ends it, without an answer.",
        .flags = "broken",
        .events = {{"> msg vers:7 @12=9 @16=2 cut:24", "V:4.5/minimal-header@24 length:- discard"}},
    },
    {
        .id = "reading-order-length-before-version",
        .comment = "27 octets of version 7: too short for ERR_VERS.",
        .flags = "broken",
        .events = {{"> msg vers:7 cut:27", "V:4.5/minimal-header@24 length:- discard"}},
    },
    {
        .id = "reading-order-length-before-procedure",
        .comment = "24 octets of procedure 9: too short for ERR_CHUNK.",
        .flags = "broken",
        .events = {{"> msg @12=9 cut:24", "V:4.5/minimal-header@24 length:- discard"}},
    },
    {
        .id = "reading-order-done-in-runt",
        .comment = "RDMA_DONE has 16 octets by its own form, and is dropped for its procedure or "
                   "its length: both say nothing.",
        .flags = "broken legacy",
        .events = {{"> done", "V:4.6.2/done-not-sent@12 length:- discard"}},
    },
    {
        .id = "reading-order-error-to-responder",
        .comment = "RDMA_ERROR goes from Responder to Requester only: a Responder drops one.",
        .flags = "broken",
        .events = {OPENED, {"> error:chunk", "V:4.2.4/requester-sends-no-error@12 discard"}},
    },
    {
        .id = "reading-order-error-of-another-version-to-responder",
        .comment = "RDMA_ERROR is known in every version, and an answer to one could loop: drop "
                   "it. To test the version first is forgiven.",
        .flags = "broken two-readings",
        .events = {OPENED,
                   {"> error:vers:1:1 vers:7",
                    "V:4.2.4/requester-sends-no-error@12 discard err-vers"}},
    },
    {
        .id = "reading-order-version-before-procedure",
        .comment = "Version 7, procedure 9: the version is what is refused.",
        .flags = "broken",
        .events = {{"> msg vers:7 @12=9 | call", "V:4.2.2/version-one@4 length:- err-vers"}},
    },
    {
        .id = "reading-order-version-before-lists",
        .comment = "28 octets of version 7 whose last three words would be broken lists of "
                   "version 1. They are not parsed.",
        .flags = "broken",
        .events = {{"> msg vers:7 @16=9 @20=9 @24=9", "V:4.2.2/version-one@4 length:- err-vers"}},
    },
    {
        .id = "reading-order-version-before-done",
        .comment = "Procedure 3 has no fixed meaning in version 9: ERR_VERS, or silence for what "
                   "looks like RDMA_DONE.",
        .flags = "broken two-readings",
        .events = {{"> done vers:9 | *3", "V:4.2.2/version-one@4 length:- discard err-vers"}},
    },
    {
        .id = "reading-order-version-before-msgp",
        .comment = "Procedure 2 has no fixed meaning in version 9 either.",
        .flags = "broken",
        .events = {{"> msgp vers:9 | call", "V:4.2.2/version-one@4 length:- err-vers"}},
    },
    {
        .id = "reading-order-msgp-before-lists",
        .comment = "An RDMA_MSGP is refused for its procedure, whatever its alignment words look "
                   "like as lists.",
        .flags = "broken legacy",
        .events = {{"> msgp | call @16=4096 @20=8192",
                    "V:4.6.1/msgp-not-sent@12 length:- err-chunk"}},
    },
    {
        .id = "reading-order-procedure-before-lists",
        .comment = "Procedure 9 with a broken list: of an unknown procedure no list is "
                   "looked for.",
        .flags = "broken",
        .events = {{"> msg @12=9 @16=2 | call", "V:4.5.2/procedure-defined@12 length:- err-chunk"}},
    },
    {
        .id = "reading-order-lists-before-positions",
        .comment = "A misaligned Position, and a Write list that does not decode: where the header "
                   "is no XDR nothing in it counts.",
        .flags = "broken",
        .events = {{"> msg read:42:0xa1/8/0x1000 | call 8 @44=2",
                    "V:4/xdr-encoded@44 length:- err-chunk"}},
    },
    {
        .id = "reading-order-28-octets-are-long-enough",
        .comment = "28 octets and a Read list marked present: no runt, but truncated, so that an "
                   "answer is due.",
        .flags = "broken",
        .events = {{"> msg @16=1", "V:4/xdr-encoded@28 length:- err-chunk"}},
    },
    {
        .id = "reading-order-nomsg-without-payload",
        .comment = "An RDMA_NOMSG that decodes and has no place for a payload.",
        .flags = "broken",
        .events = {{"> nomsg", "V:4.2.4/nomsg-list-present@16 err-chunk"}},
    },
    {
        .id = "reading-order-xid-of-header-and-payload",
        .comment = "The XIDs differ: an XDR error to answer, by one section, and nothing that a "
                   "receiver has to look at, by another.",
        .flags = "broken two-readings",
        .events = {{"> msg | call:7", "V:4.2.1/xid-equal@28 process err-chunk"}},
    },
    {
        .id = "reading-order-chunk-too-large-to-pull",
        .comment = "Nothing is wrong with a Read chunk of 1 GiB; a Responder that will not pull it "
                   "says ERR_CHUNK, and that ends the RPC.",
        .flags = "conforming",
        .settings = "pull:1048576",
        .events = {{"> msg read:44:0xa1/0x40000000/0x1000 | call 0x40000000", "process err-chunk"},
                   {"< error:chunk", "terminate"}},
    },
    {
        .id = "reading-order-access-error-closes",
        .comment = "A Read chunk names memory that does not exist; all that the wire shows is the "
                   "loss of the connection.",
        .flags = "conforming",
        .events = {{"> msg read:44:0xdead/8/0x1000 | call 8", NULL}, {"< disconnect", NULL}},
    },
    {
        .id = "reading-order-garbage-args-copies-chunks",
        .comment = "Arguments that do not decode are for the RPC layer: an RDMA_MSG with "
                   "GARBAGE_ARGS, which returns the Write list and the Reply chunk unused.",
        .flags = "conforming near-miss",
        .near_miss = "3.4.6/segment-count-copied 4.3.3/reply-chunk-copied",
        .events = {{"> msg write:0xb1/64/0x3000 reply:0xc1/4096/0x4000 | call 9 9 9", NULL},
                   {"< msg write:0xb1/0/0x3000 reply:0xc1/0/0x4000 | " GARBAGE_ARGS, NULL}},
    },
    {
        .id = "reading-garbage-args-without-write-list",
        .comment = "GARBAGE_ARGS is a Reply as any other: the Write list of its Call is missing.",
        .flags = "broken to-requester",
        .events = {{"> msg write:0xb1/64/0x3000 reply:0xc1/4096/0x4000 | call 9 9 9", NULL},
                   {"< msg reply:0xc1/0/0x4000 | " GARBAGE_ARGS,
                    "V:3.4.6/segment-count-copied@20 discard"}},
    },
    {
        .id = "reading-garbage-args-without-reply-chunk",
        .comment = "And so is its Reply chunk, which hurts less: a Requester can put up with it.",
        .flags = "broken to-requester",
        .events = {{"> msg write:0xb1/64/0x3000 reply:0xc1/4096/0x4000 | call 9 9 9", NULL},
                   {"< msg write:0xb1/0/0x3000 | " GARBAGE_ARGS,
                    "V:4.3.3/reply-chunk-copied@48 process discard"}},
    },
    /* ---- the order of a Requester's tests ---- */
    {
        .id = "reading-requester-runt-of-12-octets",
        .comment = "Not even a procedure: a Requester drops it and goes on waiting.",
        .flags = "broken to-requester",
        .events = {CALL, {"< msg cut:12", "V:4.5/minimal-header@12 length:- discard"}, ANSWERED},
    },
    {
        .id = "reading-requester-runt-as-long-as-err-chunk",
        .comment = "20 octets are enough for ERR_CHUNK and too few for anything else.",
        .flags = "broken to-requester",
        .events = {CALL, {"< nomsg cut:20", "V:4.5/minimal-header@20 length:- discard"}},
    },
    {
        .id = "reading-requester-never-answers-by-err-vers",
        .comment = "A Reply of version 3: a Requester sends no RDMA_ERROR, it drops the Reply.",
        .flags = "broken to-requester",
        .events = {CALL, {"< msg vers:3 | accepted", "V:4.2.2/version-one@4 length:- discard"}},
    },
    {
        .id = "reading-requester-drops-undefined-procedure",
        .comment = "Procedure 6, from the server: dropped, and no ERR_CHUNK.",
        .flags = "broken to-requester",
        .events = {CALL,
                   {"< msg @12=6 | accepted", "V:4.5.2/procedure-defined@12 length:- discard"}},
    },
    {
        .id = "reading-requester-drops-msgp-and-done",
        .comment = "Both procedures that are gone, from the server: dropped, and the Call is "
                   "answered after them.",
        .flags = "aftermath legacy to-requester",
        .events = {CALL,
                   {"< msgp | accepted", "V:4.6.1/msgp-not-sent@12 length:- discard"},
                   {"< done | *3", "V:4.6.2/done-not-sent@12 length:- discard"},
                   ANSWERED},
    },
    {
        .id = "reading-requester-drops-reply-with-read-list",
        .comment = "A Reply that has a Read list is malformed for its Requester.",
        .flags = "broken to-requester",
        .events = {CALL,
                   {"< msg read:24:0xa1/8/0x1000 | accepted",
                    "V:4.3.1/reply-read-list-empty@16 discard"}},
    },
    {
        .id = "reading-requester-drops-long-reply-of-nothing",
        .comment = "The Reply chunk of an RDMA_NOMSG holds the Reply, and this one holds nothing.",
        .flags = "broken to-requester",
        .events = {{"> msg reply:0xc1/4096/0x4000 | call", NULL},
                   {"< nomsg reply:0xc1/0/0x4000", "V:4.2.4/nomsg-holds-payload@24 discard"}},
    },
    {
        .id = "reading-requester-ends-rpc-of-wrong-chunk-length",
        .comment = "The header is good, but READ says 5 octets and its chunk took 4: not for "
                   "silence, the RPC ends with an error.",
        .flags = "broken",
        .settings = "nfs",
        .events = {{"> msg write:0xb1/5/0x3000 | nfs3:6 4 0xf 0 0 5", NULL},
                   {"< msg write:0xb1/4/0x3000 | accepted 0 0 5 1 5",
                    "V:3.4.6.2/returned-length-is-item-length@24 terminate"}},
    },
    {
        .id = "reading-silence-keeps-the-connection",
        .comment = "To drop without a sign is to keep the connection as well: after a runt and "
                   "an RDMA_DONE the next Call is served.",
        .flags = "aftermath legacy",
        .events = {{"> msg cut:16", "V:4.5/minimal-header@16 length:- discard"},
                   {"> done | *3", "V:4.6.2/done-not-sent@12 length:- discard"},
                   CALL,
                   ANSWERED},
    },
    /* ---- 28 octets, and RDMA_ERROR ---- */
    {
        .id = "reading-err-chunk-of-20-octets",
        .comment = "ERR_CHUNK has 20 octets by its XDR. The floor of 28 is that of headers with "
                   "lists, else no Requester could ever learn of an ERR_CHUNK.",
        .flags = "conforming near-miss",
        .near_miss = "4.5/minimal-header 4/xdr-encoded 4.2.4/error-ends-with-code",
        .events = {CALL, {"< error:chunk", "length:20 terminate"}},
    },
    {
        .id = "reading-err-vers-of-28-octets",
        .comment = "ERR_VERS has 28 octets by its XDR, just the floor.",
        .flags = "aftermath near-miss",
        .near_miss = "4.5/minimal-header 4.5/error-version 4.5.1/unsupported-version-answered",
        .events = {{"> msg vers:2 | call", "N:7/later-version-offered@4 length:- err-vers"},
                   {"< error:vers:1:1 vers:2", "length:28 terminate"}},
    },
    {
        .id = "reading-err-chunk-padded-to-28-octets",
        .comment = "A Responder that fills ERR_CHUNK up to the floor: the XDR ends at 20, and the "
                   "Requester puts up with the rest.",
        .flags = "broken",
        .events = {CALL,
                   {"< error:chunk | *2", "W:4.2.4/error-ends-with-code@20 length:20 terminate"}},
    },
    {
        .id = "reading-err-chunk-of-19-octets",
        .comment = "One octet short of an error code.",
        .flags = "broken to-requester",
        .events = {CALL, {"< error:chunk cut:19", "V:4/xdr-encoded@16 length:- discard"}, ANSWERED},
    },
    {
        .id = "reading-error-of-16-octets",
        .comment = "The fixed words of an RDMA_ERROR, and no error code.",
        .flags = "broken to-requester",
        .events = {CALL, {"< error:chunk cut:16", "V:4/xdr-encoded@16 length:- discard"}, ANSWERED},
    },
    {
        .id = "reading-err-vers-of-24-octets",
        .comment = "ERR_VERS with the lower version alone does not decode: dropped.",
        .flags = "aftermath to-requester",
        .events = {{"> msg vers:2 | call", "N:7/later-version-offered@4 length:- err-vers"},
                   {"< error:vers:1:1 vers:2 cut:24", "V:4/xdr-encoded@24 length:- discard"}},
    },
    {
        .id = "reading-err-vers-of-20-octets",
        .comment = "As long as an ERR_CHUNK, but the code says ERR_VERS: no range, dropped.",
        .flags = "aftermath to-requester",
        .events = {{"> msg vers:2 | call", "N:7/later-version-offered@4 length:- err-vers"},
                   {"< error:vers:1:1 vers:2 cut:20", "V:4/xdr-encoded@20 length:- discard"}},
    },
    {
        .id = "reading-error-code-of-three",
        .comment = "Error codes of version 1 end at 2.",
        .flags = "broken to-requester",
        .events = {CALL,
                   {"< error:chunk @16=3", "V:4.5/error-code-defined@16 length:- discard"},
                   ANSWERED},
    },
    {
        .id = "reading-error-code-of-zero",
        .comment = "Error codes of version 1 begin at 1.",
        .flags = "broken to-requester",
        .events = {CALL,
                   {"< error:vers:2:2 @16=0", "V:4.5/error-code-defined@16 length:- discard"}},
    },
    {
        .id = "reading-padded-error-to-responder",
        .comment = "28 octets get an RDMA_ERROR past a test of the length: a Responder drops it "
                   "for its procedure.",
        .flags = "two-rules",
        .events = {OPENED,
                   {"> error:chunk | *2", "W:4.2.4/error-ends-with-code@20 "
                                          "V:4.2.4/requester-sends-no-error@12 discard"}},
    },
    {
        .id = "reading-padded-done-to-responder",
        .comment = "28 octets get an RDMA_DONE past a test of the length, with what could be "
                   "absent lists.",
        .flags = "broken legacy",
        .events = {{"> done | *3", "V:4.6.2/done-not-sent@12 length:- discard"}, CALL, ANSWERED},
    },
    /* ---- strict XDR ---- */
    {
        .id = "reading-presence-of-two-and-entry",
        .comment = "The word before a whole and good entry is 2: only a strict decoder sees it, "
                   "for what follows makes sense.",
        .flags = "broken",
        .events = {{"> msg read:44:0xa1/8/0x1000 | call 8 @16=2",
                    "V:4/xdr-encoded@16 length:- err-chunk"}},
    },
    {
        .id = "reading-presence-of-all-ones-and-chunk",
        .comment = "The word before a whole and good Reply chunk is 4294967295.",
        .flags = "broken",
        .events = {{"> msg reply:0xc1/4096/0x4000 | call @24=0xffffffff",
                    "V:4/xdr-encoded@24 length:- err-chunk"}},
    },
    {
        .id = "reading-count-is-divided-not-multiplied",
        .comment = "268435456 segments in a Reply chunk: times 16 is zero in 32 bits, so only "
                   "what is left divided by 16 is a test.",
        .flags = "broken hostile",
        .events = {{"> msg reply:0xc1/4096/0x4000 | call @28=0x10000000",
                    "V:4/xdr-encoded@28 length:- err-chunk"}},
    },
    {
        .id = "reading-count-that-reserves-memory",
        .comment = "268435455 segments do not wrap: they are 4 GiB for who reserves before he "
                   "counts.",
        .flags = "broken hostile",
        .events = {{"> msg reply:0xc1/4096/0x4000 | call @28=0x0fffffff",
                    "V:4/xdr-encoded@28 length:- err-chunk"}},
    },
    {
        .id = "reading-read-list-of-many-entries",
        .comment = "Two hundred entries and a good end in more octets than by default: many, "
                   "not wrong.",
        .flags = "conforming near-miss",
        .near_miss = "4/xdr-encoded",
        .settings = "c2s:16384",
        .events = {{"> msg read:44:200*0xa1/4/0x1000 | call 800", "length:4828 process"}},
    },
    {
        .id = "reading-read-list-of-many-entries-without-end",
        .comment = "As many entries, and the word that ends the list is missing.",
        .flags = "broken hostile",
        .settings = "c2s:16384",
        .events = {{"> msg read:44:200*0xa1/4/0x1000 cut:4816",
                    "V:4/xdr-encoded@4816 length:- err-chunk"}},
    },
    {
        .id = "reading-octets-after-nomsg",
        .comment = "Nothing belongs after the lists of an RDMA_NOMSG. No reaction is prescribed: "
                   "to go on is right, and so is ERR_CHUNK of a strict receiver.",
        .flags = "broken",
        .events = {{"> nomsg read:0:0xa1/40/0x1000 | call",
                    "W:4.2.4/nomsg-ends-with-lists@52 process err-chunk"}},
    },
    {
        .id = "reading-msg-of-28-octets",
        .comment = "The smallest header is all there is: it decodes, but no RPC message has no "
                   "octets.",
        .flags = "broken two-readings",
        .events = {{"> msg", "V:4.2.4/msg-has-payload@28 length:28 discard err-chunk"}},
    },
    {
        .id = "reading-payload-of-41-octets",
        .comment = "XDR items end on words, and padding leaves with its item: one octet more is "
                   "no RPC message. Which layer says so is open.",
        .flags = "broken two-readings",
        .events = {{"> msg | call +1", "V:3.4.4.4/payload-whole-words@28 process discard "
                                       "err-chunk garbage-args"}},
    },
    {
        .id = "reading-nomsg-with-all-lists-absent",
        .comment = "A generated decoder is content with it: an RDMA_NOMSG of 28 octets needs a "
                   "test of its own.",
        .flags = "broken",
        .events = {{"> nomsg", "V:4.2.4/nomsg-list-present@16 length:28 err-chunk"}},
    },
    {
        .id = "reading-msgp-taken-for-msg",
        .comment = "The alignment of 1 would be a Read list, the threshold of 44 its Position: "
                   "the procedure is looked at before the lists.",
        .flags = "broken legacy hostile",
        .events = {{"> msgp | call @16=1 @20=44", "V:4.6.1/msgp-not-sent@12 length:- err-chunk"}},
    },
    {
        .id = "reading-nomsg-with-all-lists-present",
        .comment = "At least one list has to be there: three are as good.",
        .flags = "conforming near-miss",
        .near_miss = "4.2.4/nomsg-list-present 4.2.4/nomsg-holds-payload",
        .events = {{"> nomsg read:0:0xa1/44/0x1000 read:44:0xa2/8/0x2000 write:0xb1/64/0x3000 "
                    "reply:0xc1/4096/0x4000",
                    "process"}},
    },
};

const struct vector_group readings_decoding = {
    GROUP("readings-decoding.json", vectors),
    .title = "Readings: direction, the order of the tests, RDMA_ERROR, strict XDR",
    .origin = "spec",
    .reference = "RFC 8166 sections 3.5.3, 4, 4.2, 4.5 and 4.6, RFC 8167, RFC 4506",
};
