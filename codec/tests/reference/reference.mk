# SPDX-License-Identifier: BSD-3-Clause
# Codecs that only tests use: what rpcgen makes of the same XDR, and what xdrgen makes of its own tests.

# ---- the reference codec: what rpcgen makes of the same XDR, on libtirpc ----

HAVE_RPCGEN := $(and $(call has-library,libtirpc),$(shell command -v rpcgen))
REF_CFLAGS = -std=gnu11 $(OPT) -w $(shell $(PKG_CONFIG) --cflags libtirpc) \
             $(if $(SANITIZE),-fsanitize=address)
$(BUILD)/ref/%.x: $(BUILD)/spec/%.x
	@mkdir -p $(@D)
	$(Q)cp $< $@
# rpcgen makes a C macro of the file's name: no hyphen. The specifications have types of the same
# names, and a program may link all three.
$(BUILD)/ref/rpcrdma2_04.x: $(BUILD)/spec/rpcrdma2-04.x codec/tests/reference/reference.mk
	@mkdir -p $(@D)
	$(Q)sed 's/\buint\(32\|64\)\b/uint\1_04/g' $< >$@
$(BUILD)/ref/rpcrdma2_07.x: $(BUILD)/spec/rpcrdma2-07.x codec/tests/reference/reference.mk
	@mkdir -p $(@D)
	$(Q)sed 's/\brpcrdma2\?_/rpcrdma2_07_/g; s/\bRDMA2_/RDMA2_07_/g; s/\buint\(32\|64\)\b/uint\1_07/g' $< >$@
$(BUILD)/ref/codec.x: gen/tests/codec.x
	@mkdir -p $(@D)
	$(Q)cp $< $@
$(BUILD)/ref/%.h: $(BUILD)/ref/%.x
	$(call say,RPCGEN,$@)
	$(Q)cd $(BUILD)/ref && rm -f $*.h && rpcgen -C -h -o $*.h $*.x
$(BUILD)/ref/%_xdr.c: $(BUILD)/ref/%.h
	$(call say,RPCGEN,$@)
	$(Q)cd $(BUILD)/ref && rm -f $*_xdr.c && rpcgen -C -c -o $*_xdr.c $*.x
$(BUILD)/ref/%.o: $(BUILD)/ref/%_xdr.c
	$(call say,CC,$<)
	$(Q)$(CC) $(REF_CFLAGS) -I$(BUILD)/ref -c $< -o $@
# The draft's msg_type is also one of libtirpc's RPC headers: only their XDR is taken.
$(BUILD)/ref/rpcrdma2_04.o $(BUILD)/ref/rpcrdma2_07.o: REF_CFLAGS += -D_TIRPC_RPC_H -include rpc/types.h -include rpc/xdr.h \
    -DCLIENT=void -DSVCXPRT=void
flags-codec/tests = $(filter-out $(INCLUDES),$(TEST_CFLAGS))
flags-conformance/tests = $(flags-codec/tests)
REFERENCES := rfc8166 rpcrdma2_04 rpcrdma2_07
REFERENCE_O := $(REFERENCES:%=$(BUILD)/ref/%.o) $(BUILD)/obj/codec/tests/support/shape.o \
               $(call objects,codec/tests/reference)
$(REFERENCE_O): $(REFERENCES:%=$(BUILD)/ref/%.h)

# ---- the codecs that only tests use ----

xdrgen-codec     := --prefix=test_ --const-prefix=TEST_ $(addprefix --root=,scalars texts arrays \
                      by_bool by_int by_color by_unsigned chains everything)
xdrgen-codec_own := --prefix=own_ --const-prefix=OWN_ --root=extra
$(GEN)/test/%.h $(GEN)/test/%.c: gen/tests/%.x $(XDRGEN)
	@mkdir -p $(@D)
	$(call say,XDRGEN,$<)
	$(Q)$(XDRGEN) $(call xdrgen-banner,$(<F)) $(xdrgen-$*) --include=test/$*.h --header=$(GEN)/test/$*.h \
	    --source=$(GEN)/test/$*.c $<
# An archive: each test takes what it needs, for the reference codecs share names.
TEST_A := $(BUILD)/libtest.a
$(TEST_A): $(if $(HAVE_RPCGEN),$(REFERENCE_O) $(BUILD)/ref/codec.o) $(BUILD)/obj/codec/bench/hand.o \
        $(BUILD)/obj/made/test/codec.o $(BUILD)/obj/made/test/codec_own.o \
        $(BUILD)/obj/made/nfs4_tables.o $(addprefix $(BUILD)/obj/conformance/base/,nearest.o register.o) $(call objects,conformance/tests/support $(addprefix conformance/tests/support/,breaks captures neighbours version2))
	@rm -f $@
	$(call say,AR,$@)
	$(Q)$(AR) rcs $@ $^
