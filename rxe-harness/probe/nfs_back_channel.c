// SPDX-License-Identifier: BSD-3-Clause
/*
 * A server's Calls in the reverse direction, on the connection of a session of NFS version 4.1 (RFC
 * 8167, RFC 8881 section 2.10.3.1). Some servers try the back channel by NULL. From others there is
 * a Call only where there is something to say: a delegation is given to one client, and recalled
 * since another one opens the file to write it (RFC 8881 section 10.4).
 */
#include "rxe-harness/probe/exchange.h"
#include "rxe-harness/probe/probe.h"
#include "rxe-harness/requester/reverse.h"

#include <rpcrdma/rpcrdma.h>

#include <stdio.h>
#include <string.h>

#define LOOKS 20 /* for a Call of the server, and at the state of the back channel */

static const struct requester_call all_inline;

/* The file is the case's own: a server may give no delegation of a file for some time after it had
 * to recall one. */
struct recall {
    struct nfs_session *session, other;
    bool has_other, is_made, session_gone;
    char name[64];
    size_t folder; /* octets of options.nfs_file before the last name */
    struct nfs_results opened, other_opened;
};

/* ---- COMPOUNDs ---- */

/* Of one client, with SEQUENCE, in the folder of the file. */
static void begin_in_folder(const struct probe *probe, const struct recall *recall,
                            struct nfs_session *session, struct nfs_compound *compound)
{
    nfs_begin_in_session(compound, session, false);
    nfs_lookup(compound, probe->options.nfs_file, recall->folder);
}

static const char *reclaim_complete(struct probe *probe, struct nfs_session *session,
                                    char text[PROBE_TEXT])
{
    struct nfs_compound compound;
    struct nfs_results results;
    nfs_reclaim_complete(&compound, session);
    return exchange_plain(probe, &compound, &all_inline, &results, text);
}

static const char *close_file(struct probe *probe, const struct recall *recall,
                              struct nfs_session *session, const uint8_t *opened,
                              char text[PROBE_TEXT])
{
    struct nfs_compound compound;
    struct nfs_results results;
    begin_in_folder(probe, recall, session, &compound);
    nfs_lookup(&compound, recall->name, strlen(recall->name));
    nfs_close(&compound, opened);
    return exchange_plain(probe, &compound, &all_inline, &results, text);
}

/* Opens the file to read it, which is made if it is not there, and asks for a delegation. It is
 * made by a client that reads: who has it open to write it is no obstacle then. */
static const char *open_to_read(struct probe *probe, struct recall *recall, bool makes,
                                char text[PROBE_TEXT])
{
    static const uint32_t mode[] = {0, 1u << (NFS_FATTR4_MODE - 32)};
    static const uint8_t octets[] = {0, 0, 1, 0xa4}; /* 0644 */
    struct nfs_compound compound;
    begin_in_folder(probe, recall, recall->session, &compound);
    struct nfs_OPEN4args *args = nfs_open(&compound, recall->session, recall->name);
    args->share_access |= NFS_OPEN4_SHARE_ACCESS_WANT_READ_DELEG;
    if (makes)
        args->openhow = (struct nfs_openflag4){
            .opentype = NFS_OPEN4_CREATE,
            .how = {.mode = NFS_UNCHECKED4,
                    .createattrs = {.attrmask = {.items = mode, .count = 2},
                                    .attr_vals = {.data = octets, .length = sizeof octets}}}};
    return exchange_plain(probe, &compound, &all_inline, &recall->opened, text);
}

/* Some servers give a delegation with the OPEN that makes the file, some do not. */
static const char *take_delegation(struct probe *probe, struct recall *recall,
                                   char text[PROBE_TEXT])
{
    const char *wrong = open_to_read(probe, recall, true, text);
    recall->is_made = recall->opened.is_opened;
    if (wrong || recall->opened.has_delegation)
        return wrong;
    wrong = close_file(probe, recall, recall->session, recall->opened.opened, text);
    if (wrong == NULL)
        wrong = open_to_read(probe, recall, false, text);
    if (wrong || recall->opened.has_delegation)
        return wrong;
    return "the server gives no delegation to recall";
}

/* How the other one is answered is the server's affair: as a rule by DELAY. */
static const char *open_to_write(struct probe *probe, struct recall *recall, char text[PROBE_TEXT])
{
    struct nfs_compound compound;
    begin_in_folder(probe, recall, &recall->other, &compound);
    nfs_open(&compound, &recall->other, recall->name)->share_access = NFS_OPEN4_SHARE_ACCESS_WRITE;
    const char *wrong = exchange_plain(probe, &compound, &all_inline, &recall->other_opened, text);
    if (recall->other_opened.status == NFS_NFS4ERR_DELAY)
        return NULL;
    if (wrong && probe->run.current.nothing == RPCRDMA_DISCARD)
        return "the OPEN for which a delegation is recalled is not answered before it comes back";
    return wrong;
}

