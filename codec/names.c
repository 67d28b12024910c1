// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-only
/* Names of message types, error codes and properties, as each specification writes them. */
#include <rpcrdma/message.h>
#include <rpcrdma/rpcrdma2_04.h>
#include <rpcrdma/rpcrdma2_07.h>

#define NAME1(constant, name)                                                                      \
    case RPCRDMA1_##constant:                                                                      \
        return name

/* Drafts write their constants with this prefix. */
#define NAME(draft, constant)                                                                      \
    case RPCRDMA2_##draft##_##constant:                                                            \
        return "RDMA2_" #constant

/* ---- message types ---- */

static const char *type_name1(uint32_t type)
{
    switch (type) {
        NAME1(MSG, "RDMA_MSG");
        NAME1(NOMSG, "RDMA_NOMSG");
        NAME1(MSGP, "RDMA_MSGP");
        NAME1(DONE, "RDMA_DONE");
        NAME1(ERROR, "RDMA_ERROR");
    }
    return NULL;
}

static const char *type_name2_04(uint32_t type)
{
    switch (type) {
        NAME(04, MSG);
        NAME(04, NOMSG);
        NAME(04, ERROR);
        NAME(04, OPTIONAL);
        NAME(04, CONNPROP);
        NAME(04, REQPROP);
        NAME(04, RESPROP);
        NAME(04, UPDPROP);
    }
    return NULL;
}

static const char *type_name2_07(uint32_t type)
{
    switch (type) {
        NAME(07, ERROR);
        NAME(07, GRANT);
        NAME(07, CONNPROP_MIDDLE);
        NAME(07, CONNPROP_FINAL);
        NAME(07, CALL_EXTERNAL);
        NAME(07, CALL_MIDDLE);
        NAME(07, CALL_INLINE);
        NAME(07, REPLY_EXTERNAL);
        NAME(07, REPLY_MIDDLE);
        NAME(07, REPLY_INLINE);
    }
    return NULL;
}

const char *rpcrdma_type_name(enum rpcrdma_protocol protocol, uint32_t type)
{
    switch (protocol) {
    case RPCRDMA_PROTOCOL_AUTO:
        break;
    case RPCRDMA_PROTOCOL_1:
        return type_name1(type);
    case RPCRDMA_PROTOCOL_2_04:
        return type_name2_04(type);
    case RPCRDMA_PROTOCOL_2_07:
        return type_name2_07(type);
    }
    return NULL;
}

/* ---- error codes ---- */

static const char *error_name1(uint32_t code)
{
    switch (code) {
        NAME1(ERR_VERS, "ERR_VERS");
        NAME1(ERR_CHUNK, "ERR_CHUNK");
    }
    return NULL;
}

static const char *error_name2_04(uint32_t code)
{
    switch (code) {
        NAME(04, ERR_VERS);
        NAME(04, ERR_BAD_XDR);
        NAME(04, ERR_INVALID_PROC);
        NAME(04, ERR_READ_CHUNKS);
        NAME(04, ERR_WRITE_CHUNKS);
        NAME(04, ERR_SEGMENTS);
        NAME(04, ERR_WRITE_RESOURCE);
        NAME(04, ERR_REPLY_RESOURCE);
        NAME(04, ERR_INVALID_OPTION);
        NAME(04, ERR_SYSTEM);
    }
    return NULL;
}

static const char *error_name2_07(uint32_t code)
{
    switch (code) {
        NAME(07, ERR_VERS);
        NAME(07, ERR_BAD_XDR);
        NAME(07, ERR_BAD_PROPVAL);
        NAME(07, ERR_INVAL_HTYPE);
        NAME(07, ERR_INVAL_CONT);
        NAME(07, ERR_READ_CHUNKS);
        NAME(07, ERR_WRITE_CHUNKS);
        NAME(07, ERR_SEGMENTS);
        NAME(07, ERR_WRITE_RESOURCE);
        NAME(07, ERR_REPLY_RESOURCE);
        NAME(07, ERR_VERS_MISMATCH);
        NAME(07, ERR_SYSTEM);
    }
    return NULL;
}

const char *rpcrdma_error_name(enum rpcrdma_protocol protocol, uint32_t code)
{
    switch (protocol) {
    case RPCRDMA_PROTOCOL_AUTO:
        break;
    case RPCRDMA_PROTOCOL_1:
        return error_name1(code);
    case RPCRDMA_PROTOCOL_2_04:
        return error_name2_04(code);
    case RPCRDMA_PROTOCOL_2_07:
        return error_name2_07(code);
    }
    return NULL;
}

/* ---- properties ---- */

static const char *property_name2_04(uint32_t id)
{
    switch (id) {
        NAME(04, PROPID_RBSIZ);
        NAME(04, PROPID_BRS);
    }
    return NULL;
}

static const char *property_name2_07(uint32_t id)
{
    switch (id) {
        NAME(07, PROPID_SBSIZ);
        NAME(07, PROPID_RBSIZ);
        NAME(07, PROPID_RSSIZ);
        NAME(07, PROPID_RCSIZ);
        NAME(07, PROPID_BRS);
        NAME(07, PROPID_HOSTAUTH);
    }
    return NULL;
}

const char *rpcrdma_property_name(enum rpcrdma_protocol protocol, uint32_t id)
{
    switch (protocol) {
    case RPCRDMA_PROTOCOL_AUTO:
        break;
    case RPCRDMA_PROTOCOL_1:
        return NULL;
    case RPCRDMA_PROTOCOL_2_04:
        return property_name2_04(id);
    case RPCRDMA_PROTOCOL_2_07:
        return property_name2_07(id);
    }
    return NULL;
}

/* No message of -04 has this type in its XDR, so it has no constants in C. */
static const char *reverse_name2_04(uint32_t value)
{
    switch (value) {
    case 0:
        return "RDMA2_BKREQSUP_NONE";
    case 1:
        return "RDMA2_BKREQSUP_INLINE";
    case 2:
        return "RDMA2_BKREQSUP_GENL";
    }
    return NULL;
}

static const char *reverse_name2_07(uint32_t value)
{
    switch (value) {
        NAME(07, RVRSDIR_NONE);
        NAME(07, RVRSDIR_SIMPLE);
        NAME(07, RVRSDIR_CONT);
        NAME(07, RVRSDIR_GENL);
    }
    return NULL;
}

const char *rpcrdma_reverse_name(enum rpcrdma_protocol protocol, uint32_t value)
{
    switch (protocol) {
    case RPCRDMA_PROTOCOL_AUTO:
        break;
    case RPCRDMA_PROTOCOL_1:
        return NULL;
    case RPCRDMA_PROTOCOL_2_04:
        return reverse_name2_04(value);
    case RPCRDMA_PROTOCOL_2_07:
        return reverse_name2_07(value);
    }
    return NULL;
}
