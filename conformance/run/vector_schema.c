// SPDX-License-Identifier: BSD-3-Clause
/* The shape of vector files as tables, from the inside out. */
#include "conformance/run/vector_schema.h"

#include "conformance/input/vector_words.h"

#include <register_words.h>

#define WORDS(...) ((const char *const[]){__VA_ARGS__, NULL})
#define TYPE static const struct schema_type
#define MEMBERS static const struct schema_member

/* ---- plain values ---- */

TYPE text = {.kind = SCHEMA_TEXT};
TYPE texts = {.kind = SCHEMA_ARRAY, .item = &text};
TYPE unique_texts = {.kind = SCHEMA_ARRAY, .item = &text, .unique = true};
TYPE integer = {.kind = SCHEMA_INTEGER};
TYPE positive = {.kind = SCHEMA_INTEGER, .minimum = 1};
TYPE threshold = {.kind = SCHEMA_INTEGER, .minimum = 1024};
TYPE boolean = {.kind = SCHEMA_BOOLEAN};
TYPE only_true = {.kind = SCHEMA_TRUE};
TYPE any_object = {.kind = SCHEMA_ANY_OBJECT};
TYPE octets = {.kind = SCHEMA_OCTETS,
               .name = "hex",
               .pattern = "^([0-9a-f]{2}([ \\n]?))*$",
               .fault = "is not a string of pairs of lower-case hexadecimal digits"};
TYPE address = {.kind = SCHEMA_PATTERN,
                .pattern = "^0x[0-9a-f]{1,16}$",
                .fault = "is not \"0x\" with 1 to 16 lower-case hexadecimal digits"};
TYPE test_id = {.kind = SCHEMA_PATTERN,
                .pattern = "^[a-z0-9]+(-[a-z0-9]+)*$",
                .fault = "is not an id of lower-case words and hyphens"};
TYPE rule = {.kind = SCHEMA_PATTERN,
             .name = "rule",
             .pattern = "^[a-z0-9.-]+/[0-9A-Z]+(\\.[0-9]+)*/[a-z0-9]+(-[a-z0-9]+)*$",
             .fault = "is not a rule: document/section/slug"};
TYPE schema_name = {.kind = SCHEMA_WORD, .words = WORDS(VECTOR_SCHEMA)};
TYPE protocol = {.kind = SCHEMA_WORD,
                 .words = WORDS(VECTOR_VERSION_1, VECTOR_VERSION_2_04, VECTOR_VERSION_2_07)};
TYPE origin = {.kind = SCHEMA_WORD,
               .words = WORDS("spec", "recorded", "field-bug", "fuzz", "made")};
TYPE note_kind = {.kind = SCHEMA_WORD,
                  .words =
                      WORDS("basic", "edge-case", "malformed", "known-bug", "legacy", "hostile")};
TYPE credits = {.kind = SCHEMA_WORD, .words = WORDS("sum", "halves", "off")};
TYPE binding = {.kind = SCHEMA_WORD, .words = WORDS("none", "nfs")};
TYPE endpoint = {.kind = SCHEMA_WORD,
                 .name = "endpoint",
                 .words = WORDS("client", "server"),
                 .description =
                     "client: the side that opened the connection; server: the side that accepted "
                     "it. Roles (Requester, Responder) belong to messages, not to sides."};
TYPE sides = {.kind = SCHEMA_WORD, .words = WORDS(VECTOR_SIDES)};
TYPE severity = {.kind = SCHEMA_WORD, .words = WORDS("violation", "warning", "note")};
TYPE reaction = {.kind = SCHEMA_WORD, .words = WORDS(REGISTER_REACTION_LIST)};

/* ---- what is expected ---- */

MEMBERS finding_members[] = {
    {"rule", &rule, true, NULL, NULL},
    {"severity", &severity, true, NULL, NULL},
    {"offset", &integer, false, "Byte offset of the field at fault in the Send.", NULL},
    {0}};