/* ---- the occasion ---- */

static const char *begin_other(struct probe *probe, struct recall *recall, char text[PROBE_TEXT])
{
    const char *wrong = probe_begin_session_of(probe, ", other", 0, &recall->other, text);
    recall->has_other = wrong == NULL;
    return wrong ? wrong : reclaim_complete(probe, &recall->other, text);
}

static const char *cause_recall(struct probe *probe, struct recall *recall, char text[PROBE_TEXT])
{
    const char *file = probe->options.nfs_file, *slash = file ? strrchr(file, '/') : NULL;
    if (file == NULL)
        return "that takes --nfs-file";
    recall->folder = slash ? (size_t)(slash + 1 - file) : 0;
    snprintf(recall->name, sizeof recall->name, "rpcrdma-probe-%08x", probe->run.first_xid);
    const char *wrong = reclaim_complete(probe, recall->session, text);
    if (wrong == NULL)
        wrong = take_delegation(probe, recall, text);
    if (wrong == NULL)
        wrong = begin_other(probe, recall, text);
    return wrong ? wrong : open_to_write(probe, recall, text);
}

/* Nothing is left over, where the server lets us; the case is judged without that. */
static void end_recall(struct probe *probe, struct recall *recall)
{
    const struct probe_current before = probe->run.current;
    struct nfs_compound compound;
    struct nfs_results results;
    char text[PROBE_TEXT];
    if (recall->session_gone && recall->opened.is_opened && !requester_gone(probe->requester))
        probe_make_session(probe, 0, recall->session, text); /* to give it back */
    if (recall->opened.has_delegation && !requester_gone(probe->requester)) {
        begin_in_folder(probe, recall, recall->session, &compound);
        nfs_lookup(&compound, recall->name, strlen(recall->name));
        nfs_return_delegation(&compound, recall->opened.delegation);
        exchange_plain(probe, &compound, &all_inline, &results, text);
    }
    if (recall->opened.is_opened && !requester_gone(probe->requester))
        close_file(probe, recall, recall->session, recall->opened.opened, text);
    if (recall->other_opened.is_opened && !requester_gone(probe->requester))
        close_file(probe, recall, &recall->other, recall->other_opened.opened, text);
    if (recall->is_made && !requester_gone(probe->requester)) {
        begin_in_folder(probe, recall, recall->session, &compound);
        nfs_remove(&compound, recall->name);
        exchange_plain(probe, &compound, &all_inline, &results, text);
    }
    if (recall->has_other)
        probe_end_session(probe, &recall->other);
    probe->run.current.inapplicable = before.inapplicable;
    probe->run.current.nothing = before.nothing;
}

/* A case that keeps a Call has one to keep: what came before its session began was answered. */
static bool has_called(const struct probe *probe)
{
    const struct probe_held *held = probe->run.current.held;
    return held ? held->length > 0 : probe->requester->answered > 0;
}

static bool is_called(struct probe *probe)
{
    struct link_event event = {.type = LINK_RECEIVED};
    /* Sends that are no Calls do not keep us here for ever. */
    for (int i = 0; i < LOOKS && !has_called(probe) && event.type == LINK_RECEIVED; i++) {
        requester_wait(probe->requester, probe->peer.late, &event);
        if (event.type == LINK_RECEIVED)
            exchange_take_call(probe);
    }
    return has_called(probe);
}

/* Until the server has called: NULL, or why it has not. */
static const char *await_call(struct probe *probe, struct recall *recall, char text[PROBE_TEXT])
{
    struct probe_current *current = &probe->run.current;
    char cause[PROBE_TEXT];
    if (is_called(probe))
        return NULL;
    const char *wrong = NULL;
    if (!requester_gone(probe->requester))
        wrong = cause_recall(probe, recall, cause);
    bool called = has_called(probe) || (wrong == NULL && is_called(probe));
    bool gone = !called && requester_gone(probe->requester);
    /* How the server answers what is to cause a Call says nothing of the back channel. */
    current->inapplicable = !called && !gone;
    current->nothing = gone ? RPCRDMA_CLOSE : 0;
    if (called || gone)
        return called ? NULL : "the end of the connection";
    snprintf(text, PROBE_TEXT, "no Call came in the reverse direction%s%.200s",
             wrong ? ", and none could be caused: " : ", though another client opened the file",
             wrong ? wrong : "");
    return text;
}

