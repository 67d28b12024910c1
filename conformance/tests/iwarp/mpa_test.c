// SPDX-License-Identifier: BSD-3-Clause
/* MPA: the frames that start a connection; FPDUs, however they are cut into segments. */
#include "conformance/input/iwarp/crc32c.h"
#include "conformance/input/iwarp/mpa.h"
#include "conformance/input/iwarp/rdmap.h"

#include "conformance/tests/support/captures/fpdus.h"
#include "conformance/tests/support/captures/guarded.h"
#include "conformance/tests/support/captures/seen.h"
#include "conformance/base/count.h"

#define FPDUS 12

static struct memory memory;
static struct mpa_stream stream;
static struct fpdus made;
static uint8_t ulpdu[FPDUS][2048];
static size_t ulpdu_length[FPDUS], begins[FPDUS + 1];
static unsigned taken, cut_short, lost[3], unframed;
static unsigned which[64];

/* This runs many thousand times, and ck_assert writes each one to disk, even where it holds. */
#define HOLDS(condition)                                                                           \
    do {                                                                                           \
        if (!(condition))                                                                          \
            ck_abort_msg("%s", #condition);                                                        \
    } while (0)

/* Which of them it is shows in its last octets of the header; its content must be as it was made.
 */
static void take_ulpdu(void *arg, const uint8_t *content, size_t recorded, size_t length,
                       uint64_t frame)
{
    HOLDS(arg == &stream);
    HOLDS(frame == 7);
    HOLDS(recorded <= length);
    unsigned number = 0;
    while (number < FPDUS && (recorded < 18 || content[13] != ulpdu[number][13]))
        number++;
    if (recorded < 18)
        number = taken;
    HOLDS(number < FPDUS);
    HOLDS(length == ulpdu_length[number]);
    HOLDS(recorded == 0 || memcmp(content, ulpdu[number], recorded) == 0);
    cut_short += recorded < length;
    HOLDS(taken < COUNT(which));
    which[taken++] = number;
}

static void take_lost(void *arg, enum mpa_loss loss, uint64_t frame)
{
    HOLDS(arg == &stream);
    HOLDS(frame == 7);
    lost[loss]++;
}

static void take_unframed(void *arg, uint64_t frame)
{
    HOLDS(arg == &stream);
    HOLDS(frame == 7);
    unframed++;
}

static const struct mpa_handler handler = {take_ulpdu, take_lost, take_unframed,
                                           rdmap_is_plausible};

static void evict_nothing(void *arg, size_t count)
{
    (void)arg, (void)count;
}

static void restart(void)
{
    mpa_free(&stream);
    HOLDS(memory.used == 0);
    memory = (struct memory){.max = 1 << 20, .evict = evict_nothing};
    stream = (struct mpa_stream){.memory = &memory, .handler = &handler, .arg = &stream};
    mpa_begin(&stream, made.markers, made.crc);
    taken = cut_short = unframed = 0;
    memset(lost, 0, sizeof lost);
}

/* Twelve Sends of many lengths. */
static void make(bool markers, bool crc)
{
    static const size_t lengths[FPDUS] = {18,  19,   20,   21,   488, 500,
                                          506, 1024, 1400, 2040, 22,  1000};
    made = (struct fpdus){.markers = markers, .crc = crc};
    for (unsigned i = 0; i < FPDUS; i++) {
        memcpy(ulpdu[i], octets + i, sizeof ulpdu[i]);
        memset(ulpdu[i], 0, 18);
        ulpdu[i][0] = 0x41;
        ulpdu[i][1] = 0x43;
        ulpdu[i][13] = (uint8_t)(i + 1);
        ulpdu_length[i] = lengths[i];
        begins[i] = made.length;
        put_fpdu(&made, ulpdu[i], lengths[i]);
    }
    begins[FPDUS] = made.length;
    restart();
}

static void begin(void)
{
    setup();
    memory = (struct memory){.evict = evict_nothing};
    stream = (struct mpa_stream){.memory = &memory};
}

static void end(void)
{
    mpa_free(&stream);
    ck_assert_uint_eq(memory.used, 0);
}

static void take(size_t from, size_t recorded, size_t total)
{
    mpa_take(&stream, guarded(made.octets + from, recorded), recorded, total, 7);
}

static void expect_all(void)
{
    HOLDS(taken == FPDUS);
    for (unsigned i = 0; i < FPDUS; i++)
        HOLDS(which[i] == i);
    HOLDS(cut_short + lost[0] + lost[1] + lost[2] + unframed == 0);
}

#define MARKERS (_i & 1)
#define CRC (_i >> 1 & 1)

/* Segments of any size: an FPDU in several, several FPDUs in one. */
START_TEST(segments)
{
    make(MARKERS, CRC);
    for (size_t size = 1; size < 3000; size += size < 600 ? 1 : 97) {
        restart();
        for (size_t at = 0; at < made.length; at += size) {
            size_t part = made.length - at < size ? made.length - at : size;
            take(at, part, part);
        }
        expect_all();
    }
    restart();
    take(0, made.length, made.length);
    expect_all();
}
END_TEST

/* A segment is missing: what it holds a part of is lost, all else is found again where a segment
 * begins with an FPDU. */
START_TEST(missing)
{
    make(MARKERS, CRC);
    for (unsigned gone = 0; gone < FPDUS; gone++) {
        restart();
        take(0, begins[gone], begins[gone]);
        mpa_skip(&stream, (uint32_t)(begins[gone + 1] - begins[gone]));
        for (unsigned i = gone + 1; i < FPDUS; i++)
            take(begins[i], begins[i + 1] - begins[i], begins[i + 1] - begins[i]);
        ck_assert_uint_eq(taken, FPDUS - 1);
        for (unsigned i = 0; i < FPDUS - 1; i++)
            ck_assert_uint_eq(which[i], i + (i >= gone));
        ck_assert_uint_eq(lost[0] + lost[1] + lost[2], 0);
    }
}
END_TEST

/* A marker that was not recorded leaves its own FPDU unchecked, and no later one. */
START_TEST(a_marker_is_cut_off)
{
    make(true, true);
    size_t marker = (begins[4] + 511) / 512 * 512;
    ck_assert_uint_lt(marker + 4, begins[5]);
    take(0, begins[4], begins[4]);
    take(begins[4], marker - begins[4] + 2, begins[5] - begins[4]);
    ck_assert_uint_eq(taken, 5);
    ck_assert_uint_eq(cut_short, 1);
    made.octets[begins[5] + 40] ^= 1;
    size_t wrong = (begins[7] + 511) / 512 * 512;
    made.octets[wrong + 3] ^= 1;
    for (unsigned i = 5; i < FPDUS; i++)
        take(begins[i], begins[i + 1] - begins[i], begins[i + 1] - begins[i]);
    ck_assert_uint_eq(lost[MPA_LOST_CRC], 1);
    ck_assert_uint_eq(lost[MPA_LOST_MARKER], 1);
    ck_assert_uint_eq(taken, FPDUS - 2);
}
END_TEST

/* Segments that do not begin with an FPDU are not taken for it. */
START_TEST(missing_and_shifted)
{
    make(MARKERS, CRC);
    size_t from = begins[6];
    take(0, begins[5], begins[5]);
    mpa_skip(&stream, (uint32_t)(from - begins[5]));
    take(from, 100, 100);
    take(from + 100, begins[7] - from, begins[7] - from);
    take(begins[7] + 100, begins[8] - begins[7] - 100, begins[8] - begins[7] - 100);
    ck_assert_uint_eq(taken, 5);
    ck_assert_uint_eq(unframed, 3);
    take(begins[8], begins[10] - begins[8], begins[10] - begins[8]); /* two of them */
    ck_assert_uint_eq(taken, 7);
}
END_TEST

/* After a loss, a segment of two FPDUs that was not recorded to its end: they are found if the
 * headers of both are there. */
START_TEST(missing_and_cut)
{
    make(false, CRC);
    size_t from = begins[1], second = begins[2] - from, total = begins[3] - from;
    for (size_t recorded = 0; recorded <= total; recorded++) {
        bool found = recorded >= second + 2 + 18;
        restart();
        mpa_skip(&stream, (uint32_t)from);
        take(from, recorded, total);
        ck_assert_uint_eq(taken, found ? 2 : 0);
        ck_assert_uint_eq(unframed, !found);
        ck_assert_uint_eq(cut_short, found && recorded < second + 2 + ulpdu_length[2]);
        if (found)
            ck_assert(which[0] == 1 && which[1] == 2);
    }
}
END_TEST

/* Nor are they if the second ends before the segment does, or goes on behind it. */
START_TEST(missing_and_other_length)
{
    make(false, CRC);
    size_t from = begins[1], total = begins[3] - from;
    for (size_t more = 0; more < 3; more++) {
        restart();
        mpa_skip(&stream, (uint32_t)from);
        take(from, total + more - 1, total + more - 1);
        ck_assert_uint_eq(taken, more == 1 ? 2 : 0);
        ck_assert_uint_eq(unframed, more != 1);
    }
}
END_TEST

/* Only the beginning of each segment is recorded. */
START_TEST(snapped)
{
    make(MARKERS, CRC);
    for (size_t snap = 0; snap < 2100; snap++) {
        restart();
        unsigned whole = 0, begun = 0;
        for (unsigned i = 0; i < FPDUS; i++) {
            size_t size = begins[i + 1] - begins[i], recorded = snap < size ? snap : size;
            take(begins[i], recorded, size);
            whole += recorded == size;
            begun += recorded >= 26; /* header and marker and header */
        }
        HOLDS(taken >= begun);
        HOLDS(taken - cut_short >= whole);
        HOLDS(lost[MPA_LOST_CRC] + lost[MPA_LOST_MARKER] == 0);
        HOLDS(taken == FPDUS || lost[MPA_LOST_FRAMING] > 0);
    }
}
END_TEST

/* Every prefix, as it is cut off by a snap length and as it is cut off by the end of the capture.
 */
START_TEST(prefixes)
{
    make(MARKERS, CRC);
    for (size_t length = 0; length <= made.length; length++) {
        restart();
        take(0, length, made.length);
        unsigned at_least = taken - cut_short;
        restart();
        take(0, length, length);
        HOLDS(cut_short == 0);
        HOLDS(at_least >= taken);
        HOLDS(lost[0] + lost[1] + lost[2] == 0);
        HOLDS(length < begins[taken + (taken < FPDUS)] || taken == FPDUS);
    }
}
END_TEST

/* Each octet wrong, one after the other: where check sums are in use, what is wrong is lost, and
 * nothing wrong is taken (take_ulpdu() sees to that). */
START_TEST(damaged)
{
    make(MARKERS, true);
    for (size_t at = 0; at < begins[7]; at++) {
        made.octets[at] ^= 0x10;
        restart();
        for (unsigned i = 0; i < FPDUS; i++)
            take(begins[i], begins[i + 1] - begins[i], begins[i + 1] - begins[i]);
        HOLDS(lost[0] + lost[1] + lost[2] >= 1);
        HOLDS(lost[0] + lost[1] + lost[2] <= 2);
        /* A length that is too long takes the next with it. */
        HOLDS(taken >= 2);
        HOLDS(taken <= FPDUS - 1);
        made.octets[at] ^= 0x10;
    }
}
END_TEST

/* An octet of the content is wrong, of an FPDU that comes in one segment or in two. */
START_TEST(wrong_check_sum)
{
    make(MARKERS, true);
    size_t size = begins[6] - begins[5], first = _i < 2 ? size : size / 2;
    made.octets[begins[5] + 300] ^= 1;
    take(0, begins[5], begins[5]);
    take(begins[5], first, first);
    if (first < size)
        take(begins[5] + first, size - first, size - first);
    ck_assert_uint_eq(lost[MPA_LOST_CRC], 1);
    ck_assert_uint_eq(lost[MPA_LOST_MARKER] + lost[MPA_LOST_FRAMING], 0);
    take(begins[6], made.length - begins[6], made.length - begins[6]);
    ck_assert_uint_eq(taken, FPDUS - 1);
    ck_assert_uint_eq(lost[MPA_LOST_CRC], 1);
    ck_assert_uint_eq(lost[MPA_LOST_MARKER] + lost[MPA_LOST_FRAMING] + unframed, 0);
}
END_TEST

START_TEST(wrong_marker)
{
    make(true, false);
    made.octets[514] ^= 4;
    take(0, made.length, made.length);
    ck_assert_uint_eq(lost[MPA_LOST_MARKER], 1);
    made.octets[514] ^= 4;
    for (unsigned i = 0; i < 3; i++)
        ck_assert_uint_eq(which[i], i);
}
END_TEST

START_TEST(no_room)
{
    make(false, false);
    memory.max = 0;
    for (size_t at = 0; at < made.length; at += 100)
        take(at, made.length - at < 100 ? made.length - at : 100,
             made.length - at < 100 ? made.length - at : 100);
    ck_assert_uint_eq(taken, FPDUS);
    ck_assert_uint_gt(cut_short, 6); /* as if the rest had not been recorded */
}
END_TEST

/* There is no room for a part, and again for what follows it: that is not taken for the part. */
START_TEST(room_again)
{
    make(MARKERS, CRC);
    size_t third = (begins[10] - begins[9]) / 3;
    take(0, begins[9], begins[9]);
    ck_assert_uint_eq(taken, 9);
    memory.max = _i < 4 ? 0 : 1 << 20;
    take(begins[9], third, third);
    memory.max = 0;
    take(begins[9] + third, third, third);
    memory.max = 1 << 20;
    take(begins[9] + 2 * third, made.length - begins[9] - 2 * third,
         made.length - begins[9] - 2 * third);
    ck_assert_uint_eq(taken, FPDUS);
    ck_assert_uint_eq(cut_short, _i < 4);
    ck_assert_uint_eq(lost[0] + lost[1] + lost[2], 0);
}
END_TEST

START_TEST(longest)
{
    static uint8_t most[65535];
    memset(most, 1, sizeof most);
    for (_i = 0; _i < 4; _i++) {
        made = (struct fpdus){.markers = MARKERS, .crc = CRC};
        memcpy(most, "\x41\x43\0\0\0\0\0\0\0\0\0\0\0\x01\0\0\0\0", 18);
        put_fpdu(&made, most, sizeof most);
        restart();
        memory.max = 1 << 20;
        ulpdu_length[0] = 65535;
        ck_assert_uint_eq(made.length, 65537 + 3 + 4 + (MARKERS ? 130 * 4 : 0));
        ulpdu[0][13] = 99;
        mpa_take(&stream, made.octets, made.length - 1, made.length - 1, 7);
        ck_assert_uint_eq(taken, 0);
        ck_assert_uint_gt(stream.count, 65000);
    }
}
END_TEST

START_TEST(check_sums)
{
    uint32_t crc = crc32c_add(CRC32C_BEGIN, (const uint8_t *)"1234", 4);
    ck_assert_uint_eq(crc32c_end(crc32c_add(crc, (const uint8_t *)"56789", 5)), 0x839206e3);
    /* RFC 3720 appendix B.4 */
    uint8_t zeros[32] = {0};
    ck_assert_uint_eq(crc32c_end(crc32c_add(CRC32C_BEGIN, zeros, 32)), 0xaa36918a);
}
END_TEST

START_TEST(starts)
{
    uint8_t frame_octets[MPA_START_MAX + 8];
    struct mpa_start start;
    size_t length = put_mpa_start(frame_octets, false, 0xc0, 1, octets, 8);
    for (size_t i = 0; i < length; i++) {
        ck_assert_int_eq(mpa_start_parse(frame_octets, i, false, &start), MPA_MORE);
        ck_assert(mpa_is_request(frame_octets, i) == (i >= 16));
    }
    ck_assert_int_eq(mpa_start_parse(frame_octets, length + 1, false, &start), MPA_PARSED);
    ck_assert(start.markers && start.crc && !start.rejected && !start.peer_to_peer);
    ck_assert_uint_eq(start.length, length);
    ck_assert_ptr_eq(start.private_data, frame_octets + 20);
    ck_assert_uint_eq(start.private_length, 8);
    ck_assert_int_eq(mpa_start_parse(frame_octets, length, true, &start), MPA_WRONG);
    ck_assert_int_eq(mpa_start_parse(frame_octets, 13, true, &start), MPA_WRONG);

    length = put_mpa_start(frame_octets, true, 0x20, 1, NULL, 0);
    ck_assert_int_eq(mpa_start_parse(frame_octets, length, true, &start), MPA_PARSED);
    ck_assert(!start.markers && !start.crc && start.rejected);

    length = put_mpa_start(frame_octets, true, 0, 2, octets, 512);
    ck_assert_int_eq(mpa_start_parse(frame_octets, length, true, &start), MPA_PARSED);
    ck_assert_uint_eq(start.private_length, 512);
    put16(frame_octets + 18, 513);
    ck_assert_int_eq(mpa_start_parse(frame_octets, length + 1, true, &start), MPA_WRONG);
}
END_TEST

/* Each octet of the key counts, be it more or less. */
START_TEST(keys)
{
    for (int is_reply = 0; is_reply < 2; is_reply++)
        for (size_t at = 0; at < 32; at++) {
            uint8_t frame_octets[MPA_START_MAX];
            struct mpa_start start;
            size_t length = put_mpa_start(frame_octets, is_reply, 0, 1, NULL, 0);
            frame_octets[at / 2] = (uint8_t)(frame_octets[at / 2] + (at % 2 ? 1 : 255));
            ck_assert(is_reply || !mpa_is_request(frame_octets, length));
            ck_assert_int_eq(mpa_start_parse(frame_octets, length, is_reply, &start), MPA_WRONG);
        }
}
END_TEST

/* Each of the flags, in a request and in a reply, of each revision. */
START_TEST(start_flags)
{
    uint8_t frame_octets[MPA_START_MAX];
    for (unsigned flags = 0; flags < 256; flags++)
        for (unsigned length = 0; length < 8; length++) {
            bool is_reply = _i & 1;
            uint8_t revision = (uint8_t)(_i >> 1);
            bool enhanced = revision >= 2 && flags & 0x10 && length >= 4;
            struct mpa_start start;
            size_t total =
                put_mpa_start(frame_octets, is_reply, (uint8_t)flags, revision, octets, length);
            HOLDS(mpa_start_parse(guarded(frame_octets, total), total, is_reply, &start) ==
                  MPA_PARSED);
            HOLDS(start.markers == (flags >> 7 & 1) && start.crc == (flags >> 6 & 1));
            HOLDS(start.rejected == (is_reply && flags & 0x20));
            HOLDS(start.revision == revision && start.length == total);
            HOLDS(start.private_length == length - (enhanced ? 4 : 0));
            HOLDS(memcmp(start.private_data, octets + (enhanced ? 4 : 0), start.private_length) ==
                  0);
            HOLDS(!start.peer_to_peer);
        }
}
END_TEST

/* The highest bit of the first word says that the client begins, and no other one. */
START_TEST(peer_to_peer)
{
    uint8_t frame_octets[MPA_START_MAX], data[4];
    struct mpa_start start;
    for (unsigned bit = 0; bit < 32; bit++) {
        put32(data, 1u << bit);
        size_t length = put_mpa_start(frame_octets, false, 0x10, 2, data, sizeof data);
        ck_assert_int_eq(mpa_start_parse(frame_octets, length, false, &start), MPA_PARSED);
        ck_assert(start.peer_to_peer == (bit == 31));
        put32(data, ~(1u << bit));
        length = put_mpa_start(frame_octets, false, 0x10, 2, data, sizeof data);
        ck_assert_int_eq(mpa_start_parse(frame_octets, length, false, &start), MPA_PARSED);
        ck_assert(start.peer_to_peer == (bit != 31));
    }
}
END_TEST

/* Revision 2: the upper layer's private data comes after the depths of RDMA Reads. */
START_TEST(enhanced_starts)
{
    uint8_t frame_octets[MPA_START_MAX], data[8] = {0x80, 16, 0x40, 16, 1, 2, 3, 4};
    struct mpa_start start;
    size_t length = put_mpa_start(frame_octets, false, 0x10, 2, data, 8);
    ck_assert_int_eq(mpa_start_parse(frame_octets, length, false, &start), MPA_PARSED);
    ck_assert(start.peer_to_peer);
    ck_assert_uint_eq(start.private_length, 4);
    ck_assert_mem_eq(start.private_data, data + 4, 4);
    frame_octets[20] = 0;
    ck_assert_int_eq(mpa_start_parse(frame_octets, length, false, &start), MPA_PARSED);
    ck_assert(!start.peer_to_peer);
    frame_octets[17] = 1; /* where the flag means nothing */
    ck_assert_int_eq(mpa_start_parse(frame_octets, length, false, &start), MPA_PARSED);
    ck_assert_uint_eq(start.private_length, 8);
    length = put_mpa_start(frame_octets, false, 0x10, 2, data, 3); /* too short for it */
    ck_assert_int_eq(mpa_start_parse(frame_octets, length, false, &start), MPA_PARSED);
    ck_assert_uint_eq(start.private_length, 3);
}
END_TEST

/* A segment that is one FPDU: its length says so, if it was recorded. */
START_TEST(only_ulpdu)
{
    const uint8_t fpdu[12] = {0, 3};
    size_t length = 0;
    for (size_t recorded = 0; recorded < 2; recorded++)
        ck_assert_ptr_null(mpa_only_ulpdu(guarded(fpdu, recorded), recorded, 12, &length));
    for (size_t recorded = 2; recorded <= 12; recorded++) {
        const uint8_t *there = guarded(fpdu, recorded);
        ck_assert_ptr_eq(mpa_only_ulpdu(there, recorded, 12, &length), there + 2);
        ck_assert_uint_eq(length, 3);
        ck_assert_ptr_null(mpa_only_ulpdu(there, recorded, 11, &length));
        ck_assert_ptr_null(mpa_only_ulpdu(there, recorded, 13, &length));
    }
}
END_TEST

int main(void)
{
    TCase *tests = tcase_create("MPA");
    tcase_add_checked_fixture(tests, begin, end);
    tcase_set_timeout(tests, 60);
    tcase_add_loop_test(tests, segments, 0, 4);
    tcase_add_loop_test(tests, missing, 0, 4);
    tcase_add_test(tests, a_marker_is_cut_off);
    tcase_add_loop_test(tests, missing_and_shifted, 0, 4);
    tcase_add_loop_test(tests, missing_and_cut, 0, 4);
    tcase_add_loop_test(tests, missing_and_other_length, 0, 4);
    tcase_add_loop_test(tests, snapped, 0, 4);
    tcase_add_loop_test(tests, prefixes, 0, 4);
    tcase_add_loop_test(tests, damaged, 0, 2);
    tcase_add_loop_test(tests, wrong_check_sum, 0, 4);
    tcase_add_test(tests, wrong_marker);
    tcase_add_test(tests, no_room);
    tcase_add_loop_test(tests, room_again, 0, 8);
    tcase_add_test(tests, longest);
    tcase_add_test(tests, check_sums);
    tcase_add_test(tests, only_ulpdu);
    tcase_add_test(tests, starts);
    tcase_add_test(tests, keys);
    tcase_add_loop_test(tests, start_flags, 0, 8);
    tcase_add_test(tests, peer_to_peer);
    tcase_add_test(tests, enhanced_starts);
    return run_tests("iWARP: MPA", tests);
}
