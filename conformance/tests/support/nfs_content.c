// SPDX-License-Identifier: BSD-3-Clause
#include "conformance/tests/support/nfs_content.h"

#include "conformance/tests/support/random_xdr.h"

#include <string.h>

enum { PROGRAM = 100003, CALLBACK_PROGRAM = 0x40000000 };
enum { READLINK = 5, READ = 6, WRITE3 = 7, WRITE2 = 8, SYMLINK3 = 10, SYMLINK2 = 13, READDIR = 16 };
enum { READDIRPLUS = 17, LAST2 = 17, LAST3 = 21, DATA2 = 8192 };
enum { OP_CREATE = 6, OP_READ = 25, OP_READDIR = 26, OP_READLINK = 27, OP_WRITE = 38 };
enum { OP_CREATE_SESSION = 43, OP_GETDEVICEINFO = 47, OP_GETDEVICELIST = 48, OP_LAYOUTGET = 50 };
enum { OP_READ_PLUS = 68, OP_LAST = 71, OP_XATTR = 72, OP_XATTR_LAST = 75, OP_ILLEGAL = 10044 };
enum { LINK = 5, MOST = 1500, MINOR_LAST = 2 };

extern const struct xdr_type *const rpcrdma_walk_rpcrdma_nfs4_nfs_argop4;
extern const struct xdr_type *const rpcrdma_walk_rpcrdma_nfs4_nfs_resop4;
#define ARGUMENTS rpcrdma_walk_rpcrdma_nfs4_nfs_argop4
#define RESULTS rpcrdma_walk_rpcrdma_nfs4_nfs_resop4

void nfs_choose(struct nfs_asked *asked, struct dice *dice)
{
    static const uint32_t of2[] = {WRITE2, SYMLINK2, READ, READLINK};
    static const uint32_t of3[] = {WRITE3, SYMLINK3, READ, READLINK};
    *asked = (struct nfs_asked){.program = PROGRAM};
    asked->version = chance(dice, 60) ? 4 : chance(dice, 70) ? 3 : 2;
    if (asked->version == 4)
        asked->procedure = chance(dice, 95);
    else if (chance(dice, 60))
        asked->procedure = (asked->version == 3 ? of3 : of2)[pick(dice, 4)];
    else
        asked->procedure = pick(dice, asked->version == 3 ? LAST3 + 1 : LAST2 + 1);
}

/* ---- pieces ---- */

static uint32_t data_length(struct dice *dice)
{
    return chance(dice, 50) ? 1 + pick(dice, 20) : pick(dice, MOST);
}

static void put_name(struct message *message, struct dice *dice)
{
    message_opaque(message, dice, 1 + pick(dice, 12));
}

static void put_item(struct message *message, struct dice *dice, uint32_t length)
{
    message_opaque(message, dice, length);
    message_is_item(message);
}

static void put_maybe(struct message *message, struct dice *dice, uint32_t words)
{
    bool there = chance(dice, 50);
    message_word(message, there);
    if (there)
        message_random(message, dice, words);
}

static void expect(struct nfs_asked *asked, uint32_t most)
{
    asked->most[asked->results++] = most;
}

/* ---- versions 2 and 3 ---- */

static void put_handle(const struct nfs_asked *asked, struct dice *dice, struct message *message)
{
    if (asked->version == 3)
        message_opaque(message, dice, 4 * pick(dice, 17));
    else
        message_fixed(message, dice, 32);
}

/* sattr3. */
static void put_settings(struct message *message, struct dice *dice)
{
    static const uint32_t words[] = {1, 1, 1, 2};
    for (unsigned i = 0; i < 4; i++)
        put_maybe(message, dice, words[i]);
    for (unsigned i = 0; i < 2; i++) {
        uint32_t how = pick(dice, 3);
        message_word(message, how);
        message_random(message, dice, how == 2 ? 2 : 0);
    }
}

static void arguments3(struct nfs_asked *asked, struct dice *dice, struct message *message)
{
    uint32_t count = data_length(dice);
    if (asked->procedure != 0)
        put_handle(asked, dice, message);
    switch (asked->procedure) {
    case READ:
        message_random(message, dice, 2);
        message_word(message, count);
        expect(asked, count);
        break;
    case READLINK:
        expect(asked, NFS_ANY);
        break;
    case WRITE3:
        message_random(message, dice, 2);
        message_word(message, count);
        message_word(message, pick(dice, 3));
        put_item(message, dice, count);
        break;
    case SYMLINK3:
        put_name(message, dice);
        put_settings(message, dice);
        put_item(message, dice, 1 + pick(dice, 200));
        break;
    case READDIR:
    case READDIRPLUS:
        message_random(message, dice, asked->procedure == READDIR ? 4 : 5);
        message_word(message, 512 + pick(dice, 8192));
        asked->unbounded = true;
        break;
    default:
        message_random(message, dice, pick(dice, 30));
    }
}

