// SPDX-License-Identifier: BSD-3-Clause
/*
 * The binding of NFS, item by item: each that RFC 8267 lets into a chunk and many that it does not,
 * inline and out, padded and not, under RPCSEC_GSS; and what must not be accused.
 */
#include "conformance/tests/support/upper.h"
#include "conformance/base/count.h"
#include "codec/tests/support/run_suite.h"

#define ONLY_ELIGIBLE "V 6.1/only-eligible-reduced"

/* ---- arguments ---- */

typedef void make_argument(struct octets *arguments, struct rpcrdma_xdr_opaque item);

struct argument {
    const char *name;
    struct program program;
    bool eligible;
    make_argument *make; /* versions 2 and 3, NFSACL */
    struct rpcrdma_nfs4_nfs_argop4 (*make4)(struct rpcrdma_xdr_opaque item);
};

static void write2(struct octets *arguments, struct rpcrdma_xdr_opaque item)
{
    struct rpcrdma_nfs2_writeargs args = {.file = zeros, .data = item};
    PUT(arguments, rpcrdma_nfs2_writeargs, &args);
}

static void symlink2(struct octets *arguments, struct rpcrdma_xdr_opaque item)
{
    struct rpcrdma_nfs2_symlinkargs args = {.from = {.dir = zeros, .name = name}, .to = item};
    PUT(arguments, rpcrdma_nfs2_symlinkargs, &args);
}

static void symlink2_name(struct octets *arguments, struct rpcrdma_xdr_opaque item)
{
    struct rpcrdma_nfs2_symlinkargs args = {.from = {.dir = zeros, .name = item}, .to = name};
    PUT(arguments, rpcrdma_nfs2_symlinkargs, &args);
}

static void write3(struct octets *arguments, struct rpcrdma_xdr_opaque item)
{
    struct rpcrdma_nfs3_WRITE3args args = {.file.data = handle, .count = item.length, .data = item};
    PUT(arguments, rpcrdma_nfs3_WRITE3args, &args);
}

static void write3_handle(struct octets *arguments, struct rpcrdma_xdr_opaque item)
{
    struct rpcrdma_nfs3_WRITE3args args = {.file.data = item, .count = 5, .data = name};
    PUT(arguments, rpcrdma_nfs3_WRITE3args, &args);
}

static void symlink3(struct octets *arguments, struct rpcrdma_xdr_opaque item)
{
    struct rpcrdma_nfs3_SYMLINK3args args = {.where = {.dir.data = handle, .name = name},
                                             .symlink.symlink_data = item};
    PUT(arguments, rpcrdma_nfs3_SYMLINK3args, &args);
}

static void symlink3_name(struct octets *arguments, struct rpcrdma_xdr_opaque item)
{
    struct rpcrdma_nfs3_SYMLINK3args args = {.where = {.dir.data = handle, .name = item},
                                             .symlink.symlink_data = name};
    PUT(arguments, rpcrdma_nfs3_SYMLINK3args, &args);
}

/* A counted item as it stands: the name of LOOKUP, the ACL of NFSACL. */
static void counted(struct octets *arguments, struct rpcrdma_xdr_opaque item)
{
    put_word(arguments, 0);
    put_word(arguments, item.length);
    memcpy(arguments->at + arguments->length, item.data, item.length);
    memset(arguments->at + arguments->length + item.length, 0, 4);
    arguments->length += (item.length + 3) & ~3u;
}

#define MAKE4(function, ...)                                                                       \
    static struct rpcrdma_nfs4_nfs_argop4 function(struct rpcrdma_xdr_opaque item)                 \
    {                                                                                              \
        return (struct rpcrdma_nfs4_nfs_argop4){__VA_ARGS__};                                      \
    }
MAKE4(write4, .argop = NFS4_OP_WRITE, .opwrite = {.stateid.other = zeros, .data = item})
MAKE4(link4, .argop = NFS4_OP_CREATE,
      .opcreate = {.objtype = {.type = NFS4_NF4LNK, .linkdata = item}, .objname = name})
MAKE4(link4_name, .argop = NFS4_OP_CREATE,
      .opcreate = {.objtype = {.type = NFS4_NF4LNK, .linkdata = name}, .objname = item})
