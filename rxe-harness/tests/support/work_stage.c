// SPDX-License-Identifier: BSD-3-Clause
#include "rxe-harness/tests/support/work_stage.h"

#include "rxe-harness/responder/nfs4.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>

uint8_t work_memory[WORK_MEMORY];
unsigned work_writes;

static bool read_memory(struct link *link, uint32_t handle, uint64_t offset, void *octets,
                        size_t length)
{
    (void)link;
    if (handle == WORK_DENIED)
        return false;
    for (size_t i = 0; i < length; i++)
        ((uint8_t *)octets)[i] = work_memory[(offset - WORK_BASE + i) % WORK_MEMORY];
    return true;
}

static bool write_memory(struct link *link, uint32_t handle, uint64_t offset, const void *octets,
                         size_t length)
{
    (void)link;
    if (handle == WORK_DENIED)
        return false;
    ck_assert_uint_gt(length, 0);
    ck_assert_uint_ge(offset, WORK_BASE);
    ck_assert_uint_le(offset - WORK_BASE + length, WORK_MEMORY);
    memcpy(work_memory + (offset - WORK_BASE), octets, length);
    work_writes++;
    return true;
}

static const struct link_ops ops = {.read = read_memory, .write = write_memory};
static struct link peer = {.ops = &ops};
struct responder responder;
struct served_call work;

void work_stage_setup(void)
{
    responder = (struct responder){.link = &peer};
    responder.call = malloc(RESPONDER_MESSAGE_MAX);
    responder.reply = malloc(RESPONDER_MESSAGE_MAX);
    work = (struct served_call){.responder = &responder, .message.prefix.xid = WORK_XID};
    memset(responder.reply, 0xee, 4096);
    for (size_t i = 0; i < WORK_MEMORY; i++)
        work_memory[i] = (uint8_t)(i % 253 + 1);
    work_writes = 0;
}

void work_stage_teardown(void)
{
    free(responder.call);
    free(responder.reply);
    free(responder.store.octets);
    nfs4_free(responder.nfs4);
}
