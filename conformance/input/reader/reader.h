// SPDX-License-Identifier: BSD-3-Clause
/* What the readers of all formats have in common: what they are asked for, and where they put what
 * they find. */
#ifndef CONFORMANCE_READER_H
#define CONFORMANCE_READER_H

#include <rpcrdma/check.h>

#include <stdio.h>

enum source_format {
    SOURCE_AUTO,    /* by content: capture magic, JSON, hex text, else raw octets */
    SOURCE_HEX,     /* one Send a line; blanks and "0x" ignored; # begins a comment */
    SOURCE_RAW,     /* the whole file is one Send */
    SOURCE_VECTORS, /* vector JSON */
    SOURCE_CAPTURE, /* pcap, pcapng */
};

struct source_options {
    enum source_format format;
    uint16_t port; /* CM service port of RPC-over-RDMA */
    bool all_qp;   /* captures: judge every RC queue pair, not just those that look like
                      RPC-over-RDMA */
    enum rpcrdma_endpoint from;                    /* hex and raw: who sent it */
    const struct rpcrdma_binding *const *bindings; /* applied to what has no settings of its own */
    enum rpcrdma_protocol draft; /* of version 2; of vectors their protocol says it */
    uint64_t frame;              /* captures: whose `what` is asked for, or 0 */
    size_t memory; /* captures: at most this many octets for reassembly and queue pairs */
    void (*progress)(void *arg, uint64_t done, uint64_t total); /* octets of the file; or NULL */
    void *progress_arg;
};

/* An event and where it comes from. Pointers live until the sink returns. */
struct source_event {
    struct rpcrdma_event event;
    const char *file;
    const char *test;       /* vectors: the test's id; else NULL */
    const char *connection; /* "192.0.2.1:0x11-192.0.2.2:0x12" (client first), or the test's id */
    uint64_t connection_id; /* counts from 0 in the file; a new one means a new connection */
    uint64_t index;         /* of the event in its test or connection, from 0 */
    uint64_t frame;         /* captures: that completes it, or shows the gap, from 1; 0 elsewhere */
    /* Captures: of that frame, nanoseconds since 1970; 0 elsewhere, and of a gap. Over iWARP, of
     * the frame that ended the wait of an event that waited for others. */
    int64_t time;
    uint64_t line;                             /* hex: the line, from 1; 0 elsewhere */
    const struct rpcrdma_check_config *config; /* what the source knows of the connection */
};

/* Something of a capture that cannot be checked, and why. */
enum source_miss_kind {
    SOURCE_LOST,       /* a Send or RDMA operation with packets missing */
    SOURCE_CUT,        /* one of which the capture kept only the beginning */
    SOURCE_UNREAD,     /* a frame that holds, or may hold, RPC-over-RDMA and is not understood */
    SOURCE_UNOPENED,   /* a connection whose opening was not recorded */
    SOURCE_ONE_SIDED,  /* a connection of which only one side was recorded */
    SOURCE_BROKEN_OFF, /* a Send or RDMA operation that its own connection's end broke off: nothing
                          that could have been checked */
};
#define SOURCE_MISS_KINDS 6

struct source_miss {
    enum source_miss_kind kind;
    uint64_t count;         /* at most: each missing packet may have been a message */
    uint64_t frame;         /* where it shows, or 0 */
    const char *connection; /* its name, or NULL where it belongs to none that is known */
    const char *reason;     /* one of few texts that live forever: "RoCEv1" */
};

struct source_sink {
    /* Returns false to stop reading. */
    bool (*event)(void *arg, const struct source_event *event);
    /* The connection will have no further events: its checker can be dropped. */
    void (*closed)(void *arg, uint64_t connection_id);
    /* Something could not be checked; or NULL. */
    void (*missed)(void *arg, const struct source_miss *miss);
    void *arg;
};

struct source_counts {
    uint64_t events, connections;
    uint64_t frames;                    /* captures: read */
    const char *what;                   /* captures: the frame asked for is; or NULL */
    uint64_t missed[SOURCE_MISS_KINDS]; /* captures: what could not be checked */
    uint64_t retransmitted;             /* captures: packets dropped as such */
    uint64_t overruled;  /* with all_qp: connections that look like another protocol's */
    int64_t until;       /* captures: the latest time of a frame, nanoseconds since 1970 */
    uint64_t unreturned; /* captures: octets that the reader still counts as taken at its
                          * end: none, or its account is wrong */
};

/* One file being read. */
struct source_reader {
    FILE *stream; /* at the start of the file; NULL once the reader has closed it */
    const char *file;
    const struct source_options *options;
    const struct source_sink *sink;
    struct source_counts *counts;
    char *error;
    size_t error_size;
};

/* A Send of version 2, as far as its header goes. */
bool source_is_version2(const struct rpcrdma_event *event);

/* The address of one side in the name of a connection, "192.0.2.1:0x11-192.0.2.2:0x12" (the client
 * first; over iWARP with ports); "*" where the name is not that of a capture. */
void source_peer(char *peer, size_t size, const char *connection, bool is_server);

/* Count what could not be checked, and pass it to the sink. */
void source_missed(struct source_reader *reader, const struct source_miss *miss);

/* A SOURCE_UNREAD of no known connection. */
void source_unread(struct source_reader *reader, uint64_t frame, const char *reason);

/* Write one line to reader->error; returns false. */
bool source_fail(struct source_reader *reader, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

#endif