MAKE4(dir4_name, .argop = NFS4_OP_CREATE,
      .opcreate = {.objtype.type = NFS4_NF4DIR, .objname = item})
MAKE4(lookup4, .argop = NFS4_OP_LOOKUP, .oplookup.objname = item)
MAKE4(putfh4, .argop = NFS4_OP_PUTFH, .opputfh.object = item)
MAKE4(rename4, .argop = NFS4_OP_RENAME, .oprename = {.oldname = name, .newname = item})
MAKE4(acl4, .argop = NFS4_OP_SETATTR,
      .opsetattr = {.stateid.other = zeros, .obj_attributes.attr_vals = item})
MAKE4(clientid4, .argop = NFS4_OP_SETCLIENTID,
      .opsetclientid.client = {.verifier = zeros, .id = item})
MAKE4(owner4, .argop = NFS4_OP_EXCHANGE_ID,
      .opexchange_id = {.eia_clientowner = {.co_verifier = zeros, .co_ownerid = item},
                        .eia_state_protect.spa_how = NFS4_SP4_NONE})
MAKE4(layoutcommit4, .argop = NFS4_OP_LAYOUTCOMMIT,
      .oplayoutcommit = {
          .loca_stateid.other = zeros,
          .loca_layoutupdate = {.lou_type = NFS4_LAYOUT4_BLOCK_VOLUME, .lou_body = item}})
MAKE4(layoutreturn4, .argop = NFS4_OP_LAYOUTRETURN,
      .oplayoutreturn = {
          .lora_layout_type = NFS4_LAYOUT4_BLOCK_VOLUME,
          .lora_iomode = NFS4_LAYOUTIOMODE4_ANY,
          .lora_layoutreturn = {.lr_returntype = NFS4_LAYOUTRETURN4_FILE,
                                .lr_layout = {.lrf_stateid.other = zeros, .lrf_body = item}}})
MAKE4(pattern4, .argop = NFS4_OP_WRITE_SAME,
      .opwrite_same = {.wsa_stateid.other = zeros, .wsa_adb.adb_pattern = item})
MAKE4(secret4, .argop = NFS4_OP_SET_SSV, .opset_ssv = {.ssa_ssv = item, .ssa_digest = name})

static struct rpcrdma_nfs4_nfs_argop4 copy4(struct rpcrdma_xdr_opaque item)
{
    static struct rpcrdma_nfs4_netloc4 source;
    source = (struct rpcrdma_nfs4_netloc4){.nl_type = NFS4_NL4_NAME, .nl_name = item};
    return (struct rpcrdma_nfs4_nfs_argop4){
        .argop = NFS4_OP_COPY,
        .opcopy = {.ca_src_stateid.other = zeros,
                   .ca_dst_stateid.other = zeros,
                   .ca_source_server = {.items = &source, .count = 1}}};
}

static const struct argument arguments[] = {
    {"NFSv2 WRITE data", {100003, 2, 8}, true, write2, NULL},
    {"NFSv2 SYMLINK path", {100003, 2, 13}, true, symlink2, NULL},
    {"NFSv2 SYMLINK name", {100003, 2, 13}, false, symlink2_name, NULL},
    {"NFSv3 WRITE data", {100003, 3, 7}, true, write3, NULL},
    {"NFSv3 WRITE handle", {100003, 3, 7}, false, write3_handle, NULL},
    {"NFSv3 SYMLINK path", {100003, 3, 10}, true, symlink3, NULL},
    {"NFSv3 SYMLINK name", {100003, 3, 10}, false, symlink3_name, NULL},
    {"NFSv3 LOOKUP name", {100003, 3, 3}, false, counted, NULL},
    {"NFSACL ACL", {100227, 3, 2}, false, counted, NULL},
    {"WRITE data", {100003, 4, 1}, true, NULL, write4},
    {"CREATE link", {100003, 4, 1}, true, NULL, link4},
    {"CREATE link's name", {100003, 4, 1}, false, NULL, link4_name},
    {"CREATE directory's name", {100003, 4, 1}, false, NULL, dir4_name},
    {"LOOKUP name", {100003, 4, 1}, false, NULL, lookup4},
    {"PUTFH handle", {100003, 4, 1}, false, NULL, putfh4},
    {"RENAME name", {100003, 4, 1}, false, NULL, rename4},
    {"SETATTR ACL", {100003, 4, 1}, false, NULL, acl4},
    {"SETCLIENTID id", {100003, 4, 1}, false, NULL, clientid4},
    {"EXCHANGE_ID owner", {100003, 4, 1}, false, NULL, owner4},
    {"LAYOUTCOMMIT body", {100003, 4, 1}, false, NULL, layoutcommit4},
    {"LAYOUTRETURN body", {100003, 4, 1}, false, NULL, layoutreturn4},
    {"WRITE_SAME pattern", {100003, 4, 1}, false, NULL, pattern4},
    {"SET_SSV secret", {100003, 4, 1}, false, NULL, secret4},
    {"COPY source", {100003, 4, 1}, false, NULL, copy4},
};

