// SPDX-License-Identifier: BSD-3-Clause
/* What is watched in the kernel, and what is read there. */
#include "rxe-harness/trace/probes.h"

/* Both addresses of a connection, by its rdma_cm_id. */
#define ADDRESSES(id)                                                                              \
    {"from", id "->route.addr.src_addr", 0, 0},                                                    \
    {                                                                                              \
        "to", id "->route.addr.dst_addr", 0, 0                                                     \
    }

/* ---- the server ---- */

/* Of what is watched twice: which entry it was (PROBE_ENTRY). */
#define ENTRY(what, which, pieces)                                                                 \
    {"entry0", what, 0, 0},                                                                        \
    {                                                                                              \
        "entry1", which, pieces, 0                                                                 \
    }

/* A completed Receive: its octets are there, or the connection ends. */
#define SERVER_RECEIVED "wc->wr_cqe^svc_rdma_recv_ctxt.rc_cqe->rc_recv_buf"
#define SERVER_RECEIVE ENTRY("wc->wr_cqe", SERVER_RECEIVED, PROBE_WORD)
static const struct trace_field server_receives[] = {
    {"connection", "cq->cq_context", 0, 0},
    ADDRESSES("cq->cq_context^svcxprt_rdma.sc_xprt->sc_cm_id"),
    {"status", "wc->status", 0, 0},
    {"length", "wc->byte_len", 0, 0},
    SERVER_RECEIVE,
    {"octets", SERVER_RECEIVED, 5, 0},
    {0}};
static const struct trace_field server_receives_more[] = {
    SERVER_RECEIVE, {"octets", SERVER_RECEIVED, 3, 5}, {0}};

/* The Reply, or the Call in the reverse direction, that the Send after it by the same thread
 * carries: what is not copied behind the header is sent from here. */
#define PAYLOAD(buffer)                                                                            \
    {"head_length", buffer ".head[0].iov_len", 0, 0},                                              \
        {"tail_length", buffer ".tail[0].iov_len", 0, 0},                                          \
    {                                                                                              \
        "page_length", buffer ".page_len", 0, 0                                                    \
    }
#define SERVER_REPLY ENTRY("rqstp", "rqstp->rq_xid", 0)
static const struct trace_field server_replies[] = {
    SERVER_REPLY,
    PAYLOAD("rqstp->rq_res"),
    {"head", "rqstp->rq_res.head[0].iov_base", 3, 0},
    {"tail", "rqstp->rq_res.tail[0].iov_base", 2, 0},
    {0}};
static const struct trace_field server_replies_more[] = {
    SERVER_REPLY, {"head", "rqstp->rq_res.head[0].iov_base", 5, 3}, {0}};
static const struct trace_field server_calls[] = {
    PAYLOAD("rqst->rq_snd_buf"),
    {"head", "rqst->rq_snd_buf.head[0].iov_base", 3, 0},
    {"tail", "rqst->rq_snd_buf.tail[0].iov_base", 2, 0},
    {0}};
#define SERVER_SEND ENTRY("ctxt", "ctxt->sc_xprt_buf", PROBE_WORD)
static const struct trace_field server_sends[] = {
    SERVER_SEND,
    {"connection", "rdma", 0, 0},
    {"id", "rdma->sc_cm_id", 0, 0},
    ADDRESSES("rdma->sc_cm_id"),
    {"header", "ctxt->sc_hdrbuf.len", 0, 0},
    {"pieces", "ctxt->sc_send_wr.num_sge", 0, 0},
    {"opcode", "ctxt->sc_send_wr.opcode", 0, 0},
    {"handle", "ctxt->sc_send_wr.ex.invalidate_rkey", 0, 0},
    {"length0", "ctxt->sc_sges[0].length", 0, 0},
    {"length1", "ctxt->sc_sges[1].length", 0, 0},
    {"length2", "ctxt->sc_sges[2].length", 0, 0},
    {"length3", "ctxt->sc_sges[3].length", 0, 0},
    {"octets", "ctxt->sc_xprt_buf", 4, 0},
    {0}};
static const struct trace_field server_sends_more[] = {
    SERVER_SEND, {"octets", "ctxt->sc_xprt_buf", 4, 4}, {0}};