/* ---- cases ---- */

/* What SEQUENCE says of the back channel, once the answer has reached who waits for it. */
static const char *back_channel_state(struct probe *probe, struct nfs_session *session,
                                      char text[PROBE_TEXT])
{
    struct nfs_compound compound;
    struct nfs_results results = {.session_status = 0};
    const char *wrong = NULL;
    for (int i = 0; i < LOOKS && wrong == NULL; i++) {
        struct link_event event;
        nfs_begin_in_session(&compound, session, false);
        wrong = exchange_plain(probe, &compound, &all_inline, &results, text);
        if (!(results.session_status &
              (NFS_SEQ4_STATUS_CB_PATH_DOWN | NFS_SEQ4_STATUS_CB_PATH_DOWN_SESSION)))
            return wrong;
        requester_wait(probe->requester, probe->peer.patience, &event);
        if (event.type == LINK_RECEIVED)
            requester_answer_call(probe->requester);
    }
    if (wrong)
        return wrong;
    probe->run.current.tolerated = true;
    snprintf(text, PROBE_TEXT,
             "the back channel is said to be down (0x%x), though %u Calls were answered",
             results.session_status, probe->requester->answered);
    return text;
}

const char *probe_nfs_back_channel(struct probe *probe, const struct probe_case *test_case,
                                   char text[PROBE_TEXT])
{
    (void)test_case;
    struct requester *peer = probe->requester;
    struct nfs_session session;
    struct recall recall = {.session = &session};
    const char *wrong =
        probe_begin_session(probe, NFS_CREATE_SESSION4_FLAG_CONN_BACK_CHAN, &session, text);
    if (wrong)
        return wrong;
    if (!(session.flags & NFS_CREATE_SESSION4_FLAG_CONN_BACK_CHAN)) {
        probe->run.current.inapplicable = true;
        wrong = "the server uses no back channel on this connection";
    } else {
        wrong = await_call(probe, &recall, text);
        if (wrong == NULL)
            wrong = back_channel_state(probe, &session, text);
        if (wrong == NULL && peer->recalled &&
            memcmp(peer->recalled_other, recall.opened.delegation, 12) != 0) {
            probe->run.current.tolerated = true; /* of NFS, and not of this transport */
            wrong = "as required, but another delegation is recalled than was given";
        }
    }
    end_recall(probe, &recall);
    probe_end_session(probe, &session);
    return wrong;
}

/* The Call that is held is answered now. */
static void answer_held(struct probe *probe, struct probe_held *held)
{
    struct requester *peer = probe->requester;
    probe->run.current.held = NULL;
    if (held->length == 0)
        return;
    memcpy(peer->came, held->octets, held->length);
    peer->came_length = held->length;
    requester_answer_call(peer);
}

/* A server may also say that it is busy with that Call (RFC 8881 section 18.37). */
static const char *destroy_while_called(struct probe *probe, struct recall *recall,
                                        struct probe_held *held, char text[PROBE_TEXT])
{
    struct nfs_compound compound;
    struct nfs_results results;
    nfs_destroy_session(&compound, recall->session);
    const char *wrong = exchange_plain(probe, &compound, &all_inline, &results, text);
    recall->session_gone = wrong == NULL;
    if (wrong && results.status == NFS_NFS4ERR_BACK_CHAN_BUSY)
        wrong = NULL;
    answer_held(probe, held);
    if (wrong || requester_null(probe->requester, probe->options.timeout))
        return wrong;
    bool gone = requester_gone(probe->requester);
    probe->run.current.nothing = gone ? RPCRDMA_CLOSE : RPCRDMA_DISCARD;
    return gone ? "the end of the connection" : "no Reply to NULL after it";
}

/* The session goes while a Call of the server's waits, which is answered when it is gone. */
const char *probe_nfs_end_while_called(struct probe *probe, const struct probe_case *test_case,
                                       char text[PROBE_TEXT])
{
    (void)test_case;
    struct nfs_session session;
    struct recall recall = {.session = &session};
    struct probe_held held = {.length = 0};
    const char *wrong =
        probe_begin_session(probe, NFS_CREATE_SESSION4_FLAG_CONN_BACK_CHAN, &session, text);
    if (wrong)
        return wrong;
    probe->run.current.held = &held;
    wrong = await_call(probe, &recall, text);
    if (wrong == NULL)
        wrong = destroy_while_called(probe, &recall, &held, text);
    probe->run.current.held = NULL;
    end_recall(probe, &recall);
    probe_end_session(probe, &session); /* whatever of it is left */
    return wrong;
}