static void make_arguments(struct octets *content, const struct argument *row, uint32_t minor,
                           uint32_t length)
{
    content->length = 0;
    if (row->make) {
        row->make(content, item(0, length));
        return;
    }
    begin_compound(content, minor, 3);
    put_operation(content, putfh4(handle));
    put_operation(content, row->make4(item(0, length)));
    put_operation(content, lookup4(name));
}

/* The judgement on a Call with this content, whose item is out if `chunk` is not 0. */
static const char *judge_argument(struct octets *content, struct program program,
                                  enum protection protection, uint32_t length, uint32_t chunk)
{
    struct octets message;
    struct chunks chunks = {.reads = chunk != 0};
    uint32_t begin = protection == NO_GSS ? 40 : 68;
    chunks.read[0].length = chunk;
    if (chunk != 0)
        chunks.read[0].position = begin + (uint32_t)cut_item(content, 0, length);
    put_header(&message, &chunks);
    ck_assert_uint_eq(put_rpc_call(&message, program, protection), begin);
    put_octets(&message, content);
    struct rpcrdma_check *check = open_checker();
    const char *judgement = judge(check, RPCRDMA_CLIENT, &message, 0);
    free(check);
    return judgement;
}

START_TEST(argument)
{
    const struct argument *row = &arguments[_i];
    struct octets content;
    for (uint32_t minor = 0; minor <= (row->make4 ? 2 : 0); minor++) {
        for (uint32_t length = 12; length <= 16; length++) {
            for (enum protection service = NO_GSS; service <= GSS_NONE; service++) {
                uint32_t padded = (length + 3) & ~3u;
                const char *fault = row->eligible ? "" : ONLY_ELIGIBLE;
                make_arguments(&content, row, minor, length);
                ck_assert_str_eq(judge_argument(&content, row->program, service, length, 0), "");
                ck_assert_str_eq(judge_argument(&content, row->program, service, length, length),
                                 fault);
                make_arguments(&content, row, minor, length);
                if (row->eligible && padded != length)
                    fault = "W 3.4.5.2/padding-in-read-chunk";
                ck_assert_str_eq(judge_argument(&content, row->program, service, length, padded),
                                 fault);
            }
        }
    }
}
END_TEST

/* What is wrapped cannot be read, and nothing of it may be out. */
START_TEST(protected_argument)
{
    const struct argument *row = &arguments[_i];
    struct octets content;
    for (enum protection service = GSS_INTEGRITY; service <= GSS_PRIVACY; service++) {
        make_arguments(&content, row, 1, 12);
        ck_assert_str_eq(judge_argument(&content, row->program, service, 12, 0), "");
        ck_assert_str_eq(judge_argument(&content, row->program, service, 12, 12),
                         "V 8.2.2.3/payload-not-reduced");
    }
}
END_TEST

/* ---- results ---- */

struct result {
    const char *name;
    struct program program;
    bool eligible;
    make_argument *make;
    struct rpcrdma_nfs4_nfs_resop4 (*make4)(struct rpcrdma_xdr_opaque item);
};

static void read2(struct octets *results, struct rpcrdma_xdr_opaque item)
{
    struct rpcrdma_nfs2_readres res = {.status = NFS2_NFS_OK,
                                       .readok = {.attributes.type = NFS2_NFREG, .data = item}};
    PUT(results, rpcrdma_nfs2_readres, &res);
}

