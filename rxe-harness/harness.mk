# SPDX-License-Identifier: BSD-3-Clause
# Live peers: linked into the command.

HARNESS_MADE := crash_words probe_table testprog compound nfs3_handles live_index
HARNESS_FOLDERS := transport transport/user transport/roce transport/iwarp transport/any session requester requester/version2 responder report probe probe/around probe/version2 replay random random/version2 serve serve/version2 proxy trace commands
# Without rdma-core there is the loopback, and no device.
HARNESS_VERBS := $(if $(NO_VERBS),,$(call has-library,librdmacm libibverbs))
# Without libbpf there is no reader of the kernel's types, and no `trace`.
HARNESS_BPF := $(if $(NO_BPF),,$(call has-library,libbpf))
HARNESS_C := $(filter-out %/transport/$(if $(HARNESS_VERBS),no_verbs,verbs).c \
                 $(if $(HARNESS_BPF),%/trace/no_bpf.c,%/trace/layout.c %/trace/probes.c),\
                 $(wildcard $(HARNESS_FOLDERS:%=rxe-harness/%/*.c)))
HARNESS_O := $(HARNESS_C:%.c=$(BUILD)/obj/%.o) $(HARNESS_MADE:%=$(BUILD)/obj/made/%.o)
HARNESS_LIBS := $(if $(HARNESS_VERBS),$(shell $(PKG_CONFIG) --libs librdmacm libibverbs)) $(if $(HARNESS_BPF),$(shell $(PKG_CONFIG) --libs libbpf)) -pthread

# The test program: its arguments and results, and its numbers.
TESTPROG_H := $(GEN)/testprog.h $(GEN)/testprog_numbers.h
# Its source is made with its header.
$(GEN)/testprog.c: $(GEN)/testprog.h ;
$(GEN)/testprog.h: $(XDRGEN) $(BUILD)/spec/testprog.x
	@mkdir -p $(@D)
	$(call say,XDRGEN,testprog.x)
	$(Q)$(XDRGEN) $(call xdrgen-banner,testprog.x) --prefix=testprog_ --const-prefix=TESTPROG_ --root=data --root=fetch_args --root=gather_args \
	    --include=testprog.h --header=$(GEN)/testprog.h --source=$(GEN)/testprog.c \
	    $(BUILD)/spec/testprog.x
$(GEN)/testprog_numbers.h: rxe-harness/responder/numbers.awk $(BUILD)/spec/testprog.x
	@mkdir -p $(@D)
	$(Q)$(call banner,numbers.awk,testprog.x) >$@
	$(Q)awk -f rxe-harness/responder/numbers.awk $(BUILD)/spec/testprog.x >>$@
# NFS version 4 again, to be sent: what a COMPOUND takes to encode would be dead weight in the
# checker's library, which only decodes operations and results.
COMPOUND_H := $(GEN)/compound.h
$(GEN)/compound.c: $(GEN)/compound.h ;
$(GEN)/compound.h: $(XDRGEN) $(BUILD)/spec/rfc7863.x rxe-harness/harness.mk
	@mkdir -p $(@D)
	$(call say,XDRGEN,rfc7863.x)
	$(Q)$(XDRGEN) $(call xdrgen-banner,rfc7863.x) --reduced --prefix=nfs_ --strip=nfs_ --const-prefix=NFS_ --root=COMPOUND4args \
	    --root=nfs_resop4 --root=CB_COMPOUND4args --root=CB_COMPOUND4res --include=compound.h --header=$(GEN)/compound.h \
	    --source=$(GEN)/compound.c $(BUILD)/spec/rfc7863.x
# The results of NFS version 3 that name files: CREATE3res is that of MKDIR, SYMLINK and MKNOD as well.
NFS3_HANDLES_H := $(GEN)/nfs3_handles.h
$(GEN)/nfs3_handles.c: $(GEN)/nfs3_handles.h ;
$(GEN)/nfs3_handles.h: $(XDRGEN) $(BUILD)/spec/nfs3.x
	@mkdir -p $(@D)
	$(call say,XDRGEN,nfs3.x)
	$(Q)$(XDRGEN) $(call xdrgen-banner,nfs3.x) --prefix=handles_ --const-prefix=HANDLES_ --root=LOOKUP3res \
	    --root=CREATE3res --root=READDIRPLUS3res --include=nfs3_handles.h --header=$(GEN)/nfs3_handles.h \
	    --source=$(GEN)/nfs3_handles.c $(BUILD)/spec/nfs3.x
# Which live cases are about a rule, for `rules`.
$(GEN)/live_index.c: rxe-harness/commands/rules.awk rxe-harness/commands/rules.tsv
	@mkdir -p $(@D)
	$(call say,CASES,$@)
	$(Q)$(call banner,rules.awk,rules.tsv) >$@
	$(Q)awk -f rxe-harness/commands/rules.awk rxe-harness/commands/rules.tsv >>$@

# Words in a log that tell of a crash: the guest of `make live` goes by them as well.
$(GEN)/crash_words.c: rxe-harness/vm/crash.words
	@mkdir -p $(@D)
	$(call say,WORDS,$@)
	$(Q)$(call banner,sed,crash.words) >$@
	$(Q)printf '#include "rxe-harness/report/peer_log.h"\nconst char *const peer_log_words[] = {\n' >>$@
	$(Q)sed 's/.*/    "&",/' $< >>$@
	$(Q)echo '    0};' >>$@

# What `probe` sends, out of the vectors, so that the command needs no files.
PROBE_VECTORS := $(filter-out %schema.json vectors/nfs% vectors/private-data.json \
                 vectors/thresholds.json vectors/reverse-direction.json,$(VECTORS))
$(GEN)/probe_table.c: $(VECTOR_TABLES) $(PROBE_VECTORS)
	@mkdir -p $(@D)
	$(call say,CASES,$@)
	$(Q)$(call banner,vector_tables,vectors/) >$@
	$(Q)$(VECTOR_TABLES) probe $(PROBE_VECTORS) >>$@

# The reference Responder with counters of its own code, for `probe --random --coverage`: where a branch is one.
COUNTED_C := $(wildcard rxe-harness/responder/*.c)
COUNTED_O := $(COUNTED_C:%.c=$(BUILD)/counted/%.o) $(BUILD)/obj/fuzz/kit/counters.o
COUNTED_HARNESS_O := $(filter-out $(COUNTED_C:%.c=$(BUILD)/obj/%.o),$(HARNESS_O)) $(COUNTED_O)
$(BUILD)/counted/%.o: %.c | $$(call headers-for,$$*)
	@mkdir -p $(@D)
	$(call say,CC,$@)
	$(Q)$(CC) $(CPPFLAGS) $(CFLAGS) -O1 -fsanitize-coverage=trace-pc$(if $(findstring clang,$(CC)),-guard) $(INCLUDES) \
	    $(call flags-for,$*) -MMD -MP -c $< -o $@
$(BUILD)/counted/rpcrdma: $(COMMAND_O) $(PARTS_O) $(INPUT_O) $(COUNTED_HARNESS_O) $(OWN_LIBS)
	$(call say,LINK,$@)
	$(Q)$(CC) $(LDFLAGS) $^ $(HARNESS_LIBS) $(COMMAND_LIBS) -o $@

# The reference peers as a folder for `make live PEER=`.
REFERENCE_PEER := $(BUILD)/reference-peer
.PHONY: reference-peer
reference-peer:
	$(Q)mkdir -p $(REFERENCE_PEER)
	$(Q)cp rxe-harness/peers/reference/start rxe-harness/peers/reference/*.options $(REFERENCE_PEER)/
	$(Q)for draft in 04 07; do sh rxe-harness/peers/reference/version2.sh $(REFERENCE_PEER) $$draft || exit 1; done

HARNESS_TESTS := $(patsubst rxe-harness/tests/%_test.c,$(BUILD)/tests/rxe-harness/tests/%_test,\
                 $(filter-out $(if $(HARNESS_BPF),,%/trace/layout_test.c),\
                 $(wildcard rxe-harness/tests/*_test.c rxe-harness/tests/*/*_test.c)))
# Conversations of version 2 are made as for the checker's tests.
TALK2_O := $(BUILD)/obj/conformance/tests/support/dice.o $(call objects,conformance/tests/support/version2)
HARNESS_TEST_O = $(call objects,rxe-harness/tests/support rxe-harness/tests/support/links rxe-harness/tests/support/nfs) $(TALK2_O) $(HARNESS_O) $(PARTS_O) $(INPUT_O) $(OWN_LIBS)
$(BUILD)/tests/rxe-harness/tests/probe/random_guide_test: private HARNESS_O := $(COUNTED_HARNESS_O)
# What tests put in place of it (command_stage.c, scarce_memory.c).
$(HARNESS_TESTS): private override LDFLAGS += -Wl,--wrap=transport_verbs,--wrap=probe_name,--wrap=malloc,--wrap=calloc
$(HARNESS_TESTS): $(BUILD)/tests/%_test: %_test.c $$(HARNESS_TEST_O)
	@mkdir -p $(@D)
	$(call say,LINK,$@)
	$(Q)$(CC) $(CPPFLAGS) $(CFLAGS) $(INCLUDES) $(COMMAND_CFLAGS) -Wno-unused-parameter -Wno-cast-qual \
	    $(patsubst -I%,-isystem %,$(shell $(PKG_CONFIG) --cflags check)) -MMD -MP -MF $@.d $(LDFLAGS) $< \
	    $(HARNESS_TEST_O) $(HARNESS_LIBS) $(COMMAND_LIBS) $(shell $(PKG_CONFIG) --libs check) -o $@

# What our peers are driven by through the runs of their models (spec/models).
FOLLOW_C := $(wildcard rxe-harness/tests/models/*.c)
FOLLOW_O = $(BUILD)/obj/rxe-harness/tests/support/session_stage.o $(HARNESS_O) $(PARTS_O) $(INPUT_O) $(OWN_LIBS)
FOLLOW_LIBS = $(HARNESS_LIBS) $(COMMAND_LIBS) $(shell $(PKG_CONFIG) --libs check)
$(BUILD)/follow_runs: $(patsubst %.c,$(BUILD)/obj/%.o,$(FOLLOW_C)) $$(FOLLOW_O)
	$(call say,LINK,$@)
	$(Q)$(CC) $(LDFLAGS) $^ $(FOLLOW_LIBS) -o $@
	$(Q)printf '%s\n' '# usage: faulty SOURCE OUT: with another source of the harness' \
	    '$(CC) $(CPPFLAGS) $(CFLAGS) -Wno-error $(INCLUDES) $(COMMAND_CFLAGS) -c "$$1" -o "$$2.o" && \' \
	    '$(CC) $(LDFLAGS) -Wl,-z,muldefs "$$2.o" $^ $(FOLLOW_LIBS) -o "$$2"' >$@.faulty