TYPE finding = {.kind = SCHEMA_OBJECT, .members = finding_members};
TYPE findings = {.kind = SCHEMA_ARRAY, .item = &finding};
TYPE reactions = {.kind = SCHEMA_ARRAY, .item = &reaction, .least = 1};
MEMBERS expect_members[] = {
    {"findings", &findings, false,
     "Exactly these rules, no more and no fewer. Absent or empty: the event conforms and nothing "
     "is reported.",
     NULL},
    {"headerLength", &integer, false, "Octets of the transport header, where it can be decoded.",
     NULL},
    {"reaction", &reactions, false,
     "Every reaction that the specification leaves open to the receiver of this Send.", NULL},
    {"header", &any_object, false, "The decoded header as 'rpcrdma decode --json' prints it.",
     NULL},
    {0}};
TYPE expect = {.kind = SCHEMA_OBJECT, .name = "expect", .members = expect_members};

/* ---- events ---- */

MEMBERS transfer_members[] = {{"handle", &integer, true, NULL, NULL},
                              {"offset", &address, true, NULL, NULL},
                              {"data", &octets, true, NULL, NULL},
                              {0}};
TYPE transfer = {.kind = SCHEMA_OBJECT,
                 .name = "transfer",
                 .members = transfer_members,
                 .description =
                     "An explicit RDMA operation that the side in 'from' issued against the other "
                     "side's memory; data is what was read or written."};
TYPE operation = {.kind = SCHEMA_WORD, .words = WORDS("read", "write")};
MEMBERS refused_members[] = {{"operation", &operation, true, NULL, NULL},
                             {"handle", &integer, true, NULL, NULL},
                             {"offset", &address, true, NULL, NULL},
                             {"length", &positive, true, NULL, NULL},
                             {0}};
TYPE refused = {.kind = SCHEMA_OBJECT,
                .members = refused_members,
                .description = "The side in 'from' refused an RDMA operation of the other side on "
                               "its memory: a remote access error."};
TYPE access = {.kind = SCHEMA_WORD, .words = WORDS(VECTOR_ACCESS)};
MEMBERS registered_members[] = {{"access", &access, true, NULL, NULL},
                                {"handle", &integer, true, NULL, NULL},
                                {"offset", &address, true, NULL, NULL},
                                {"length", &positive, true, NULL, NULL},
                                {0}};
TYPE registered = {.kind = SCHEMA_OBJECT,
                   .members = registered_members,
                   .description = "The side in 'from' registered memory, which the other side may "
                                  "read, write or both."};
MEMBERS event_members[] = {
    {"from", &endpoint, true, NULL, NULL},
    {"send", &octets, false, "One RDMA Send, whole: transport header and what follows it.", NULL},
    {"invalidate", &integer, false, "With send: the handle that this Send With Invalidate names.",
     NULL},
    {"privateData", &octets, false, "CM private data in this side's connect request or accept.",
     NULL},
    {"rdmaRead", &transfer, false, NULL, NULL},
    {"rdmaWrite", &transfer, false, NULL, NULL},
    {"disconnect", &only_true, false, NULL, NULL},
    {"atomic", &transfer, false, NULL, NULL},
    {"notReady", &integer, false,
     "The side in 'from' had no receive buffer for a Send of the other side (RNR NAK): the one "
     "after this many.",
     NULL},
    {"refused", &refused, false, NULL, NULL},
    {"gap", &text, false,
     "What was not seen here, or was done to what the side in 'from' sent, so that the other side "
     "met something else: from here on nothing is concluded from what is missing.",
     NULL},
    {"registered", &registered, false, NULL, NULL},
    {"invalidated", &integer, false,
     "The side in 'from' took back what it had registered under this handle.", NULL},
    {"completed", &integer, false,
     "The RPC that the side in 'from' called with this XID is over: its upper layer has the memory "
     "back.",
     NULL},
    {"expect", &expect, false, NULL, NULL},
    {0}};
TYPE event = {.kind = SCHEMA_OBJECT,
              .name = "event",
              .members = event_members,
              .one_of = (const char *const[]){VECTOR_EVENT_KINDS(VECTOR_EVENT_KEY) NULL}};
TYPE events = {.kind = SCHEMA_ARRAY, .item = &event, .least = 1};

/* ---- tests ---- */

MEMBERS property_members[] = {
    {"sbsiz", &integer, false, NULL, NULL}, {"rbsiz", &integer, false, NULL, NULL},
    {"rssiz", &integer, false, NULL, NULL}, {"rcsiz", &integer, false, NULL, NULL},
    {"brs", &integer, false, NULL, NULL},   {0}};