static void readlink2(struct octets *results, struct rpcrdma_xdr_opaque item)
{
    struct rpcrdma_nfs2_readlinkres res = {.status = NFS2_NFS_OK, .data = item};
    PUT(results, rpcrdma_nfs2_readlinkres, &res);
}

static void read3(struct octets *results, struct rpcrdma_xdr_opaque item)
{
    struct rpcrdma_nfs3_READ3res res = {.status = NFS3_NFS3_OK,
                                        .resok = {.count = item.length, .data = item}};
    PUT(results, rpcrdma_nfs3_READ3res, &res);
}

static void readlink3(struct octets *results, struct rpcrdma_xdr_opaque item)
{
    struct rpcrdma_nfs3_READLINK3res res = {.status = NFS3_NFS3_OK, .resok.data = item};
    PUT(results, rpcrdma_nfs3_READLINK3res, &res);
}

#define RESULT4(function, ...)                                                                     \
    static struct rpcrdma_nfs4_nfs_resop4 function(struct rpcrdma_xdr_opaque item)                 \
    {                                                                                              \
        return (struct rpcrdma_nfs4_nfs_resop4){__VA_ARGS__};                                      \
    }
RESULT4(read4, .resop = NFS4_OP_READ, .opread.resok4.data = item)
RESULT4(readlink4, .resop = NFS4_OP_READLINK, .opreadlink.resok4.link = item)
RESULT4(getfh4, .resop = NFS4_OP_GETFH, .opgetfh.resok4.object = item)
RESULT4(getattr4, .resop = NFS4_OP_GETATTR, .opgetattr.resok4.obj_attributes.attr_vals = item)
RESULT4(set_ssv4, .resop = NFS4_OP_SET_SSV, .opset_ssv.ssr_resok4.ssr_digest = item)
RESULT4(device4, .resop = NFS4_OP_GETDEVICEINFO,
        .opgetdeviceinfo.gdir_resok4.gdir_device_addr = {
            .da_layout_type = NFS4_LAYOUT4_OSD2_OBJECTS, .da_addr_body = item})

static struct rpcrdma_nfs4_nfs_resop4 read_plus4(struct rpcrdma_xdr_opaque item)
{
    static struct rpcrdma_nfs4_read_plus_content content;
    content = (struct rpcrdma_nfs4_read_plus_content){.rpc_content = NFS4_NFS4_CONTENT_DATA,
                                                      .rpc_data.d_data = item};
    return (struct rpcrdma_nfs4_nfs_resop4){
        .resop = NFS4_OP_READ_PLUS,
        .opread_plus.rp_resok4.rpr_contents = {.items = &content, .count = 1}};
}

static struct rpcrdma_nfs4_nfs_resop4 layoutget4(struct rpcrdma_xdr_opaque item)
{
    static struct rpcrdma_nfs4_layout4 layout;
    layout = (struct rpcrdma_nfs4_layout4){
        .lo_iomode = NFS4_LAYOUTIOMODE4_READ,
        .lo_content = {.loc_type = NFS4_LAYOUT4_NFSV4_1_FILES, .loc_body = item}};
    return (struct rpcrdma_nfs4_nfs_resop4){
        .resop = NFS4_OP_LAYOUTGET,
        .oplayoutget.logr_resok4 = {.logr_stateid.other = zeros,
                                    .logr_layout = {.items = &layout, .count = 1}}};
}

static const struct result results[] = {
    {"NFSv2 READ data", {100003, 2, 6}, true, read2, NULL},
    {"NFSv2 READLINK path", {100003, 2, 5}, true, readlink2, NULL},
    {"NFSv3 READ data", {100003, 3, 6}, true, read3, NULL},
    {"NFSv3 READLINK path", {100003, 3, 5}, true, readlink3, NULL},
    {"NFSv3 LOOKUP handle", {100003, 3, 3}, false, counted, NULL},
    {"NFSACL ACL", {100227, 3, 1}, false, counted, NULL},
    {"READ data", {100003, 4, 1}, true, NULL, read4},
    {"READLINK link", {100003, 4, 1}, true, NULL, readlink4},
    {"GETFH handle", {100003, 4, 1}, false, NULL, getfh4},
    {"GETATTR attributes", {100003, 4, 1}, false, NULL, getattr4},
    {"SET_SSV digest", {100003, 4, 1}, false, NULL, set_ssv4},
    {"GETDEVICEINFO address", {100003, 4, 1}, false, NULL, device4},
    {"READ_PLUS data", {100003, 4, 1}, false, NULL, read_plus4},
    {"LAYOUTGET body", {100003, 4, 1}, false, NULL, layoutget4},
};

