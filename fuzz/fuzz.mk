# SPDX-License-Identifier: BSD-3-Clause
# Fuzzing: targets and replayers, the kit for other people's parsers, coverage. Included by the
# Makefile. The same rules serve every way to build: `make fuzz` calls make again with a BUILD, a
# compiler and sanitizers of its own.

FUZZ_SECONDS ?= 30
FUZZ_TARGETS := decode1 oracle1 decode2 oracle2 oracle07 message check2 rpc private_data check capture vectors xdrgen session roce iwarp trace
KIT_PARSERS  := careless rpcgen line line2 version2 receive

# What each target is linked from beside its own file; which mutator it has, which corpus, and which
# codec of rpcgen's (they share names).
fuzz-objects-oracle1 := rpcgen
fuzz-mutator-decode1 := send
fuzz-mutator-oracle1 := send
fuzz-mutator-check   := conversation
fuzz-mutator-decode2 := version2
fuzz-mutator-oracle2 := version2
fuzz-mutator-oracle07 := version2
fuzz-mutator-message := version2
fuzz-mutator-check2  := conversation
fuzz-mutator-rpc     := rpc
fuzz-corpus-oracle1  := decode1
fuzz-corpus-oracle2  := decode2
fuzz-corpus-oracle07 := decode2
fuzz-corpus-message  := decode2
fuzz-ref-oracle2     := rpcrdma2_04
fuzz-ref-oracle07    := rpcrdma2_07
FUZZ_MUTATORS := send conversation fields version2 rpc

FUZZ_CFLAGS = $(TEST_CFLAGS) -Ifuzz/kit
FUZZ_LIBS   = $(COMMAND_LIBS) $(shell $(PKG_CONFIG) --libs libtirpc)
FUZZ_FRONT_O := $(filter-out %/main.o %/diag.o,$(GEN_O))
FUZZ_REF_O   := $(BUILD)/ref/rfc8166.o
fuzz-ref     = $(BUILD)/ref/$(or $(fuzz-ref-$(1)),rfc8166).o

flags-fuzz = $(filter-out $(INCLUDES),$(FUZZ_CFLAGS))
$(FUZZ_TARGETS:%=$(BUILD)/obj/fuzz/targets/%_fuzz.o): $(BUILD)/ref/rfc8166.h $(BUILD)/ref/rpcrdma2_04.h
$(BUILD)/obj/fuzz/targets/rpcgen.o $(BUILD)/obj/fuzz/kit/rpcgen.o: $(BUILD)/ref/rfc8166.h

# What comparisons compare leads the fuzzer on, at a third of its speed: those of a target are oracles,
# and the codec's words are in the dictionary. A mutator is not what is fuzzed; nor is a target that
# has no more of its own than oracles.
ifneq ($(filter %fuzzer-no-link,$(EXTRA_CFLAGS)),)
$(BUILD)/obj/fuzz/targets/%_fuzz.o: FUZZ_CFLAGS += -fno-sanitize-coverage=trace-cmp
$(CODEC_O): CODEC_CFLAGS += -fno-sanitize-coverage=trace-cmp
$(BUILD)/obj/conformance/walk/walk.o: CHECK_CFLAGS += -fno-sanitize-coverage=trace-cmp
$(patsubst %,$(BUILD)/obj/fuzz/mutators/%.o,mutator exchange version2/header $(addprefix mutator_,$(FUZZ_MUTATORS))) \
$(patsubst %,$(BUILD)/obj/fuzz/targets/%_fuzz.o,decode1 oracle1 decode2 oracle2 oracle07 message): FUZZ_CFLAGS += -fno-sanitize=fuzzer-no-link
endif

fuzz-parts = $(patsubst %,$(BUILD)/obj/fuzz/targets/%.o,$(fuzz-objects-$(1))) \
             $(if $(filter xdrgen,$(1)),$(FUZZ_FRONT_O)) \
             $(if $(filter session,$(1)),$(filter $(BUILD)/obj/rxe-harness/session/%,$(HARNESS_O)) $(BUILD)/obj/conformance/base/clock.o) \
             $(if $(filter oracle07,$(1)),$(patsubst %,$(BUILD)/obj/codec/tests/reference/%.o,read rpcrdma2_07)) \
             $(if $(filter roce iwarp,$(1)),$(call fuzz-transport,$(1)) $(INPUT_O) $(BUILD)/obj/conformance/base/clock.o) \
             $(if $(filter trace,$(1)),$(patsubst %,$(BUILD)/obj/rxe-harness/%.o,trace/assemble trace/memory trace/ring trace/sighting \
             proxy/capture) $(patsubst %,$(BUILD)/obj/conformance/base/%.o,alloc output status text)) \
             $(if $(filter capture vectors trace,$(1)),$(INPUT_O))