static void arguments2(struct nfs_asked *asked, struct dice *dice, struct message *message)
{
    uint32_t count = data_length(dice);
    if (asked->procedure != 0)
        put_handle(asked, dice, message);
    switch (asked->procedure) {
    case READ:
        message_random(message, dice, 1);
        message_word(message, count);
        message_random(message, dice, 1);
        expect(asked, count);
        break;
    case READLINK:
        expect(asked, NFS_ANY);
        break;
    case WRITE2:
        message_random(message, dice, 3);
        put_item(message, dice, count);
        break;
    case SYMLINK2:
        put_name(message, dice);
        put_item(message, dice, 1 + pick(dice, 200));
        message_random(message, dice, 8);
        break;
    case READDIR:
        message_random(message, dice, 1);
        message_word(message, 512 + pick(dice, 8192));
        asked->unbounded = true;
        break;
    default:
        message_random(message, dice, pick(dice, 30));
    }
}

static void put_attributes3(struct message *message, struct dice *dice)
{
    bool there = chance(dice, 50);
    message_word(message, there);
    if (!there)
        return;
    message_word(message, 1 + pick(dice, 7));
    message_random(message, dice, 20);
}

static void results23(const struct nfs_asked *asked, struct dice *dice, const uint32_t *room,
                      struct message *message)
{
    bool failed = chance(dice, 15), reads = asked->procedure == READ;
    if (!reads && asked->procedure != READLINK) {
        message_random(message, dice, asked->procedure == 0 ? 0 : pick(dice, 60));
        return;
    }
    uint32_t length = chance(dice, 50) ? room[0] : pick(dice, room[0] + 1);
    message_word(message, failed ? 70 : 0);
    if (asked->version == 3)
        put_attributes3(message, dice);
    if (failed)
        return;
    if (reads && asked->version == 3) {
        message_word(message, length);
        message_word(message, pick(dice, 2));
    } else if (reads) {
        message_word(message, 1);
        message_random(message, dice, 16);
    }
    put_item(message, dice, length);
}

/* ---- version 4 ---- */

static void put_xattr(uint32_t operation, struct dice *dice, struct message *message)
{
    switch (operation) {
    case OP_XATTR: /* GETXATTR: name */
        put_name(message, dice);
        break;
    case OP_XATTR + 1: /* SETXATTR: option, name, value */
        message_word(message, pick(dice, 3));
        put_name(message, dice);
        message_opaque(message, dice, pick(dice, 40));
        break;
    case OP_XATTR + 2: /* LISTXATTRS: cookie, maxcount */
        message_random(message, dice, 2);
        message_word(message, chance(dice, 50) ? pick(dice, 80) : pick(dice, 8192));
        break;
    default: /* REMOVEXATTR: name */
        put_name(message, dice);
    }
}

static void put_create(struct dice *dice, struct message *message)
{
    uint32_t type = chance(dice, 60) ? LINK : 2;
    message_word(message, type);
    if (type == LINK)
        put_item(message, dice, 1 + pick(dice, 200));
    put_name(message, dice);
    message_word(message, 1), message_word(message, 2), message_opaque(message, dice, 4);
}

/* Whether the arguments of an operation let its results be of any length. */
static bool is_unbounded(uint32_t operation)
{
    return operation == OP_READDIR || operation == OP_GETDEVICEINFO || operation == OP_READ_PLUS ||
           operation == OP_GETDEVICELIST || operation == OP_LAYOUTGET || operation >= OP_XATTR;
}

static void put_operation(struct nfs_asked *asked, uint32_t operation, struct dice *dice,
                          struct message *message)
{
    uint32_t count = data_length(dice);
    asked->unbounded = asked->unbounded || is_unbounded(operation);
    message_word(message, operation);
    switch (operation) {
    case OP_CREATE:
        put_create(dice, message);
        break;
    case OP_READ:
        message_random(message, dice, 6);
        message_word(message, count);
        expect(asked, count);
        break;
    case OP_READLINK:
        expect(asked, NFS_ANY);
        break;
    case OP_WRITE:
        message_random(message, dice, 6);
        message_word(message, pick(dice, 3));
        put_item(message, dice, count);
        break;
    default:
        if (operation >= OP_XATTR)
            put_xattr(operation, dice, message);
        else
            random_xdr_arm(message, dice, ARGUMENTS, operation);
    }
}

static uint32_t choose_operation(const struct nfs_asked *asked, struct dice *dice)
{
    static const uint32_t eligible[] = {OP_READ, OP_READLINK, OP_WRITE, OP_WRITE, OP_CREATE};
    uint32_t operation;
    if (chance(dice, 35))
        return eligible[pick(dice, 5)];
    if (asked->minor == MINOR_LAST && chance(dice, 20))
        return OP_XATTR + pick(dice, 4);
    operation = ARGUMENTS->cases[pick(dice, ARGUMENTS->count)].label & 0xffff;
    return operation == OP_ILLEGAL ? OP_READ : operation;
}