TYPE properties = {.kind = SCHEMA_OBJECT, .members = property_members};
MEMBERS told_members[] = {
    {"client", &properties, false, NULL, NULL}, {"server", &properties, false, NULL, NULL}, {0}};
TYPE told = {.kind = SCHEMA_OBJECT, .members = told_members};
MEMBERS count_members[] = {
    {"sent", &integer, true, NULL, NULL}, {"limit", &integer, true, NULL, NULL}, {0}};
TYPE count = {.kind = SCHEMA_OBJECT, .members = count_members};
MEMBERS counts_members[] = {
    {"client", &count, true, NULL, NULL}, {"server", &count, true, NULL, NULL}, {0}};
TYPE counts = {.kind = SCHEMA_OBJECT, .members = counts_members};
MEMBERS settings_members[] = {
    {"clientToServerInline", &threshold, false, NULL, "1024"},
    {"serverToClientInline", &threshold, false, NULL, "1024"},
    {"ulb", &binding, false, NULL, "\"none\""},
    {"reverseDirection", &boolean, false,
     "The upper layer has agreed on reverse-direction operation (RFC 8167).", "false"},
    {"maxReadChunk", &positive, false, "Largest Read chunk that the Responder is willing to fetch.",
     "1048576"},
    {"midStream", &boolean, false, "Earlier events of the connection were not seen.", "false"},
    {"captured", &boolean, false,
     "The order is that in which the events passed between the peers, not that of either.",
     "false"},
    {"operations", &boolean, false, "All RDMA operations of the connection are events.", "false"},
    {"registrations", &sides, false,
     "All registrations of this side, or of both, are events, and what ends them, and its RPCs.",
     NULL},
    {"credits", &credits, false,
     "Version 2, -07: what the credit word means. Its earlier drafts had two numbers of 16 bits.",
     "\"sum\""},
    {"continued", &positive, false,
     "Version 2, -07: octets of a continued message that are kept for each side.", "4096"},
    {"told", &told, false, "Version 2, with midStream: the transport properties of each side.",
     NULL},
    {"counts", &counts, false,
     "Version 2, with midStream: the Sends of each side so far, and its credit limit.", NULL},
    {0}};
TYPE settings = {.kind = SCHEMA_OBJECT, .members = settings_members};
TYPE near_miss = {.kind = SCHEMA_ARRAY, .item = &rule, .least = 1, .unique = true};
MEMBERS test_members[] = {
    {"id", &test_id, true, "Unique in the whole corpus, never reused, never positional.", NULL},
    {"comment", &text, true, NULL, NULL},
    {"flags", &unique_texts, false, NULL, NULL},
    {"nearMiss", &near_miss, false, "Rules that this test comes close to breaking, and keeps.",
     NULL},
    {"settings", &settings, false, NULL, NULL},
    {"events", &events, true, NULL, NULL},
    {0}};
TYPE test = {.kind = SCHEMA_OBJECT, .name = "test", .members = test_members};
TYPE tests = {.kind = SCHEMA_ARRAY, .item = &test, .least = 1};

/* ---- the file ---- */

MEMBERS note_members[] = {{"kind", &note_kind, true, NULL, NULL},
                          {"description", &text, true, NULL, NULL},
                          {"links", &texts, false, NULL, NULL},
                          {0}};
TYPE note = {.kind = SCHEMA_OBJECT, .members = note_members};
TYPE notes = {.kind = SCHEMA_MAP, .item = &note};
MEMBERS source_members[] = {
    {"origin", &origin, true, NULL, NULL},
    {"reference", &text, false,
     "The section, the peer and its version, or the public report that it comes from.", NULL},
    {0}};
TYPE source = {.kind = SCHEMA_OBJECT, .name = "source", .members = source_members};
MEMBERS file_members[] = {
    {"schema", &schema_name, true, NULL, NULL},
    {"protocol", &protocol, true, NULL, NULL},
    {"title", &text, true, NULL, NULL},
    {"source", &source, false, NULL, NULL},
    {"notes", &notes, false, "Each flag that a test carries, explained once.", NULL},
    {"tests", &tests, true, NULL, NULL},
    {0}};
const struct schema_type vector_schema_file = {
    .kind = SCHEMA_OBJECT,
    .members = file_members,
    .description = "One file holds a group of tests. A test is one connection: its events, in "
                   "order, and what a strict checker must report of each."};
