// SPDX-License-Identifier: BSD-3-Clause
/*
 * librpcrdma-check: check what two RPC-over-RDMA peers send each other by RFC 8166, or by one of
 * the two drafts of version 2.
 *
 * The caller feeds events, in the order in which they happened on one connection; the checker
 * answers each with a judgement: what was sent, which rules it breaks, where, and which reactions
 * the specification leaves open to its receiver. It allocates nothing, does no I/O and reads no
 * clock. All lengths are in octets, all numbers in host order.
 */
#ifndef RPCRDMA_CHECK_H
#define RPCRDMA_CHECK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <rpcrdma/message.h> /* what a message can be */
#include <rpcrdma/rules.h> /* generated from spec/requirements: enum rpcrdma_rule and its tables */
#include <rpcrdma/xdr.h>   /* RPCRDMA_API */

#ifdef __cplusplus
extern "C" {
#endif

/* The side that opened the connection is the client, the side that accepted it the server. Roles
 * (Requester, Responder) belong to messages, not to sides: RFC 8166 section 4, RFC 8167. */
enum rpcrdma_endpoint { RPCRDMA_CLIENT, RPCRDMA_SERVER };

enum rpcrdma_event_type {
    RPCRDMA_EVENT_SEND,
    RPCRDMA_EVENT_RDMA_READ,
    RPCRDMA_EVENT_RDMA_WRITE,
    RPCRDMA_EVENT_PRIVATE_DATA,
    RPCRDMA_EVENT_DISCONNECT,
    RPCRDMA_EVENT_GAP, /* something of the connection was not seen, in either direction: from here
                          on nothing is concluded from what is missing */
    /* What captures show besides; other sources need not report these. */
    RPCRDMA_EVENT_ATOMIC,    /* an atomic operation on the other side's memory */
    RPCRDMA_EVENT_NOT_READY, /* `from` had no receive buffer for a Send of the other side (RNR
                                NAK): the one after the first `received` Sends */
    RPCRDMA_EVENT_REFUSED,   /* `from` refused an RDMA operation of the other side on its memory
                                (remote access error): `length` octets at handle and offset, and
                                `data` NULL; what `is_read` says it was */
    /* What only a source within `from` knows: `registrations_seen` of the configuration. */
    RPCRDMA_EVENT_REGISTERED,  /* `from` registered `length` octets at handle and offset, so that
                                  the other side can do what `access` says */
    RPCRDMA_EVENT_INVALIDATED, /* that is over: `handle` no longer names memory of `from`. What a
                                  Send With Invalidate takes back needs no event of its own */
    RPCRDMA_EVENT_COMPLETED,   /* the RPC that `from` has called with `xid` is over: its upper layer
                                  has the memory back, with or without a Reply */
};
#define RPCRDMA_EVENT_TYPES 12

/* What the other side may do with registered memory; a set of these. */
enum rpcrdma_access { RPCRDMA_ACCESS_READ = 1 << 0, RPCRDMA_ACCESS_WRITE = 1 << 1 };

/*
 * Something that one side did. The checker does not keep `data` beyond the call.
 */
struct rpcrdma_event {
    enum rpcrdma_event_type type;
    enum rpcrdma_endpoint from; /* who sent it, or issued the RDMA operation */
    const void *data; /* the Send, the private data, or the octets that an RDMA operation moved;
                         NULL where an RDMA operation's content was not seen */
    size_t length;    /* octets at data (or moved, where data is NULL) */
    size_t missing;   /* octets that followed on the wire but were not recorded (a capture's snap
                         length); rules that would need them are not applied */
    bool invalidate;  /* a Send With Invalidate, naming handle */
    uint32_t handle;  /* RDMA operation or invalidate: the memory handle (R_key, STag) */
    uint64_t offset;  /* RDMA operation: where in that memory it begins */
    bool is_read;     /* RPCRDMA_EVENT_REFUSED: an RDMA Read, else an RDMA Write */
    unsigned access;  /* RPCRDMA_EVENT_REGISTERED: a set of enum rpcrdma_access */
    uint32_t xid;     /* RPCRDMA_EVENT_COMPLETED: of the Call's transport header */

    /* The order of events as one of the two sides saw it, where the source knows: a capture sees
     * them from between the sides. Both count RPCRDMA_EVENT_SENDs of the connection, from 0. */
    bool has_order;
    uint64_t sent;     /* RDMA Read: Sends of `from` that preceded the request, not the response */
    uint64_t received; /* Sends of the other side that `from` had acknowledged before */

    bool unconfirmed; /* of a capture: nothing recorded later shows that the other side's Sends
                         before this event were all recorded. A finding that rests on a Call which
                         was not seen is then a note */
    bool reads_open;  /* of a capture, a Send: RDMA Reads that `from` had asked for were not seen to
                         end before it */

    enum rpcrdma_protocol draft; /* a Send of version 2: the draft that it follows, where the source
                                    knows it; else RPCRDMA_PROTOCOL_AUTO */
};

#define RPCRDMA_NO_OFFSET (-1)

/* One rule that an event breaks. The register gives the severity of each rule. */
struct rpcrdma_finding {
    enum rpcrdma_rule rule;
    enum rpcrdma_severity severity;
    enum rpcrdma_endpoint from; /* who breaks it: the side that the event is from, but for what an
                                   RDMA Read fetched, which the other side wrote */
    enum rpcrdma_protocol protocol; /* by which the Send was judged */
    int64_t offset;                 /* of the field at fault in the Send, or RPCRDMA_NO_OFFSET */
    const char *format;             /* for rpcrdma_finding_text() */
    uint64_t value[3];
    bool unconfirmed; /* it is a note because the event was unconfirmed */
};

/* What the specification leaves open to the receiver of a Send; a set of these. */
enum rpcrdma_reaction {
    RPCRDMA_PROCESS = 1 << 0,      /* take it as good */
    RPCRDMA_DISCARD = 1 << 1,      /* drop it without a sign */
    RPCRDMA_ERR_VERS = 1 << 2,     /* answer RDMA_ERROR with ERR_VERS */
    RPCRDMA_ERR_CHUNK = 1 << 3,    /* answer RDMA_ERROR with ERR_CHUNK */
    RPCRDMA_GARBAGE_ARGS = 1 << 4, /* answer with an RPC reply of GARBAGE_ARGS */
    RPCRDMA_TERMINATE = 1 << 5,    /* end the RPC with a permanent error */
    RPCRDMA_CLOSE = 1 << 6,        /* end the connection */
    /* Version 2: answer with the error of this name. ERR_VERS above serves all versions. */
    RPCRDMA_ERR_BAD_XDR = 1 << 7,
    RPCRDMA_ERR_INVALID_PROC = 1 << 8,   /* -04 */
    RPCRDMA_ERR_INVALID_OPTION = 1 << 9, /* -04 */
    RPCRDMA_ERR_BAD_PROPVAL = 1 << 10,   /* -07 */
    RPCRDMA_ERR_INVAL_HTYPE = 1 << 11,   /* -07 */
    RPCRDMA_ERR_INVAL_CONT = 1 << 12,    /* -07 */
    RPCRDMA_ERR_READ_CHUNKS = 1 << 13,
    RPCRDMA_ERR_WRITE_CHUNKS = 1 << 14,
    RPCRDMA_ERR_SEGMENTS = 1 << 15,
    RPCRDMA_ERR_WRITE_RESOURCE = 1 << 16,
    RPCRDMA_ERR_REPLY_RESOURCE = 1 << 17,
    RPCRDMA_ERR_VERS_MISMATCH = 1 << 18, /* -07 */
    RPCRDMA_ERR_SYSTEM = 1 << 19,
};
#define RPCRDMA_REACTIONS 20

/* At most one finding a rule and event, and no event can break more rules than this. */
#define RPCRDMA_FINDINGS 48

struct rpcrdma_judgement {
    /* The header's fixed words, as far as the Send reaches: octets 0, 4, 8 and 12. */
    bool has_xid, has_version, has_credit, has_procedure;
    uint32_t xid, version, credit, procedure;
    enum rpcrdma_direction direction;
    int64_t header_length; /* of the transport header, or -1 where it does not decode */
    int64_t payload;       /* where the RPC message, or a piece of it, begins; -1 if none follows */

    /* By whose rules the Send was judged; of a draft of version 2, whether it is known to be that
     * one. The rest is set where the header decodes. */
    enum rpcrdma_protocol protocol;
    bool draft_is_sure;
    enum rpcrdma_kind kind;
    enum rpcrdma_form form; /* of kind RPC */
    uint32_t remaining;     /* of a piece: octets of the message that are still to come */
    unsigned reactions;     /* a set of enum rpcrdma_reaction; 0 for events that are no Send */
    unsigned count;
    struct rpcrdma_finding findings[RPCRDMA_FINDINGS];
};

struct rpcrdma_check; /* one connection */

/* What the credit word of -07 means: its drafts differ. */
enum rpcrdma_credits {
    RPCRDMA_CREDITS_SUM,    /* a count of messages and what is granted beyond it, as -07 says */
    RPCRDMA_CREDITS_HALVES, /* two numbers of 16 bits, as ietf-03 and ietf-04 say:
                               not judged */
    RPCRDMA_CREDITS_OFF,    /* not judged */
};

/* The properties of -07 that limit the other side: property[...][id - 1]. */
#define RPCRDMA_LIMITING_PROPERTIES 5

struct rpcrdma_check_config {
    uint32_t inline_threshold[2]; /* octets, of Sends from [RPCRDMA_CLIENT] and [RPCRDMA_SERVER],
                                     header included; 0 where only private data or the default of
                                     RFC 8166 section 3.3.3 tells */
    uint32_t max_calls;           /* calls in flight that are remembered, each direction; 0: 256 */
    uint32_t max_segments;        /* segments of Write and Reply chunks remembered for a call; 0: 64
                                   */
    uint32_t max_read_chunk;      /* octets of a Read chunk that the Responder is willing to fetch;
                                     0: 1 MiB. Beyond, ERR_CHUNK is open (sections 3.4.4, 8.1.4) */
    bool reverse_direction;       /* the upper layer agreed on RFC 8167 */
    bool mid_stream;              /* earlier events of the connection were not seen */
    const struct rpcrdma_binding *const *bindings; /* of upper layers (rpcrdma/binding.h), up to a
                                                      NULL; or NULL: none is applied */
    bool seen_between; /* seen on the way, at the server, or of version 2 at one side: what one side
                          sent may not have reached the other when that sends next, so a lowered
                          grant is not enforced */
    bool operations_seen; /* all RDMA operations are events: of a chunk to which none went, it is
                             known that nothing was moved */
    bool registrations_seen[2]; /* of [RPCRDMA_CLIENT] and [RPCRDMA_SERVER]: all registrations of
                                   that side are events, and what ends them, and its RPCs. Each
                                   comes before the Send that depends on it. With mid_stream, what
                                   was registered before is not known */

    /* Version 2 */
    enum rpcrdma_protocol draft; /* by which Sends are judged; RPCRDMA_PROTOCOL_AUTO: by the one
                                    that they show, and where nothing shows it, by -07 */
    enum rpcrdma_credits credits;
    uint32_t continued_octets; /* of a continued message, kept for each side; 0: 4096 */

    /* Of a version 2 connection that is seen from its middle on (mid_stream): the properties that
     * each side has told, bit id - 1 for each, and how many Sends each side has posted
     * and the limit that the other side has set it. */
    uint8_t properties_told[2];
    uint32_t property[2][RPCRDMA_LIMITING_PROPERTIES];
    bool counts_known;
    uint32_t sent[2], limit[2];
};

/* A configuration for ordinary peers; one whose members are all 0 means the same. */
RPCRDMA_API struct rpcrdma_check_config rpcrdma_check_config_default(void);
#define RPCRDMA_CHECK_CONFIG_DEFAULT rpcrdma_check_config_default()

/* Octets that rpcrdma_check_init() needs for this configuration; 0 if max_calls or
 * max_segments is above 2^20, or draft is RPCRDMA_PROTOCOL_1 or no value of its type. */
RPCRDMA_API size_t rpcrdma_check_size(const struct rpcrdma_check_config *config);

/*
 * Make a checker for one connection in `memory`, which must be aligned as for malloc, have at
 * least rpcrdma_check_size(config) octets and stay for as long as the checker is used. There is
 * nothing to free but that memory. Returns NULL if it is too small or rpcrdma_check_size()
 * is 0.
 */
RPCRDMA_API struct rpcrdma_check *rpcrdma_check_init(void *memory, size_t size,
                                                     const struct rpcrdma_check_config *config);

/* Judge the next event of the connection. Constant time a message plus linear in its segments. */
RPCRDMA_API void rpcrdma_check_event(struct rpcrdma_check *check, const struct rpcrdma_event *event,
                                     struct rpcrdma_judgement *judgement);

/* Octets of the longest error that answers a Send. */
#define RPCRDMA_ANSWER_MAX 28

/*
 * For a Responder, what to do with a Send that it received, as one Send shows it by itself:
 *
 *   RPCRDMA_PROCESS     go on with it; a Reply, too, is not for the Responder to refuse
 *   RPCRDMA_DISCARD     drop it without a sign
 *   another             send the *answer_length octets at `answer`: the error of that name, which
 *                       has `credits` as its credit word; and one where 0 is no grant
 *
 * *answer_length is 0 in the other cases. The Responder speaks the version of `protocol` alone: to
 * one of version 1 a Send of version 2 is answered by ERR_VERS, and by RPCRDMA_PROTOCOL_AUTO all is
 * dropped. A side that sends Calls as well
 * takes what has the XID of a Call of its own for a bad Reply first, and drops it.
 */
RPCRDMA_API enum rpcrdma_reaction rpcrdma_check_answer(enum rpcrdma_protocol protocol,
                                                       const void *octets, size_t length,
                                                       uint32_t credits,
                                                       uint8_t answer[RPCRDMA_ANSWER_MAX],
                                                       size_t *answer_length);

/*
 * The same of a Send that rpcrdma_check_event() has judged, which knows its connection: a message
 * of another version, or one that is out of its order, is answered by VERS_MISMATCH or INVAL_CONT.
 */
RPCRDMA_API enum rpcrdma_reaction rpcrdma_judgement_answer(
    const struct rpcrdma_judgement *judgement, uint32_t credits, uint8_t answer[RPCRDMA_ANSWER_MAX],
    size_t *answer_length);

/* One line of explanation, in `text` (always terminated, cut to fit). Returns the length it would
 * have. */
RPCRDMA_API size_t rpcrdma_finding_text(const struct rpcrdma_finding *finding, char *text,
                                        size_t size);

/*
 * The path of the field at the finding's offset, as the XDR names it ("rdma_reads[2].position"),
 * found by decoding the Send again. Returns false and an empty string where no field begins
 * there.
 */
RPCRDMA_API bool rpcrdma_finding_field(const struct rpcrdma_finding *finding,
                                       const struct rpcrdma_event *event, char *field, size_t size);

/*
 * A Send as one object of JSON, for programs in other languages: the keys "draft" to "error" of
 * `rpcrdma decode --json`, whose schema is rpcrdma-decode-v1. `draft` is the draft of a Send of
 * version 2, or RPCRDMA_PROTOCOL_AUTO where it is not known. The text is terminated and cut to fit;
 * returns the length it would have.
 */
RPCRDMA_API size_t rpcrdma_send_json(const void *octets, size_t length, enum rpcrdma_protocol draft,
                                     char *text, size_t size);

/*
 * The same of a judgement of this event: the keys "xid" to "remaining" of `rpcrdma check --json`,
 * of findings those from "rule" to "text". Its schema is rpcrdma-findings-v1.
 */
RPCRDMA_API size_t rpcrdma_judgement_json(const struct rpcrdma_judgement *judgement,
                                          const struct rpcrdma_event *event, char *text,
                                          size_t size);

/* "err-chunk" and the like, as in the vector schema; reaction is one bit. */
RPCRDMA_API const char *rpcrdma_reaction_name(enum rpcrdma_reaction reaction);
/* The reaction that sends the error with this code in a draft of version 2, one bit of enum
 * rpcrdma_reaction; 0 for a code that the draft does not define. */
RPCRDMA_API uint32_t rpcrdma_reaction_of_error(enum rpcrdma_protocol protocol, uint32_t code);
RPCRDMA_API const char *rpcrdma_severity_name(enum rpcrdma_severity severity);

/*
 * The rule under whose id a draft of version 2 has what a passive rule of version 1 says: that rule
 * itself, one of the draft's own, or RPCRDMA_RULES where it does not hold there, or `draft` is none
 * of the two.
 */
RPCRDMA_API enum rpcrdma_rule rpcrdma_check_rule_in(enum rpcrdma_protocol draft,
                                                    enum rpcrdma_rule rule);

#ifdef __cplusplus
}
#endif
#endif