/*
 * RDMA Reads and Writes as they are posted (ib_core's rdma_rw). At the entry of the function: how
 * many requests, and of which kind; where memory is registered for them (iWARP), which. What is
 * read there of another kind is not used, and no pointer is followed that might be none.
 */
#define REGISTERED(n)                                                                              \
    {"handle" #n, "ctx->reg[" #n "].wr.rkey", 0, 0},                                               \
        {"offset" #n, "ctx->reg[" #n "].wr.remote_addr", 0, 0},                                    \
    {                                                                                              \
        "length" #n, "ctx->reg[" #n "].sge.length", 0, 0                                           \
    }
static const struct trace_field operations[] = {{"connection", "qp->qp_context", 0, 0},
                                                {"kind", "ctx->type", 0, 0},
                                                {"requests", "ctx->nr_ops", 0, 0},
                                                {"opcode", "ctx->reg[0].wr.wr.opcode", 0, 0},
                                                REGISTERED(0),
                                                REGISTERED(1),
                                                REGISTERED(2),
                                                REGISTERED(3),
                                                {0}};
/* At its return: the first request, those that lie beside it, and the memory that all of them
 * share. */
#define REQUEST(n)                                                                                 \
    {"handle" #n, "return^ib_rdma_wr.wr[" #n "].rkey", 0, 0},                                      \
        {"offset" #n, "return^ib_rdma_wr.wr[" #n "].remote_addr", 0, 0},                           \
    {                                                                                              \
        "pieces" #n, "return^ib_rdma_wr.wr[" #n "].wr.num_sge", 0, 0                               \
    }
#define ROW                                                                                        \
    ENTRY("return", "return->sg_list", 0), {"entry2", "return^ib_rdma_wr.wr[0].rkey", 0, 0},       \
    {                                                                                              \
        "entry3", "return^ib_rdma_wr.wr[0].remote_addr", 0, 0                                      \
    }
static const struct trace_field operation_rows[] = {ROW,        {"opcode", "return->opcode", 0, 0},
                                                    REQUEST(0), REQUEST(1),
                                                    REQUEST(2), REQUEST(3),
                                                    REQUEST(4), REQUEST(5),
                                                    REQUEST(6), REQUEST(7),
                                                    REQUEST(8), {"memory", "return->sg_list", 5, 0},
                                                    {0}};
static const struct trace_field operation_rows_more[] = {
    ROW, {"memory", "return->sg_list", 4, 5}, {0}};

/* ---- the client ---- */

#define CLIENT_SENT "req->rl_slot.rq_snd_buf"
#define CLIENT_SEND ENTRY("req", "req->rl_slot.rq_xid", 0)
static const struct trace_field client_sends[] = {CLIENT_SEND,
                                                  {"connection", "r_xprt->rx_ep->re_id", 0, 0},
                                                  ADDRESSES("r_xprt->rx_ep->re_id"),
                                                  {"header", "req->rl_hdrbuf.len", 0, 0},
                                                  {"pieces", "req->rl_wr.num_sge", 0, 0},
                                                  {"length0", "req->rl_wr.sg_list[0].length", 0, 0},
                                                  {"length1", "req->rl_wr.sg_list[1].length", 0, 0},
                                                  {"length2", "req->rl_wr.sg_list[2].length", 0, 0},
                                                  PAYLOAD(CLIENT_SENT),
                                                  {"octets", "req->rl_rdmabuf->rg_data", 1, 0},
                                                  {"head", CLIENT_SENT ".head[0].iov_base", 3, 0},
                                                  {"tail", CLIENT_SENT ".tail[0].iov_base", 1, 0},
                                                  {0}};
#define CLIENT_SENT_MORE                                                                           \
    {                                                                                              \
        "head", CLIENT_SENT ".head[0].iov_base", 5, 3                                              \
    }
static const struct trace_field client_sends_more[] = {CLIENT_SEND, CLIENT_SENT_MORE, {0}};

/*
 * The memory that the client registers together with its Send: a list through the MRs, whose last
 * one is known from the other end. Behind the last one lies the list's own head, and what is read
 * there is not used.
 */
#define MEMORY "^rpcrdma_mr.mr_list"
#define REGISTERS(n, at)                                                                           \
    {"memory" #n, "req->rl_registered.next" at, 0, 0},                                             \
        {"handle" #n, "req->rl_registered.next" at MEMORY "->mr_handle", 0, 0},                    \
        {"offset" #n, "req->rl_registered.next" at MEMORY "->mr_offset", 0, 0},                    \
        {"size" #n, "req->rl_registered.next" at MEMORY "->mr_length", 0, 0},                      \
    {                                                                                              \
        "access" #n, "req->rl_registered.next" at MEMORY "->mr_regwr.access", 0, 0                 \
    }
static const struct trace_field client_sends_registering[] = {
    CLIENT_SEND,
    {"last", "req->rl_registered.prev", 0, 0},
    REGISTERS(0, ""),
    REGISTERS(1, "->next"),
    REGISTERS(2, "->next->next"),
    REGISTERS(3, "->next->next->next"),
    CLIENT_SENT_MORE,
    {0}};

/* A completed invalidation. */
static const struct trace_field invalidations[] = {
    {"connection", "cq->cq_context^rpcrdma_xprt.rx_xprt->rx_ep->re_id", 0, 0},
    {"status", "wc->status", 0, 0},
    {"handle", "wc->wr_cqe^rpcrdma_mr.mr_cqe->mr_handle", 0, 0},
    {0}};

/* The RPC goes back to its caller: with its Reply, or with whatever it has. */
static const struct trace_field completions[] = {
    {"connection", "rep->rr_rxprt->rx_ep->re_id", 0, 0},
    {"xid", "rep->rr_rqst->rq_xid", 0, 0},
    {0}};
static const struct trace_field releases[] = {
    {"connection", "xprt^rpcrdma_xprt.rx_xprt->rx_ep->re_id", 0, 0},
    {"xid", "rqst->rq_xid", 0, 0},
    {0}};
#define CLIENT_RECEIVE ENTRY("rep", "rep->rr_rdmabuf->rg_data", PROBE_WORD)
static const struct trace_field client_receives[] = {
    CLIENT_RECEIVE,
    {"connection", "rep->rr_rxprt->rx_ep->re_id", 0, 0},
    ADDRESSES("rep->rr_rxprt->rx_ep->re_id"),
    {"length", "rep->rr_hdrbuf.len", 0, 0},
    {"flags", "rep->rr_wc_flags", 0, 0},
    {"handle", "rep->rr_inv_rkey", 0, 0},
    {"octets", "rep->rr_rdmabuf->rg_data", 5, 0},
    {0}};
static const struct trace_field client_receives_more[] = {
    CLIENT_RECEIVE, {"octets", "rep->rr_rdmabuf->rg_data", 3, 5}, {0}};

/* ---- connections ---- */

/* What the other side says: in its request, or in its answer. */
#define HEARS(id)                                                                                  \
    {"id", id, 0, 0}, {"kind", "event->event", 0, 0},                                              \
        {"length", "event->param.conn.private_data_len", 0, 0},                                    \
        {"octets", "event->param.conn.private_data", 1, 0},                                        \
    {                                                                                              \
        0                                                                                          \
    }
/* What this side says itself. */
#define SAYS                                                                                       \
    {"id", "id", 0, 0}, {"connection", "id->context", 0, 0}, ADDRESSES("id"),                      \
        {"length", "conn_param->private_data_len", 0, 0},                                          \
        {"octets", "conn_param->private_data", 1, 0},                                              \
    {                                                                                              \
        0                                                                                          \
    }
static const struct trace_field requests[] = {HEARS("cma_id")};
static const struct trace_field accepts[] = {SAYS};
static const struct trace_field server_ends[] = {HEARS("cma_id")};
static const struct trace_field connects[] = {SAYS};
static const struct trace_field answers[] = {HEARS("id")};
static const struct trace_field disconnects[] = {{"id", "id", 0, 0}, {0}};

const struct trace_probe trace_probes[] = {
    {"requests", TRACE_SERVER, "rpcrdma", {"svc_rdma_listen_handler"}, .fields = requests},
    {"accepts", TRACE_SERVER, "rdma_cm", {"rdma_accept"}, .fields = accepts},
    {"server_receives",
     TRACE_SERVER,
     "rpcrdma",
     {"svc_rdma_wc_receive"},
     .fields = server_receives,
     .is_content = true},
    {"server_receives_more",
     TRACE_SERVER,
     "rpcrdma",
     {"svc_rdma_wc_receive"},
     .fields = server_receives_more,
     .is_content = true},
    {"operations",
     TRACE_SERVER,
     "ib_core",
     {"rdma_rw_ctx_wrs"},
     .fields = operations,
     .of_operations = true},
    {"operation_rows",
     TRACE_SERVER,
     "ib_core",
     {"rdma_rw_ctx_wrs"},
     .fields = operation_rows,
     .of_operations = true,
     .at_return = true},
    {"operation_rows_more",
     TRACE_SERVER,
     "ib_core",
     {"rdma_rw_ctx_wrs"},
     .fields = operation_rows_more,
     .of_operations = true,
     .at_return = true},
    {"server_replies",
     TRACE_SERVER,
     "rpcrdma",
     {"svc_rdma_sendto"},
     .fields = server_replies,
     .is_content = true},
    {"server_replies_more",
     TRACE_SERVER,
     "rpcrdma",
     {"svc_rdma_sendto"},
     .fields = server_replies_more,
     .is_content = true},
    {"server_calls",
     TRACE_SERVER,
     "rpcrdma",
     {"xprt_rdma_bc_send_request"},
     .fields = server_calls,
     .is_content = true},
    {"server_sends",
     TRACE_SERVER,
     "rpcrdma",
     {"svc_rdma_post_send", "svc_rdma_send"},
     .fields = server_sends,
     .is_content = true},
    {"server_sends_more",
     TRACE_SERVER,
     "rpcrdma",
     {"svc_rdma_post_send", "svc_rdma_send"},
     .fields = server_sends_more,
     .is_content = true},
    {"server_ends", TRACE_SERVER, "rpcrdma", {"svc_rdma_cma_handler"}, .fields = server_ends},
    {"connects", TRACE_CLIENT, "rdma_cm", {"rdma_connect_locked"}, .fields = connects},
    {"answers", TRACE_CLIENT, "rpcrdma", {"rpcrdma_cm_event_handler"}, .fields = answers},
    {"client_sends",
     TRACE_CLIENT,
     "rpcrdma",
     {"frwr_send"},
     .fields = client_sends,
     .is_content = true},
    {"client_sends_more",
     TRACE_CLIENT,
     "rpcrdma",
     {"frwr_send"},
     .fields = client_sends_more,
     .is_content = true,
     .without_registrations = true},
    {"client_sends_more",
     TRACE_CLIENT,
     "rpcrdma",
     {"frwr_send"},
     .fields = client_sends_registering,
     .is_content = true,
     .of_registrations = true},
    {"invalidations",
     TRACE_CLIENT,
     "rpcrdma",
     {"frwr_wc_localinv"},
     .fields = invalidations,
     .of_registrations = true},
    {"invalidations_waking",
     TRACE_CLIENT,
     "rpcrdma",
     {"frwr_wc_localinv_wake"},
     .fields = invalidations,
     .of_registrations = true},
    {"invalidations_done",
     TRACE_CLIENT,
     "rpcrdma",
     {"frwr_wc_localinv_done"},
     .fields = invalidations,
     .of_registrations = true},
    {"completions",
     TRACE_CLIENT,
     "rpcrdma",
     {"rpcrdma_complete_rqst"},
     .fields = completions,
     .of_registrations = true},
    {"releases",
     TRACE_CLIENT,
     "rpcrdma",
     {"xprt_rdma_free_slot"},
     .fields = releases,
     .of_registrations = true},
    {"client_receives",
     TRACE_CLIENT,
     "rpcrdma",
     {"rpcrdma_reply_handler"},
     .fields = client_receives,
     .is_content = true},
    {"client_receives_more",
     TRACE_CLIENT,
     "rpcrdma",
     {"rpcrdma_reply_handler"},
     .fields = client_receives_more,
     .is_content = true},
    {"disconnects", TRACE_BOTH, "rdma_cm", {"rdma_disconnect"}, .fields = disconnects},
    {0}};