/* A Call that offers these chunks, and of whose arguments nothing is understood. */
static void offer(struct rpcrdma_check *check, struct program program, enum protection protection,
                  const struct chunks *chunks)
{
    struct octets message;
    bool wrapped = protection >= GSS_INTEGRITY;
    put_header(&message, chunks);
    put_rpc_call(&message, program, protection);
    if (program.version == 4)
        for (unsigned i = 0; i < 4; i++)
            put_word(&message, (const uint32_t[]){0, 1, 1, 9999}[i]);
    const char *judgement = judge(check, RPCRDMA_CLIENT, &message, 0);
    ck_assert(wrapped == (strstr(judgement, "W 8.2.2.3/write-list-under-gss") != NULL));
    ck_assert_ptr_null(strstr(judgement, "V "));
}

static const char *judge_results(struct program program, enum protection protection,
                                 const struct octets *content, const struct chunks *offered,
                                 const struct chunks *returned, size_t missing)
{
    struct octets message;
    struct rpcrdma_check *check = open_checker();
    offer(check, program, protection, offered);
    put_header(&message, returned);
    put_rpc_reply(&message);
    put_octets(&message, content);
    const char *judgement = judge(check, RPCRDMA_SERVER, &message, missing);
    free(check);
    return judgement;
}

static void make_results(struct octets *content, const struct result *row, uint32_t length)
{
    content->length = 0;
    if (row->make) {
        row->make(content, item(0, length));
        return;
    }
    begin_results(content, 2);
    put_result(content, getfh4(handle));
    put_result(content, row->make4(item(0, length)));
}

START_TEST(result)
{
    const struct result *row = &results[_i];
    struct octets content;
    for (uint32_t length = 12; length <= 16; length++) {
        struct chunks offered = {.writes = 1, .write[0].length = ITEM_MAX}, returned = offered;
        make_results(&content, row, length);
        returned.write[0].length = 0;
        ck_assert_str_eq(judge_results(row->program, NO_GSS, &content, &offered, &returned, 0),
                         row->eligible ? "V 4.3.2/eligible-result-pushed" : "");
        cut_item(&content, 0, length);
        for (enum protection service = NO_GSS; service <= GSS_NONE; service++) {
            returned.write[0].length = length;
            ck_assert_str_eq(judge_results(row->program, service, &content, &offered, &returned, 0),
                             row->eligible ? "" : ONLY_ELIGIBLE);
        }
        returned.write[0].length = length + 1;
        const char *judgement =
            judge_results(row->program, NO_GSS, &content, &offered, &returned, 0);
        ck_assert_str_eq(judgement, row->eligible ? "V 3.4.6.2/returned-length-is-item-length"
                                                  : ONLY_ELIGIBLE);
    }
}
END_TEST

START_TEST(protected_result)
{
    struct octets content;
    struct chunks offered = {.writes = 1, .write[0].length = ITEM_MAX}, returned = offered;
    make_results(&content, &results[_i], 12);
    for (enum protection service = GSS_INTEGRITY; service <= GSS_PRIVACY; service++) {
        returned.write[0].length = 0;
        ck_assert_str_eq(
            judge_results(results[_i].program, service, &content, &offered, &returned, 0), "");
        returned.write[0].length = 12;
        ck_assert_str_eq(
            judge_results(results[_i].program, service, &content, &offered, &returned, 0),
            "V 8.2.2.3/result-not-reduced");
    }
}
END_TEST

int main(void)
{
    TCase *tests = tcase_create("binding");
    tcase_add_loop_test(tests, argument, 0, COUNT(arguments));
    tcase_add_loop_test(tests, protected_argument, 0, COUNT(arguments));
    tcase_add_loop_test(tests, result, 0, COUNT(results));
    tcase_add_loop_test(tests, protected_result, 0, COUNT(results));
    return run_tests("binding", tests);
}
