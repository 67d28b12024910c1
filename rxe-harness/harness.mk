# SPDX-License-Identifier: BSD-3-Clause
# Live peers: linked into the command. Without verbs.c there is loopback alone.

HARNESS_C := $(wildcard rxe-harness/*.c)
HARNESS_O := $(patsubst rxe-harness/%.c,$(BUILD)/obj/harness/%.o,$(HARNESS_C)) \
             $(BUILD)/obj/harness/probe_table.gen.o $(BUILD)/obj/harness/testprog.gen.o \
             $(BUILD)/obj/harness/compound.gen.o $(BUILD)/obj/harness/live_index.gen.o
HARNESS_CFLAGS = -Irxe-harness -Iconformance/cmd $(COMMAND_CFLAGS)
ifeq ($(wildcard rxe-harness/verbs.c),)
HARNESS_CFLAGS += -DHARNESS_NO_VERBS
else
HARNESS_LIBS := $(shell pkg-config --libs librdmacm libibverbs)
endif

# The test program: its arguments and results, and its numbers.
TESTPROG_H := $(GEN)/testprog.h $(GEN)/testprog_numbers.h
# Its source is made with its header.
$(GEN)/testprog.c: $(GEN)/testprog.h ;
$(GEN)/testprog.h: $(XDRGEN) $(BUILD)/spec/testprog.x
	@mkdir -p $(@D)
	$(call say,XDRGEN,testprog.x)
	$(Q)$(XDRGEN) --prefix=testprog_ --const-prefix=TESTPROG_ --root=data --root=fetch_args \
	    --include=testprog.h --header=$(GEN)/testprog.h --source=$(GEN)/testprog.c \
	    $(BUILD)/spec/testprog.x
$(GEN)/testprog_numbers.h: rxe-harness/numbers.awk $(BUILD)/spec/testprog.x
	@mkdir -p $(@D)
	$(Q)awk -f rxe-harness/numbers.awk $(BUILD)/spec/testprog.x >$@
# NFS version 4, all of it, to be sent: what the checker has of it only decodes, and is its own.
COMPOUND_H := $(GEN)/compound.h
$(GEN)/compound.c: $(GEN)/compound.h ;
$(GEN)/compound.h: $(XDRGEN) $(BUILD)/spec/rfc7863.x
	@mkdir -p $(@D)
	$(call say,XDRGEN,rfc7863.x)
	$(Q)$(XDRGEN) --reduced --prefix=nfs_ --strip=nfs_ --const-prefix=NFS_ --root=COMPOUND4args \
	    --root=nfs_resop4 --include=compound.h --header=$(GEN)/compound.h \
	    --source=$(GEN)/compound.c $(BUILD)/spec/rfc7863.x
$(BUILD)/obj/harness/%.gen.o: $(GEN)/%.c
	@mkdir -p $(@D)
	$(call say,CC,$<)
	$(Q)$(CC) $(CPPFLAGS) $(CFLAGS) -Icodec $(INCLUDES) -MMD -MP -c $< -o $@

$(BUILD)/obj/harness/%.o: rxe-harness/%.c | $(CODEC_HEADERS) $(GEN)/rpcrdma/rules.h $(TESTPROG_H) $(COMPOUND_H)
	@mkdir -p $(@D)
	$(call say,CC,$<)
	$(Q)$(CC) $(CPPFLAGS) $(CFLAGS) $(HARNESS_CFLAGS) -MMD -MP -c $< -o $@

# Which live cases are about a rule, for `rules`.
$(GEN)/live_index.c: rxe-harness/rules.awk rxe-harness/rules.tsv
	@mkdir -p $(@D)
	$(call say,CASES,$@)
	$(Q)awk -f rxe-harness/rules.awk rxe-harness/rules.tsv >$@
$(BUILD)/obj/harness/live_index.gen.o: $(GEN)/live_index.c
	@mkdir -p $(@D)
	$(call say,CC,$<)
	$(Q)$(CC) $(CPPFLAGS) $(CFLAGS) $(HARNESS_CFLAGS) -MMD -MP -c $< -o $@

# What `probe` sends, out of the vectors, so that the command needs no files.
PROBE_VECTORS := $(filter-out %schema.json vectors/nfs% vectors/private-data.json \
                 vectors/thresholds.json vectors/reverse-direction.json,$(VECTORS))
$(GEN)/probe_table.c: rxe-harness/probe_table.awk $(PROBE_VECTORS)
	@mkdir -p $(@D)
	$(call say,CASES,$@)
	$(Q)awk -f rxe-harness/probe_table.awk $(PROBE_VECTORS) >$@
$(BUILD)/obj/harness/probe_table.gen.o: $(GEN)/probe_table.c | $(CODEC_HEADERS) \
        $(GEN)/rpcrdma/rules.h $(TESTPROG_H) $(COMPOUND_H)
	@mkdir -p $(@D)
	$(call say,CC,$<)
	$(Q)$(CC) $(CPPFLAGS) $(CFLAGS) $(HARNESS_CFLAGS) -MMD -MP -c $< -o $@

# Its tests are linked with all of the command; its main() makes way for theirs.
$(BUILD)/obj/harness/command.o: $(BUILD)/obj/cmd/main.o
	$(Q)objcopy --redefine-sym main=rpcrdma_main $< $@
HARNESS_TESTS := $(patsubst rxe-harness/tests/%_test.c,$(BUILD)/tests/rxe-harness/tests/%_test,\
                 $(wildcard rxe-harness/tests/*_test.c))
HARNESS_TEST_O = $(HARNESS_O) $(BUILD)/obj/harness/command.o $(INPUT_O) \
                 $(filter-out $(BUILD)/obj/cmd/main.o,$(CMD_O)) $(OWN_LIBS)
$(BUILD)/tests/rxe-harness/tests/%_test: rxe-harness/tests/%_test.c $$(HARNESS_TEST_O)
	@mkdir -p $(@D)
	$(call say,LINK,$@)
	$(Q)$(CC) $(CPPFLAGS) $(CFLAGS) $(HARNESS_CFLAGS) -Wno-unused-parameter -Wno-cast-qual \
	    $(patsubst -I%,-isystem %,$(shell pkg-config --cflags check)) -MMD -MP -MF $@.d $(LDFLAGS) $< \
	    $(HARNESS_TEST_O) $(HARNESS_LIBS) $(COMMAND_LIBS) $(shell pkg-config --libs check) -o $@