static void compound(struct nfs_asked *asked, struct dice *dice, struct message *message)
{
    uint32_t count = chance(dice, 3) ? 0 : 1 + pick(dice, NFS_OPERATIONS);
    asked->minor = pick(dice, MINOR_LAST + 1);
    message_opaque(message, dice, chance(dice, 30) ? pick(dice, 20) : 0);
    message_word(message, asked->minor);
    size_t count_at = message->length;
    message_word(message, 0);
    for (; asked->operations < count && message->items + 1 < MESSAGE_ITEMS &&
           message_room(message) > 4096;
         asked->operations++) {
        uint32_t operation = choose_operation(asked, dice);
        asked->operation[asked->operations] = operation;
        put_operation(asked, operation, dice, message);
    }
    message->octets[count_at + 3] = (uint8_t)asked->operations;
}

void nfs_arguments(struct nfs_asked *asked, struct dice *dice, struct message *message)
{
    if (asked->version == 3)
        arguments3(asked, dice, message);
    else if (asked->version == 2)
        arguments2(asked, dice, message);
    else if (asked->procedure == 1)
        compound(asked, dice, message);
}

static void put_xattr_result(uint32_t operation, struct dice *dice, struct message *message)
{
    uint32_t names = pick(dice, 4);
    switch (operation) {
    case OP_XATTR:
        message_opaque(message, dice, pick(dice, 60));
        break;
    case OP_XATTR + 2:
        message_random(message, dice, 2);
        message_word(message, names);
        for (uint32_t i = 0; i < names; i++)
            put_name(message, dice);
        message_word(message, pick(dice, 2));
        break;
    default: /* change_info4 */
        message_word(message, pick(dice, 2));
        message_random(message, dice, 4);
    }
}

static uint32_t load(const struct message *message, size_t at)
{
    const uint8_t *o = message->octets + at;
    return (uint32_t)o[0] << 24 | (uint32_t)o[1] << 16 | (uint32_t)o[2] << 8 | o[3];
}

/* One result; returns its status, after which the COMPOUND goes on or ends. */
static uint32_t put_result(uint32_t operation, struct dice *dice, uint32_t room,
                           struct message *message)
{
    uint32_t status = chance(dice, 90) ? 0 : 10001 + pick(dice, 60);
    size_t at = message->length + 4;
    message_word(message, operation);
    if (operation < OP_XATTR && operation != OP_READ && operation != OP_READLINK) {
        random_xdr_arm(message, dice, RESULTS, operation);
        return load(message, at);
    }
    message_word(message, status);
    if (status != 0)
        return status;
    if (operation >= OP_XATTR) {
        put_xattr_result(operation, dice, message);
        return 0;
    }
    if (operation == OP_READ)
        message_word(message, pick(dice, 2));
    put_item(message, dice, chance(dice, 50) ? room : pick(dice, room + 1));
    return 0;
}

void nfs_results(const struct nfs_asked *asked, struct dice *dice, const uint32_t *room,
                 struct message *message)
{
    if (asked->version != 4) {
        results23(asked, dice, room, message);
        return;
    }
    if (asked->procedure == 0)
        return;
    size_t status_at = message->length;
    uint32_t count = 0, status = 0;
    message_word(message, 0);
    message_opaque(message, dice, pick(dice, 8));
    size_t count_at = message->length;
    message_word(message, 0);
    for (uint32_t served = 0; count < asked->operations && status == 0; count++) {
        uint32_t operation = asked->operation[count];
        bool eligible = operation == OP_READ || operation == OP_READLINK;
        status = put_result(operation, dice, eligible ? room[served] : 0, message);
        served += eligible;
    }
    message->octets[count_at + 3] = (uint8_t)count;
    for (int i = 0; i < 4; i++)
        message->octets[status_at + (size_t)i] = (uint8_t)(status >> (24 - 8 * i));
}

/* ---- callbacks ---- */

/* A CB_COMPOUND with CB_RECALL: state, truncate, handle. */
void nfs_callback(struct nfs_asked *asked, struct dice *dice, struct message *message)
{
    *asked = (struct nfs_asked){.program = CALLBACK_PROGRAM, .version = 1, .procedure = 1};
    message_opaque(message, dice, pick(dice, 8));
    message_word(message, 1 + pick(dice, 2));
    message_random(message, dice, 1);
    message_word(message, 1);
    message_word(message, 4);
    message_random(message, dice, 4);
    message_word(message, pick(dice, 2));
    message_opaque(message, dice, 4 * pick(dice, 20));
}