# The halves of a connection, without the threads and sockets around them.
fuzz-transport = $(patsubst %,$(BUILD)/obj/rxe-harness/transport/%.o,user/end user/wire user/ip user/wait \
                 $(if $(filter roce,$(1)),$(addprefix roce/,frame management requester responder),\
                 $(addprefix iwarp/,fpdu requester responder seen socket start terminate)))
# With each mutator what it is made of.
fuzz-with-conversation := exchange version2/header mutator_fields
fuzz-with-version2     := version2/header mutator_fields
fuzz-with-rpc          := mutator_fields
fuzz-mutator = $(if $(fuzz-mutator-$(1)),$(patsubst %,$(BUILD)/obj/fuzz/mutators/%.o,mutator \
               mutator_$(fuzz-mutator-$(1)) $(fuzz-with-$(fuzz-mutator-$(1)))))

# For libFuzzer (clang), and each by itself. OSS-Fuzz has an engine of its own, and links as C++.
FUZZ_ENGINE ?= -fsanitize=fuzzer
FUZZ_LINK   ?= $(CC)
$(BUILD)/fuzzers/%: $(BUILD)/obj/fuzz/targets/%_fuzz.o $$(call fuzz-parts,$$*) $$(call fuzz-mutator,$$*) \
        $(OWN_LIBS) $$(call fuzz-ref,$$*)
	@mkdir -p $(@D)
	$(call say,LINK,$@)
	$(Q)$(FUZZ_LINK) $(LDFLAGS) $^ $(FUZZ_ENGINE) $(FUZZ_LIBS) -o $@
$(BUILD)/replayers/%: $(BUILD)/obj/fuzz/targets/%_fuzz.o $(BUILD)/obj/fuzz/replay.o \
        $$(call fuzz-parts,$$*) $(OWN_LIBS) $$(call fuzz-ref,$$*)
	@mkdir -p $(@D)
	$(call say,LINK,$@)
	$(Q)$(CC) $(LDFLAGS) $^ $(FUZZ_LIBS) -o $@

# The kit: the same target around each parser. The tests fuzz its examples (libFuzzer is clang's): what
# leads there is the parser, and the rest of that build needs no instrumentation for it.
FUZZ_KIT = $(if $(and $(SANITIZE),$(findstring clang,$(CC))),$(BUILD)/fuzz/testee \
           $(BUILD)/fuzz/rpcrdma.dict $(patsubst %,$(BUILD)/fuzzers/kit_%,careless rpcgen line))
$(KIT_PARSERS:%=$(BUILD)/obj/fuzz/kit/%.o): FUZZ_CFLAGS += $(if $(FUZZ_KIT),-fsanitize=fuzzer-no-link)
KIT_O := $(patsubst %,$(BUILD)/obj/fuzz/kit/%.o,kit compare version2/compare known table) $(patsubst %,$(BUILD)/obj/conformance/%.o, \
         report/results/tolerance report/results/known report/results/ending base/alloc base/nearest base/output base/register base/status base/text)
KIT_MUTATOR := $(patsubst %,$(BUILD)/obj/fuzz/mutators/%.o,mutator mutator_send)
# Only the example around rpcgen's codec needs that codec and its library.
kit-with-rpcgen = $(BUILD)/obj/fuzz/targets/rpcgen.o $(FUZZ_REF_O)
kit-libs-rpcgen = $(shell $(PKG_CONFIG) --libs libtirpc)
KIT_PARTS = $(KIT_O) $(OWN_LIBS)
$(BUILD)/fuzzers/kit_%: $(BUILD)/obj/fuzz/kit/%.o $$(kit-with-$$*) $(KIT_MUTATOR) $(KIT_PARTS)
	@mkdir -p $(@D)
	$(call say,LINK,$@)
	$(Q)$(FUZZ_LINK) $(LDFLAGS) $^ $(FUZZ_ENGINE) $(kit-libs-$*) -pthread -o $@
$(BUILD)/replayers/kit_%: $(BUILD)/obj/fuzz/kit/%.o $$(kit-with-$$*) $(BUILD)/obj/fuzz/replay.o $(KIT_PARTS)
	@mkdir -p $(@D)
	$(call say,LINK,$@)
	$(Q)$(CC) $(LDFLAGS) $^ $(kit-libs-$*) -pthread -o $@

