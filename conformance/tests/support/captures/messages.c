// SPDX-License-Identifier: BSD-3-Clause
#include "conformance/tests/support/captures/messages.h"
#include "conformance/tests/support/captures/guarded.h"

struct memory memory;
struct rdmap rdmap;
struct fpdus sides[2];
uint64_t at_frame;
uint32_t lost_sends;
char told[8192];
size_t told_length;

static void tell(const char *format, ...) __attribute__((format(printf, 1, 2)));
static void tell(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(told + told_length, sizeof told - told_length, format, arguments);
    va_end(arguments);
    told_length += (size_t)length;
    ck_assert_uint_lt(told_length, sizeof told);
}

static void take_event(void *arg, const struct rpcrdma_event *event, uint64_t frame)
{
    static const char *const names[] = {
        [RPCRDMA_EVENT_SEND] = "send",
        [RPCRDMA_EVENT_RDMA_READ] = "read",
        [RPCRDMA_EVENT_RDMA_WRITE] = "write",
        [RPCRDMA_EVENT_REFUSED] = "refused",
    };
    ck_assert_ptr_eq(arg, &rdmap);
    ck_assert_uint_eq(frame, at_frame);
    tell("%c%s%s:%zu", event->from == CLIENT ? '>' : '<', names[event->type],
         event->is_read ? "-read" : "", event->length);
    if (event->missing)
        tell("+%zu", event->missing);
    if (event->invalidate || event->type != RPCRDMA_EVENT_SEND)
        tell("@%x", (unsigned)event->handle);
    if (event->offset)
        tell("/%" PRIx64, event->offset);
    if (event->data == NULL)
        tell("?");
    else if (memcmp(event->data, octets, event->length) != 0)
        tell("!");
    tell(" ");
}

static void take_lost(void *arg, uint32_t sends, uint64_t frame)
{
    ck_assert_ptr_eq(arg, &rdmap);
    ck_assert_uint_eq(frame, at_frame);
    tell("lost:%u ", (unsigned)sends);
    lost_sends += sends;
}

static void take_cut(void *arg, uint64_t frame)
{
    ck_assert_ptr_eq(arg, &rdmap);
    ck_assert_uint_eq(frame, at_frame);
    tell("cut ");
}

static void take_unread(void *arg, uint64_t frame)
{
    ck_assert_ptr_eq(arg, &rdmap);
    ck_assert_uint_eq(frame, at_frame);
    tell("unread ");
}

static void take_terminated(void *arg, enum rpcrdma_endpoint side, uint64_t frame)
{
    ck_assert_ptr_eq(arg, &rdmap);
    ck_assert_uint_eq(frame, at_frame);
    tell("%cterminated ", side == CLIENT ? '>' : '<');
}

const struct rdmap_handler rdmap_handler = {take_event, take_lost, take_cut, take_unread,
                                            take_terminated};

static void evict_nothing(void *arg, size_t count)
{
    (void)arg, (void)count;
}

void begin_messages(void)
{
    setup();
    memory = (struct memory){.max = 1 << 24, .evict = evict_nothing};
    rdmap = (struct rdmap){.memory = &memory, .handler = &rdmap_handler, .arg = &rdmap};
    rdmap_begin(&rdmap);
    memset(sides, 0, sizeof sides);
    sides[0].limit = sides[1].limit = 18 + 100;
    at_frame = told_length = lost_sends = 0;
    told[0] = '\0';
}

void end_messages(void)
{
    rdmap_end(&rdmap, at_frame);
    ck_assert_uint_eq(memory.used, 0);
}

size_t fpdu_size(size_t ulpdu)
{
    return ((2 + ulpdu + 3) & ~(size_t)3) + 4;
}

void pass_on(enum rpcrdma_endpoint side, size_t recorded, unsigned except)
{
    struct fpdus *from = &sides[side];
    unsigned number = 0;
    for (size_t at = 0; at < from->length;) {
        size_t length = load_be16(from->octets + at), kept = length < recorded ? length : recorded;
        const uint8_t *copy = guarded(from->octets + at + 2, kept);
        at_frame++;
        if (number++ == except)
            rdmap_skip(&rdmap, side, at_frame);
        else
            rdmap_take(&rdmap, side, copy, kept, length, at_frame);
        at += fpdu_size(length);
    }
    from->length = 0;
}

void pass_all(enum rpcrdma_endpoint side)
{
    pass_on(side, SIZE_MAX, UINT_MAX);
}