# Somebody's parser, a source file from wherever it is: KIT_PARSER, with flags and more sources or
# objects of its own. With none it is one that KIT_TESTEE starts. It is compiled with those flags, the
# sanitizers and nothing else of ours. What it is made of make does not see: it is made each time.
# Most parsers load words misaligned, as the processors that they run on allow.
KIT_PARSER_FLAGS ?=
KIT_SANITIZE ?= $(if $(SANITIZE),-fsanitize=$(SANITIZE) -fno-sanitize-recover=all -fno-sanitize=alignment)
kit-is-c++ = $(filter %.cc %.cpp %.cxx,$(KIT_PARSER) $(KIT_PARSER_FLAGS))
# The kit as one object that exports nothing but what libFuzzer calls: the parser may have functions of
# the same names, and a copy of our codec. One that uses our codec without a copy gets it from the archive.
OBJCOPY ?= objcopy
$(BUILD)/fuzz/kit.o: $(KIT_MUTATOR) $(KIT_PARTS)
	@mkdir -p $(@D)
	$(call say,LINK,$@)
	$(Q)$(LD) -r $^ -o $@
	$(Q)$(OBJCOPY) --wildcard --keep-global-symbol='LLVMFuzzer*' $@
.PHONY: kit-parser-again
kit-parser-again:
$(BUILD)/fuzzers/kit_parser: $(BUILD)/fuzz/kit.o kit-parser-again
	@mkdir -p $(@D)
	$(call say,LINK,$@)
	$(Q)$(CC) -g -O1 $(EXTRA_CFLAGS) $(KIT_SANITIZE) -Ifuzz/kit $(or $(KIT_PARSER),fuzz/kit/line.c) \
	    $(KIT_PARSER_FLAGS) $(LDFLAGS) $(BUILD)/fuzz/kit.o $(OWN_LIBS) $(FUZZ_ENGINE) \
	    $(if $(kit-is-c++),-lstdc++) -pthread -o $@
.PHONY: kit-parser
kit-parser: $(BUILD)/fuzzers/kit_parser $(BUILD)/fuzz/rpcrdma.dict

# All of it: build the kit around the parser, fuzz for KIT_SECONDS, print the table of disagreements.
# Corpus and findings are in $(BUILD)/kit.
KIT_SECONDS ?= 60
.PHONY: kit
kit:
	$(if $(KIT_PARSER)$(KIT_TESTEE),,$(error KIT_PARSER= names the source file of your parser, or KIT_TESTEE= the command \
	    that starts it: fuzz/README.md))
	+@$(MAKE) --no-print-directory BUILD=$(BUILD)/kit CC=clang SANITIZE=address,undefined \
	    EXTRA_CFLAGS=-fsanitize=fuzzer-no-link kit-parser
	@mkdir -p $(BUILD)/kit/corpus $(BUILD)/kit/found
	$(Q)sh fuzz/corpus_files.sh unpack fuzz/corpus/decode1.hex $(BUILD)/kit/seeds
	KIT_CONTINUE=1 $(BUILD)/kit/fuzzers/kit_parser -max_total_time=$(KIT_SECONDS) \
	    -dict=$(BUILD)/kit/fuzz/rpcrdma.dict -artifact_prefix=$(BUILD)/kit/found/ \
	    $(BUILD)/kit/corpus $(BUILD)/kit/seeds

.PHONY: fuzzers replayers
fuzzers: $(FUZZ_TARGETS:%=$(BUILD)/fuzzers/%) $(KIT_PARSERS:%=$(BUILD)/fuzzers/kit_%) \
         $(BUILD)/fuzz/rpcrdma.dict
replayers: $(FUZZ_TARGETS:%=$(BUILD)/replayers/%) $(KIT_PARSERS:%=$(BUILD)/replayers/kit_%)

$(BUILD)/fuzz/rpcrdma.dict: fuzz/dictionary.awk $(addprefix $(BUILD)/spec/,rfc8166.x rpc.x \
        gss.x rpcrdma2-04.x rpcrdma2-07.x)
	@mkdir -p $(@D)
	$(Q)awk -f $^ >$@

# ---- seeds ----

$(BUILD)/fuzz/seeds: $(BUILD)/obj/fuzz/seeds.o $(BUILD)/obj/fuzz/mutators/exchange.o $(INPUT_O) $(OWN_LIBS)
	@mkdir -p $(@D)
	$(call say,LINK,$@)
	$(Q)$(CC) $(LDFLAGS) $^ $(COMMAND_LIBS) -o $@
$(BUILD)/fuzz/testee: $(BUILD)/obj/fuzz/kit/testee.o $(BUILD)/obj/fuzz/kit/careless.o
	@mkdir -p $(@D)
	$(call say,LINK,$@)
	$(Q)$(CC) $(LDFLAGS) $^ -o $@

# ---- what to call ----

# A corpus as a folder, for what takes one.
$(BUILD)/fuzz/corpus/%: fuzz/corpus/%.hex fuzz/corpus_files.sh
	$(Q)sh fuzz/corpus_files.sh unpack $< $@

# Targets with their corpora.
FUZZ_CORPORA := $(foreach t,$(FUZZ_TARGETS),$(t):$(or $(fuzz-corpus-$(t)),$(t)))

# For scripts that take them along.
.PHONY: fuzz-list
fuzz-list:
	@mkdir -p $(BUILD)/fuzz
	@printf '%s\n' $(FUZZ_CORPORA) >$(BUILD)/fuzz/list

# make again, with instrumentation for libFuzzer.
FUZZ_ASAN  := $(BUILD)/fuzz/asan
FUZZ_PLAIN := $(BUILD)/fuzz/plain
fuzz-asan  = $(MAKE) --no-print-directory BUILD=$(FUZZ_ASAN) CC=clang SANITIZE=address,undefined \
             EXTRA_CFLAGS=-fsanitize=fuzzer-no-link
fuzz-plain = $(MAKE) --no-print-directory BUILD=$(FUZZ_PLAIN) CC=clang SANITIZE= \
             EXTRA_CFLAGS=-fsanitize=fuzzer-no-link LDFLAGS=-fsanitize=fuzzer-no-link

# Each target for FUZZ_SECONDS, then the kit's examples.
.PHONY: fuzz
fuzz: deps
	+$(fuzz-asan) fuzzers replayers $(FUZZ_ASAN)/fuzz/testee
	$(Q)sh fuzz/run.sh $(FUZZ_ASAN) $(FUZZ_SECONDS) $(FUZZ_CORPORA)
	$(Q)sh fuzz/kit/example_test.sh $(FUZZ_ASAN)
	$(Q)sh fuzz/kit/mutants_test.sh $(FUZZ_ASAN)

# Executions a second, without sanitizers and with them.
.PHONY: fuzz-rate
fuzz-rate: deps
	+$(fuzz-plain) fuzzers
	+$(fuzz-asan) fuzzers
	@echo 'without sanitizers:'
	$(Q)sh fuzz/run.sh $(FUZZ_PLAIN) 10 $(FUZZ_CORPORA)
	@echo 'with address and undefined behaviour:'
	$(Q)sh fuzz/run.sh $(FUZZ_ASAN) 10 $(FUZZ_CORPORA)

.PHONY: fuzz-kit
fuzz-kit: deps
	+$(fuzz-asan) fuzzers replayers $(FUZZ_ASAN)/fuzz/testee
	$(Q)sh fuzz/kit/example_test.sh $(FUZZ_ASAN)
	$(Q)sh fuzz/kit/mutants_test.sh $(FUZZ_ASAN)

# Every input of the corpora, with the compiler and the sanitizers of this build.
.PHONY: fuzz-replay
fuzz-replay: replayers
	$(Q)sh fuzz/replay_test.sh $(BUILD) $(FUZZ_CORPORA)

# The corpora anew, from vectors, captures and what fuzzing has found. An input that only reaches one
# more place in the many of NFS's generated codecs is not kept: they are made as the others are.
FUZZ_MERGE := $(BUILD)/fuzz/merge
fuzz-merge = $(MAKE) --no-print-directory BUILD=$(FUZZ_MERGE) CC=clang SANITIZE= FUZZ_MERGING=yes \
             EXTRA_CFLAGS=-fsanitize=fuzzer-no-link LDFLAGS=-fsanitize=fuzzer-no-link
ifdef FUZZ_MERGING
$(BINDINGS:%=$(BUILD)/obj/made/%.o): CHECK_CFLAGS += -fno-sanitize=fuzzer-no-link
endif
.PHONY: fuzz-corpus
fuzz-corpus: deps
	+$(fuzz-merge) fuzzers $(FUZZ_MERGE)/fuzz/seeds
	$(Q)sh fuzz/corpus.sh $(FUZZ_MERGE) $(FUZZ_ASAN)/fuzz/grown $(filter-out oracle%,$(FUZZ_TARGETS))

# Static functions that nobody calls are not in the objects, and not counted.
FUZZ_COV := -mllvm -limited-coverage-experimental=true
.PHONY: coverage
coverage:
	@DEPS=$(DEPS) sh .ci/deps.sh test llvm-@clang@
	+LLVM_PROFILE_FILE=/dev/null $(MAKE) --no-print-directory BUILD=$(BUILD)/fuzz/cov CC=clang \
	    SANITIZE= OPT='-O1 -g' EXTRA_CFLAGS='-fprofile-instr-generate -fcoverage-mapping $(FUZZ_COV)' \
	    LDFLAGS='-fprofile-instr-generate -fcoverage-mapping' coverage-run
.PHONY: coverage-run
coverage-run: replayers $(TESTS)
	$(Q)sh fuzz/coverage.sh $(BUILD) $(BUILD)/coverage '$(TESTS)' $(FUZZ_CORPORA)
