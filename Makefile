# SPDX-License-Identifier: BSD-3-Clause
# Everything is built into $(BUILD). `make help` lists what can be made.

VERSION := 0.1.0
# Another when callers break (STABLE.md); the maps' names and Debian's names of packages have to be changed, too.
SOVERSION := 0
BUILD   ?= build
ifeq ($(origin CC),default)
CC := gcc
endif
PKG_CONFIG ?= pkg-config
# 1: install missing Debian packages; no: only say which.
DEPS    ?= yes

# V=1 shows the commands.
Q := $(if $(V),,@)
# SAY_OF: how many such lines there will be; then each is numbered.
numbered :=
say = @printf '  %-6s %s%s\n' $(1) '$(if $(SAY_OF),$(eval numbered += x)$(words $(numbered))/$(SAY_OF) )' $(2)
# The first lines of every generated file: its licence, what made it, out of what. What xdrgen makes for the codec is under
# two licences to choose from; where it derives from a code component of an RFC, that one's is kept as well.
own-licence = BSD-3-Clause OR GPL-2.0-only
licence = $(if $(filter rpc.x gss.x,$(1)),$(own-licence),BSD-3-Clause$(if $(filter rfc8166.x rpcrdma2-%,$(1)), AND ($(own-licence))))
banner = printf '// SPDX-License-Identifier: %s\n/* Made by %s of rpcrdma $(VERSION) from %s: do not edit. */\n' '$(call licence,$(2))' $(1) $(2)
xdrgen-banner = --banner="$$($(call banner,xdrgen,$(1)))" $(if $(title-$(basename $(1))),--title='$(title-$(basename $(1)))')

OPT      ?= -O2 -g
SANITIZE ?=
# In a checkout a warning is an error; not in a release, for compilers to come have warnings of their own.
WERROR   ?= $(if $(wildcard .git),-Werror)
WARNINGS := -Wall -Wextra $(WERROR) -Wshadow -Wstrict-prototypes -Wmissing-prototypes -Wconversion \
            -Wno-sign-conversion -Wpointer-arith -Wcast-qual -Wwrite-strings -Wvla
CPPFLAGS += -D_POSIX_C_SOURCE=200809L
CFLAGS   := -std=c11 $(OPT) $(WARNINGS) $(if $(SANITIZE),-fsanitize=$(SANITIZE) \
            -fno-sanitize-recover=all -fno-omit-frame-pointer) $(EXTRA_CFLAGS)
LDFLAGS  += $(if $(SANITIZE),-fsanitize=$(SANITIZE))

GEN      := $(BUILD)/gen
# Private headers are named from the top: "conformance/describe/json.h".
INCLUDES := -I. -Icodec/include -Iconformance/include -I$(GEN)
CODEC_CFLAGS := -fPIC -fvisibility=hidden -ffreestanding -fstack-usage
CHECK_CFLAGS := -fPIC -fvisibility=hidden
# Compressed captures are read with the libraries that are there.
has-library = $(shell $(PKG_CONFIG) --exists $(1) 2>/dev/null && echo 1)
HAVE_ZLIB ?= $(call has-library,zlib)
HAVE_LZMA ?= $(call has-library,liblzma)
HAVE_ZSTD ?= $(call has-library,libzstd)
COMPRESSION := $(if $(HAVE_ZLIB),zlib) $(if $(HAVE_LZMA),liblzma) $(if $(HAVE_ZSTD),libzstd)
flags-conformance/input = $(COMMAND_CFLAGS) $(if $(HAVE_ZLIB),-DHAVE_ZLIB) \
                          $(if $(HAVE_LZMA),-DHAVE_LZMA) $(if $(HAVE_ZSTD),-DHAVE_ZSTD)
# Of 32 bits, too, it reads large files, and folders whose entries have large numbers.
COMMAND_CFLAGS = $(shell $(PKG_CONFIG) --cflags jansson libpcap) -D_DEFAULT_SOURCE -D_FILE_OFFSET_BITS=64 \
                 -DRPCRDMA_KIT_VERSION='"$(VERSION)"'

.SECONDEXPANSION:
.DELETE_ON_ERROR:

.PHONY: all
all: $(BUILD)/rpcrdma $(BUILD)/librpcrdma.a $(BUILD)/librpcrdma.so \
     $(BUILD)/librpcrdma-check.a $(BUILD)/librpcrdma-check.so $$(COMMAND_PAGES)

.PHONY: help
help:
	@echo 'make conform   install what is missing, build, run checker, vectors, probe and serve'
	@echo 'make test      build, run what a minute has room for; needs no more than the build, and Check'
	@echo 'make check     install what is missing, build, run all tests with gcc, and with clang and sanitizers'
	@echo 'make           build only: $(BUILD)/rpcrdma, librpcrdma, librpcrdma-check'
	@echo 'make vectors   make the vectors anew'
	@echo 'make accept    the same, and recordings, findings and sums that tests compare with; shows what changed'
	@echo 'make live      the Linux NFS/RDMA server and client in a virtual machine; KERNEL= TRANSPORT='
	@echo 'make live-compare  two kernels, BASE= and KERNEL=: what the second does otherwise'
	@echo 'make kernel    a kernel with KASAN, lockdep and gcov for `make live KERNEL=`; RELEASE= TREE='
	@echo 'make fuzz      fuzz everything, FUZZ_SECONDS=30 a target; make coverage'
	@echo 'make kit       fuzz your own parser, KIT_PARSER=; make reference-peer: for make live PEER='
	@echo 'make mutation  change the sources, one point at a time: do the tests notice? SEED= MUTANTS= SECONDS='
	@echo 'make bench     codec, checker and a capture of 200 MB: how fast; writes $(BUILD)/bench.json'
	@echo 'make install   into $$(DESTDIR)$$(PREFIX); make uninstall; make install-python'
	@echo 'make release   archives, packages and checksums, and what is left to do: URL= MAINTAINER='
	@echo 'make dist, make deb, make rpm, make site, make abi: parts of it'
	@echo 'make roots     as root: users and packagers in a bare root of Debian, SUITE=trixie STEPS="conform deb ..."'
	@echo 'podman build -t rpcrdma -f packaging/container/Containerfile .: an image of the command'
	@echo 'make dist-codec  $(BUILD)/rpcrdma-codec-$(VERSION): the codec for another source tree'
	@echo 'make model     search the models of spec/models with Spin, and judge each of their runs: some minutes'
	@echo 'make prove     the decoders have no run-time error: Frama-C, some minutes; WP=1: contracts, too'
	@echo 'make clean     remove $(BUILD)'
	@echo 'DEPS=no        never install packages; WERROR= warnings are no errors; CC=, OPT=, SANITIZE=, BUILD= as usual'

# ---- how C is compiled ----

# One rule compiles all of the tree, another what is generated; each folder may have flags of its own.
flags-codec             = $(CODEC_CFLAGS)
flags-conformance/walk  = $(CHECK_CFLAGS)
flags-conformance/check = $(CHECK_CFLAGS)
flags-conformance/describe = $(CHECK_CFLAGS) -D_DEFAULT_SOURCE
flags-conformance       = $(COMMAND_CFLAGS)
flags-conformance/run   = $(COMMAND_CFLAGS) $(if $(TO_DATA),-DRPCRDMA_DATA='"$(TO_DATA)"')
flags-rxe-harness       = $(COMMAND_CFLAGS)
comma    := ,
top       = $(firstword $(subst /, ,$(1)))
second    = $(word 2,$(subst /, ,$(1)))
flags-for = $(or $(flags-$(call top,$(1))/$(call second,$(1))),$(flags-$(call top,$(1))))
# objects of the folders named
objects   = $(patsubst %.c,$(BUILD)/obj/%.o,$(wildcard $(1:%=%/*.c)))
# The generator itself needs nothing that it makes.
headers-for = $(if $(filter gen,$(call top,$(1))),,$(GENERATED_HEADERS))
$(BUILD)/obj/%.o: %.c | $$(call headers-for,$$*)
	@mkdir -p $(@D)
	$(call say,CC,$<)
	$(Q)$(CC) $(CPPFLAGS) $(CFLAGS) $(INCLUDES) $(call flags-for,$*) -MMD -MP -c $< -o $@
$(BUILD)/obj/made/%.o: $(GEN)/%.c | $$(GENERATED_HEADERS)
	@mkdir -p $(@D)
	$(call say,CC,$<)
	$(Q)$(CC) $(CPPFLAGS) $(CFLAGS) $(INCLUDES) $(flags-made/$*) -MMD -MP -c $< -o $@

# ---- spec: XDR out of the specifications, repaired ----

XDR := $(addprefix $(BUILD)/spec/,rfc8166.x rpcrdma2-04.x rpcrdma2-07.x rfc7863.x rpc.x gss.x \
         nfs3.x nfs2.x)
spec/text-rfc8166     := spec/rfc8166.txt
spec/text-rpcrdma2-04 := spec/draft-cel-nfsv4-rpcrdma-version-two-04.txt
spec/text-rpcrdma2-07 := spec/draft-ietf-nfsv4-rpcrdma-version-two-07.txt
spec/text-rfc7863     := spec/rfc7863.txt

$(BUILD)/spec/%.x: spec/%.errata $$(spec/text-%) spec/extract.sh spec/repair.sh
	@mkdir -p $(@D)
	$(call say,XDR,$@)
	$(Q)sh spec/extract.sh $(spec/text-$*) >$@.extracted
	$(Q)sh spec/repair.sh spec/$*.errata <$@.extracted >$@

$(BUILD)/spec/%.x: spec/%.x
	@mkdir -p $(@D)
	$(Q)cp $< $@

# NFS version 4.2 with the operations that RFC 8276 adds.
$(BUILD)/spec/nfs4.x: $(BUILD)/spec/rfc7863.x spec/rfc8276.errata spec/repair.sh
	$(call say,XDR,$@)
	$(Q)sh spec/repair.sh spec/rfc8276.errata <$< >$@

# The first file says what is not judged yet, or is shown by no vector.
REGISTER := spec/requirements/unjudged.tsv $(sort $(wildcard spec/requirements/rfc*.tsv)) \
    $(sort $(wildcard spec/requirements/rpcrdma2-*.tsv))
RULES_AWK := spec/requirements/words.awk conformance/check/rules.awk
$(GEN)/rpcrdma/rules.h: $(RULES_AWK) $(REGISTER)
	@mkdir -p $(@D)
	$(call say,RULES,$@)
	$(Q)$(call banner,rules.awk,spec/requirements) >$@
	$(Q)awk $(RULES_AWK:%=-f %) -v out=header $(REGISTER) >>$@
$(GEN)/rules.c: $(RULES_AWK) $(REGISTER)
	@mkdir -p $(@D)
	$(call say,RULES,$@)
	$(Q)$(call banner,rules.awk,spec/requirements) >$@
	$(Q)awk $(RULES_AWK:%=-f %) -v out=source $(REGISTER) >>$@
$(GEN)/shared.c: $(RULES_AWK) spec/requirements/shared.tsv $(REGISTER)
	@mkdir -p $(@D)
	$(call say,RULES,$@)
	$(Q)$(call banner,rules.awk,spec/requirements) >$@
	$(Q)awk $(RULES_AWK:%=-f %) -v out=shared spec/requirements/shared.tsv $(REGISTER) >>$@
$(GEN)/register_words.h: $(RULES_AWK)
	@mkdir -p $(@D)
	$(call say,RULES,$@)
	$(Q)$(call banner,rules.awk,spec/requirements) >$@
	$(Q)awk $(RULES_AWK:%=-f %) -v out=words >>$@

# ---- gen: the XDR compiler ----

# NATIVE=FOLDER, for a cross build: a build for this machine, whose programs make what is made.
NATIVE ?=
XDRGEN := $(BUILD)/xdrgen
GEN_O  := $(call objects,gen gen/front gen/back)
ifneq ($(NATIVE),)
$(BUILD)/xdrgen $(BUILD)/vector_tables: $(BUILD)/%: $(NATIVE)/%
	@mkdir -p $(@D)
	$(Q)cp $< $@
else
$(XDRGEN): $(GEN_O)
	$(call say,LINK,$@)
	$(Q)$(CC) $(LDFLAGS) $^ -o $@
endif

# What is compiled of each specification, and under which names.
xdr-rpcrdma1    := rfc8166
xdr-rpcrdma2_04 := rpcrdma2-04
xdr-rpcrdma2_07 := rpcrdma2-07
xdr-rpc         := rpc
xdr-gss         := gss
xdr-nfs2        := nfs2
xdr-nfs3        := nfs3
xdr-nfs4        := nfs4
# What comments call the specification.
title-rfc8166     := RFC 8166
title-rpcrdma2-04 := draft-cel-nfsv4-rpcrdma-version-two-04
title-rpcrdma2-07 := draft-ietf-nfsv4-rpcrdma-version-two-07
title-rpc         := RFC 5531
title-gss         := RFC 2203
title-nfs2        := RFC 1094
title-nfs3        := RFC 1813
title-rfc7863     := RFC 7863
title-nfs4        := RFC 7863 and RFC 8276
xdrgen-rpcrdma1    := --inline --offsets --prefix=rpcrdma1_ --const-prefix=RPCRDMA1_ --root=rdma_msg \
                      --names=codec/rpcrdma1.names
xdrgen-rpcrdma2_04 := --inline --offsets --prefix=rpcrdma2_04_ --const-prefix=RPCRDMA2_04_ \
                      --strip=rpcrdma2_ --const-strip=RDMA2_ --root=rpcrdma2_xprt_hdr --names=codec/rpcrdma2_04.names
xdrgen-rpcrdma2_07 := --inline --offsets --prefix=rpcrdma2_07_ --const-prefix=RPCRDMA2_07_ \
                      --strip=rpcrdma2_ --const-strip=RDMA2_ --names=codec/rpcrdma2_07.names \
                      $(addprefix --root=rpcrdma2_hdr_,prefix error connprop call_external \
                        call_middle call_inline reply_external reply_middle reply_inline)
xdrgen-rpc         := --inline --offsets --prefix=rpcrdma_rpc_ --strip=rpc_ \
                      --const-prefix=RPCRDMA_RPC_ --root=rpc_msg --names=codec/rpc.names
xdrgen-gss         := --offsets --prefix=rpcrdma_gss_ --strip=rpc_gss_ --const-prefix=RPCRDMA_GSS_ \
                      --root=rpc_gss_cred --names=codec/gss.names

xdrgen-nfs2        := --reduced --prefix=rpcrdma_nfs2_ --const-prefix=NFS2_ \
                      $(addprefix --root=,writeargs symlinkargs readargs readdirargs readres readlinkres)
xdrgen-nfs3        := --reduced --prefix=rpcrdma_nfs3_ --const-prefix=NFS3_ \
                      $(addprefix --root=,WRITE3args SYMLINK3args READ3args READDIR3args READDIRPLUS3args \
                      READ3res READLINK3res)
xdrgen-nfs4        := --reduced --prefix=rpcrdma_nfs4_ --const-prefix=NFS4_ $(addprefix --root=,nfs_argop4 nfs_resop4 nfs_cb_argop4)

CODECS := rpcrdma1 rpcrdma2_04 rpcrdma2_07 rpc gss
# Upper layers belong to the checker: their headers are private to it.
BINDINGS := nfs2 nfs3 nfs4
CODEC_HEADERS := $(CODECS:%=$(GEN)/rpcrdma/%.h)
GENERATED_HEADERS = $(CODEC_HEADERS) $(BINDING_HEADERS) $(GEN)/rpcrdma/rules.h $(GEN)/register_words.h $(TESTPROG_H) $(COMPOUND_H) $(NFS3_HANDLES_H)
$(GEN)/rpcrdma/%.h $(GEN)/%.c $(GEN)/%_tables.c: $(XDRGEN) $(BUILD)/spec/$$(xdr-$$*).x \
        $$(wildcard codec/$$*.names)
	@mkdir -p $(GEN)/rpcrdma
	$(call say,XDRGEN,$(xdr-$*).x)
	$(Q)$(XDRGEN) $(call xdrgen-banner,$(xdr-$*).x) $(xdrgen-$*) --include=rpcrdma/$*.h --header=$(GEN)/rpcrdma/$*.h \
	    --source=$(GEN)/$*.c --tables=$(GEN)/$*_tables.c $(BUILD)/spec/$(xdr-$*).x

BINDING_HEADERS := $(BINDINGS:%=$(GEN)/%.h)
define binding-rule
$(if $(and $(xdr-$(1)),$(xdrgen-$(1))),,$(error BINDINGS has $(1), which needs xdr-$(1) and xdrgen-$(1)))
$(GEN)/$(1).h $(GEN)/$(1).c $(GEN)/$(1)_tables.c &: $(XDRGEN) $(BUILD)/spec/$(xdr-$(1)).x Makefile
	@mkdir -p $(GEN)
	$$(call say,XDRGEN,$(xdr-$(1)).x)
	$$(Q)$(XDRGEN) $$(call xdrgen-banner,$(xdr-$(1)).x) $(xdrgen-$(1)) --include=$(1).h --header=$(GEN)/$(1).h \
	    --source=$(GEN)/$(1).c --tables=$(GEN)/$(1)_tables.c $(BUILD)/spec/$(xdr-$(1)).x
endef
$(foreach b,$(BINDINGS),$(eval $(call binding-rule,$(b))))

NFS_XDR := $(addprefix $(BUILD)/spec/,nfs2.x nfs3.x nfs4.x)
BINDING_HEADERS += $(GEN)/nfs_names.h
$(GEN)/nfs_names.h: conformance/decode/names.awk $(NFS_XDR)
	@mkdir -p $(@D)
	$(call say,NAMES,$@)
	$(Q)$(call banner,names.awk,'NFS XDR') >$@
	$(Q)awk -f conformance/decode/names.awk $(NFS_XDR) >>$@

# ---- codec: librpcrdma ----

# A library defines or links all that it uses; a sanitizer's functions come with the program.
SHARED := -shared $(if $(SANITIZE),,-Wl$(comma)-z$(comma)defs)

CODEC_O := $(call objects,codec) $(CODECS:%=$(BUILD)/obj/made/%.o)
$(foreach c,$(CODECS),$(eval flags-made/$(c) = $$(CODEC_CFLAGS)))
$(BUILD)/librpcrdma.a: $(CODEC_O)
	@rm -f $@
	$(call say,AR,$@)
	$(Q)$(AR) rcs $@ $^
$(BUILD)/librpcrdma.so: $(CODEC_O) codec/librpcrdma.map
	$(call say,LINK,$@)
	$(Q)$(CC) $(LDFLAGS) $(SHARED) -Wl,-soname,librpcrdma.so.$(SOVERSION) -Wl,--version-script=codec/librpcrdma.map \
	    $(CODEC_O) -o $@
	@ln -sf librpcrdma.so $(BUILD)/librpcrdma.so.$(SOVERSION)

# A folder that another tree can take in.
DIST_CODEC := $(BUILD)/rpcrdma-codec-$(VERSION)
.PHONY: dist-codec
dist-codec: $(CODEC_HEADERS) $(CODECS:%=$(GEN)/%.c)
	$(call say,DIST,$(DIST_CODEC))
	$(Q)sh codec/dist/make.sh $(GEN) $(VERSION) $(DIST_CODEC) $(CODECS)

# Sources for the proof: annotated, otherwise the same. Eva and WP want different annotations.
PROOF := $(BUILD)/proof
PROVED := $(CODECS) $(BINDINGS)
$(PROOF)/%.c: $(XDRGEN) $(BUILD)/spec/$$(xdr-$$*).x | $$(GENERATED_HEADERS)
	@mkdir -p $(@D)
	$(call say,XDRGEN,$@)
	$(Q)$(XDRGEN) --eva $(xdrgen-$*) --include=$(if $(filter $*,$(CODECS)),rpcrdma/)$*.h --source=$@ \
	    $(BUILD)/spec/$(xdr-$*).x
CONTRACTS := $(CODECS:%=$(PROOF)/wp/%.c)
$(PROOF)/wp/%.c: $(XDRGEN) $(BUILD)/spec/$$(xdr-$$*).x
	@mkdir -p $(@D)
	$(call say,XDRGEN,$@)
	$(Q)$(XDRGEN) --acsl $(xdrgen-$*) --include=rpcrdma/$*.h --source=$@ --header=$(@:.c=.h) \
	    $(BUILD)/spec/$(xdr-$*).x
.PHONY: prove proof-sources
proof-sources: $(PROVED:%=$(PROOF)/%.c) $(if $(WP),$(CONTRACTS))
prove: proof-sources
	@DEPS=$(DEPS) sh .ci/deps.sh prove
	sh codec/proof/prove.sh $(PROOF) $(GEN)
	$(if $(WP),sh codec/proof/wp.sh $(PROOF)/wp $(CODECS))

# ---- conformance: librpcrdma-check and the command ----

CHECK_MADE := rules shared $(CODECS:%=%_tables) $(BINDINGS)
CHECK_O := $(call objects,conformance/walk conformance/describe conformance/check $(addprefix conformance/check/,core rules rules/version2 bindings)) \
           $(CHECK_MADE:%=$(BUILD)/obj/made/%.o)
$(foreach m,$(CHECK_MADE),$(eval flags-made/$(m) = $$(CHECK_CFLAGS)))
$(BUILD)/librpcrdma-check.a: $(CHECK_O)
	@rm -f $@
	$(call say,AR,$@)
	$(Q)$(AR) qcs $@ $^
$(BUILD)/librpcrdma-check.so: $(CHECK_O) $(BUILD)/librpcrdma.so conformance/librpcrdma-check.map
	$(call say,LINK,$@)
	$(Q)$(CC) $(LDFLAGS) $(SHARED) -Wl,-soname,librpcrdma-check.so.$(SOVERSION) \
	    -Wl,--version-script=conformance/librpcrdma-check.map $(CHECK_O) \
	    -L$(BUILD) -lrpcrdma -o $@
	@ln -sf librpcrdma-check.so $(BUILD)/librpcrdma-check.so.$(SOVERSION)

COMMAND_LIBS = $(shell $(PKG_CONFIG) --libs jansson libpcap $(COMPRESSION))
INPUT_O := $(call objects,$(addprefix conformance/,input/reader input/buffer input/frame input/flow input/iwarp input/capture input)) \
           $(BUILD)/obj/conformance/base/stop.o
# What the commands are made of, and the commands.
PARTS_O := $(filter-out $(INPUT_O),$(call objects,$(addprefix conformance/,base options decode report/results report/matrix report/findings report/ladder report/figures report/outcome run run/testee))) \
           $(BUILD)/obj/made/vector_index.o
COMMAND_O := $(call objects,conformance/command)
OWN_LIBS := $(BUILD)/librpcrdma-check.a $(BUILD)/librpcrdma.a
VECTORS := $(sort $(wildcard vectors/*.json vectors/v2-*/*.json))
# What the command keeps of the vectors, read as JSON.
VECTOR_TABLES := $(BUILD)/vector_tables
flags-vectors/tables = $(COMMAND_CFLAGS)
ifeq ($(NATIVE),)
$(VECTOR_TABLES): $(call objects,vectors/tables conformance/base conformance/decode) \
        $(addprefix $(BUILD)/obj/conformance/run/,corpus.o story.o vector_schema.o vector_schema_check.o vector_schema_json.o) $(INPUT_O) $(OWN_LIBS)
	$(call say,LINK,$@)
	$(Q)$(CC) $(LDFLAGS) $^ $(COMMAND_LIBS) -o $@
endif
RECORDED := $(sort $(wildcard vectors/recorded/*.json))
$(GEN)/vector_index.c: $(VECTOR_TABLES) $(VECTORS) $(RECORDED)
	@mkdir -p $(@D)
	$(call say,INDEX,$@)
	$(Q)$(call banner,vector_tables,vectors/) >$@
	$(Q)$(VECTOR_TABLES) index $(filter-out %schema.json,$(VECTORS)) $(RECORDED) >>$@
-include rxe-harness/harness.mk
$(BUILD)/rpcrdma: $(COMMAND_O) $(PARTS_O) $(INPUT_O) $(HARNESS_O) $(OWN_LIBS)
	$(call say,LINK,$@)
	$(Q)$(CC) $(LDFLAGS) $^ $(HARNESS_LIBS) $(COMMAND_LIBS) -o $@

# Manual page and completions: made from the tables of options in the command itself.
COMMAND_PAGES := $(addprefix $(BUILD)/pages/,rpcrdma.1 bash/rpcrdma zsh/_rpcrdma fish/rpcrdma.fish)
$(BUILD)/pages/rpcrdma.1: conformance/command/rpcrdma.1.in $(BUILD)/rpcrdma
	@mkdir -p $(@D)
	$(call say,PAGE,$@)
	$(Q)$(or $(NATIVE),$(BUILD))/rpcrdma --generate man $< >$@
$(filter-out %.1,$(COMMAND_PAGES)): $(BUILD)/rpcrdma
	@mkdir -p $(@D)
	$(call say,PAGE,$@)
	$(Q)$(or $(NATIVE),$(BUILD))/rpcrdma --generate $(notdir $(@D)) >$@

include codec/tests/reference/reference.mk

# ---- tests ----

TEST_C  := $(wildcard codec/tests/*_test.c conformance/tests/*_test.c \
             conformance/tests/*/*_test.c gen/tests/*_test.c vectors/tests/*_test.c)
TESTS   := $(patsubst %_test.c,$(BUILD)/tests/%_test,$(TEST_C))
# Those that compare with what rpcgen makes are left out where there is no rpcgen, and said to be.
ORACLE_TESTS := $(patsubst %.c,$(BUILD)/tests/%,$(shell grep -lE '"codec/tests/(support/shape|reference/reference)\.h"|<rpc/' $(TEST_C)))
TEST_LIBS = $(shell $(PKG_CONFIG) --libs check $(if $(HAVE_RPCGEN),libtirpc)) $(COMMAND_LIBS)
TEST_CFLAGS = $(INCLUDES) $(COMMAND_CFLAGS) -Wno-unused-parameter -Wno-cast-qual \
              -isystem $(BUILD)/ref $(patsubst -I%,-isystem %,$(shell $(PKG_CONFIG) --cflags check $(if $(HAVE_RPCGEN),libtirpc)))
$(BUILD)/tests/%_test: %_test.c $(OWN_LIBS) $(INPUT_O) $(TEST_A)
	@mkdir -p $(@D)
	$(call say,LINK,$@)
	$(Q)$(CC) $(CPPFLAGS) $(CFLAGS) $(TEST_CFLAGS) -MMD -MP -MF $@.d $(LDFLAGS) $< $(TEST_ROWS) $(INPUT_O) \
	    $(TEST_PARTS) $(TEST_A) $(OWN_LIBS) $(TEST_LIBS) -o $@
$(BUILD)/tests/conformance/tests/base/%_test: TEST_PARTS = $(PARTS_O)
$(patsubst %_test.c,$(BUILD)/tests/%_test,$(wildcard conformance/tests/base/*_test.c)): $(PARTS_O)

# What the runs of the models (spec/models) are judged by.
$(BUILD)/judge_runs: conformance/tests/models/judge_runs.c $(OWN_LIBS) $(INPUT_O) $(TEST_A)
	$(call say,LINK,$@)
	$(Q)$(CC) $(CPPFLAGS) $(CFLAGS) $(TEST_CFLAGS) -MMD -MP -MF $(BUILD)/obj/judge_runs.d $(LDFLAGS) $< $(TEST_A) $(INPUT_O) \
	    $(OWN_LIBS) $(TEST_LIBS) -o $@
	$(Q)printf '%s\n' '# usage: faulty SOURCE OUT: with another source of the checker' \
	    '$(CC) $(CPPFLAGS) $(CFLAGS) -Wno-error $(INCLUDES) $(CHECK_CFLAGS) -c "$$1" -o "$$2.o" && \' \
	    '$(CC) $(CPPFLAGS) $(CFLAGS) $(TEST_CFLAGS) $(LDFLAGS) $< "$$2.o" $(TEST_A) $(INPUT_O) $(OWN_LIBS) $(TEST_LIBS) -o "$$2"' >$@.faulty

.PHONY: model
model: $(BUILD)/judge_runs $(BUILD)/follow_runs
	@DEPS=$(DEPS) sh .ci/deps.sh spin
	sh spec/models/models.sh all $(BUILD)/judge_runs

# The rows of other tests, without their main().
ROWS_O := $(patsubst %.c,$(BUILD)/obj/rows/%.o,$(shell grep -l '^PLAY_ROWS' conformance/tests/*_test.c conformance/tests/rules/*_test.c))
$(ROWS_O): $(BUILD)/obj/rows/%.o: %.c | $$(GENERATED_HEADERS)
	@mkdir -p $(@D)
	$(call say,CC,$<)
	$(Q)$(CC) $(CPPFLAGS) $(CFLAGS) $(TEST_CFLAGS) -Wno-missing-prototypes -Dmain=main_$(notdir $*) -MMD -MP -c $< -o $@
ROW_TESTS := $(addprefix $(BUILD)/tests/conformance/tests/,sums_test properties_test)
$(ROW_TESTS): TEST_ROWS = $(ROWS_O)
$(ROW_TESTS): $(ROWS_O)

# The tests of the rules over a checker that loses one rule at a time: some test has to notice.
RULE_TESTS := $(patsubst %_test.c,$(BUILD)/mutants/%_test,$(wildcard conformance/tests/rules/*_rules_test.c))
MUTANT := $(BUILD)/obj/conformance/tests/rules/mutant.o
$(BUILD)/mutants/%_test: %_test.c $(MUTANT) $(OWN_LIBS) $(INPUT_O) $(TEST_A)
	@mkdir -p $(@D)
	$(call say,LINK,$@)
	$(Q)$(CC) $(CPPFLAGS) $(CFLAGS) $(TEST_CFLAGS) -MMD -MP -MF $@.d $(LDFLAGS) -Wl,--wrap=rpcrdma_break_rule $< $(MUTANT) \
	    $(TEST_A) $(INPUT_O) $(OWN_LIBS) $(TEST_LIBS) -o $@
$(BUILD)/mutants/rpcrdma: $(COMMAND_O) $(PARTS_O) $(INPUT_O) $(HARNESS_O) $(MUTANT) $(OWN_LIBS)
	@mkdir -p $(@D)
	$(call say,LINK,$@)
	$(Q)$(CC) $(LDFLAGS) -Wl,--wrap=rpcrdma_break_rule $^ $(HARNESS_LIBS) $(COMMAND_LIBS) -o $@

TEST_PROGRAMS = $(if $(HAVE_RPCGEN),$(TESTS),$(filter-out $(ORACLE_TESTS),$(TESTS))) $(HARNESS_TESTS)
run-tests = BUILD=$(BUILD) CC="$(CC)" SANITIZE="$(SANITIZE)" RULE_TESTS="$(RULE_TESTS)" FUZZ_CORPORA="$(FUZZ_CORPORA)" \
            LEFT_OUT="$(if $(HAVE_RPCGEN),,$(ORACLE_TESTS))" sh .ci/test.sh $(1) $(2)

# Programs that put much data through what others test as well say so in their second line: "// once" is run by `make check`
# without sanitizers, for they change nothing, "// sanitized" with them alone. `make test` leaves both out.
said = $(patsubst %.c,$(BUILD)/tests/%,$(shell grep -lxE '// ($(1))' $(TEST_PROGRAMS:$(BUILD)/tests/%=%.c)))

# What takes a minute and needs no more than a compiler, the libraries of the command, and Check.
.PHONY: test
test:
	+@$(MAKE) --no-print-directory $(JOBS) test-run
QUICK_PROGRAMS = $(filter-out $(call said,once|sanitized),$(TEST_PROGRAMS))
.PHONY: test-run
test-run: all $$(QUICK_PROGRAMS)
	@$(call run-tests,quick,$(QUICK_PROGRAMS))

# All tests of one compiler.
SUITE_PROGRAMS = $(filter-out $(call said,$(if $(SANITIZE),once,sanitized)),$(TEST_PROGRAMS))
.PHONY: suites
suites: all $(BUILD)/floors $$(SUITE_PROGRAMS) $$(TESTEES) $$(MAKE_VECTORS) $(XDRGEN) \
        $(if $(SANITIZE),replayers $$(FUZZ_KIT),$(BUILD)/judge_runs $(BUILD)/follow_runs $(RULE_TESTS) $(BUILD)/mutants/rpcrdma $(BUILD)/make_capture \
            $(BUILD)/check_bench $(BUILD)/capture_bench)
	@$(call run-tests,all,$(SUITE_PROGRAMS))

# The folders in their order, each with its objects, for .ci/floors_test.sh.
FLOORS := codec conformance/walk conformance/check/core conformance/check/rules conformance/check/rules/version2 \
          conformance/check/bindings conformance/check conformance/describe \
          $(addprefix conformance/,base input/reader input/buffer input/frame input/flow input/iwarp input/capture input) \
          $(addprefix conformance/,options decode report/results report/matrix report/findings report/ladder report/figures report/outcome run run/testee) $(HARNESS_FOLDERS:%=rxe-harness/%) conformance/command
made-of-codec = $(CODECS)
made-of-conformance/walk = $(CODECS:%=%_tables)
made-of-conformance/check/core = rules shared
made-of-conformance/check/bindings = $(BINDINGS)
made-of-conformance/run = vector_index
made-of-rxe-harness/transport = testprog compound nfs3_handles
made-of-rxe-harness/probe = probe_table
made-of-rxe-harness/report = live_index crash_words
FLOOR_O = $(CODEC_O) $(CHECK_O) $(INPUT_O) $(PARTS_O) $(HARNESS_O) $(COMMAND_O)
$(BUILD)/floors: $$(FLOOR_O)
	@printf '%s\n' $(foreach f,$(FLOORS),$(foreach o,$(filter $(FLOOR_O),$(call objects,$(f))) \
	    $(patsubst %,$(BUILD)/obj/made/%.o,$(made-of-$(f))),'$(f) $(o)')) >$@
	@for object in $(FLOOR_O); do grep -q " $$object$$" $@ || { echo "FLOORS has no folder of $$object" >&2; rm $@; exit 1; }; done

# gcc as users build it, then clang with sanitizers; on all processors, unless -j was given.
JOBS = $(if $(filter -j% --jobserver%,$(MAKEFLAGS)),,-j$(shell nproc))
.PHONY: check
check: deps
	+$(MAKE) --no-print-directory $(JOBS) suites
	+$(MAKE) --no-print-directory $(JOBS) BUILD=$(BUILD)/clang CC=clang SANITIZE=address,undefined \
	    OPT='-O1 -gline-tables-only' suites
	@awk '{ p += $$1; f += $$2; s += $$3 } END { printf "%d passed, %d failed, %d skipped\n", p, f, s; exit NR != 2 || f || !p }' \
	    $(BUILD)/test.counts $(BUILD)/clang/test.counts

.PHONY: conform
conform: deps-build
	+@$(MAKE) --no-print-directory SAY_OF="$$($(MAKE) -n --no-print-directory all 2>/dev/null | grep -c "printf '  %-6s")" all
	$(BUILD)/rpcrdma check --known vectors/recorded/linux-6.1-nfs42.known \
	    vectors/recorded/linux-6.1-nfs42.pcap
	$(BUILD)/rpcrdma vectors vectors
	$(BUILD)/rpcrdma probe
	$(BUILD)/rpcrdma serve
	sh .ci/two_processes.sh $(BUILD)/rpcrdma

.PHONY: deps deps-build
deps:
	@DEPS=$(DEPS) sh .ci/deps.sh test
deps-build:
	@DEPS=$(DEPS) sh .ci/deps.sh build

# ---- vectors: the program that makes them, and testees ----

MAKE_VECTORS := $(BUILD)/make_vectors
VECTOR_O := $(call objects,vectors/make vectors/make/version2)
# Which rules of version 1 hold in version 2, for the vectors that are translated.
$(BUILD)/obj/vectors/make/version2/translate.o: $(GEN)/shared_vectors.h
$(GEN)/shared_vectors.h: vectors/make/version2/shared.awk $(wildcard spec/requirements/*.tsv)
	@mkdir -p $(@D)
	$(call say,RULES,$@)
	$(Q)$(call banner,shared.awk,spec/requirements) >$@
	$(Q)awk -f vectors/make/version2/shared.awk $(wildcard spec/requirements/*.tsv) >>$@
$(MAKE_VECTORS): $(VECTOR_O) $(BUILD)/librpcrdma.a
	$(call say,LINK,$@)
	$(Q)$(CC) $(LDFLAGS) $^ -o $@
# Its test writes groups of its own.
MADE_O := $(filter-out %/main.o,$(VECTOR_O))
$(BUILD)/tests/vectors/tests/make_test: TEST_PARTS = $(MADE_O)
$(BUILD)/tests/vectors/tests/make_test: $(MADE_O)
# The vectors are kept in the tree; this makes them anew.
.PHONY: vectors
vectors: $(MAKE_VECTORS) $(VECTOR_TABLES)
	$(MAKE_VECTORS) vectors
	$(VECTOR_TABLES) schema >vectors/vector.schema.json

# Tests whose lists of sums the programs themselves write.
# Which cases there are says sent_test; the other lists have sums of them.
SENT_TEST := rxe-harness/tests/sent_test.c
SUM_TESTS := $(patsubst %.c,$(BUILD)/tests/%,conformance/tests/sums_test.c $(SENT_TEST) \
               $(filter-out $(SENT_TEST),$(shell grep -l digests_compare rxe-harness/tests/*_test.c rxe-harness/tests/*/*_test.c)))
.PHONY: accept
accept: vectors
	+$(Q)$(MAKE) --no-print-directory all symbols $(SUM_TESTS)
	$(Q)sh .ci/accept.sh $(BUILD) $(SUM_TESTS)

TESTEES := $(addprefix $(BUILD)/testees/,librpcrdma version2 libtirpc)
$(BUILD)/testees/librpcrdma $(BUILD)/testees/version2: $(BUILD)/testees/%: vectors/testees/%.c vectors/testees/lines.h $(BUILD)/librpcrdma.a
	@mkdir -p $(@D)
	$(call say,LINK,$@)
	$(Q)$(CC) $(CPPFLAGS) $(CFLAGS) $(INCLUDES) $(LDFLAGS) $< $(BUILD)/librpcrdma.a -o $@
$(BUILD)/testees/libtirpc: vectors/testees/libtirpc.c vectors/testees/lines.h $(BUILD)/ref/rfc8166.o
	@mkdir -p $(@D)
	$(call say,LINK,$@)
	$(Q)$(CC) $(CPPFLAGS) $(CFLAGS) -isystem $(BUILD)/ref \
	    $(patsubst -I%,-isystem %,$(shell $(PKG_CONFIG) --cflags libtirpc)) $(LDFLAGS) $< \
	    $(BUILD)/ref/rfc8166.o $(shell $(PKG_CONFIG) --libs libtirpc) -o $@

-include rxe-harness/vm/live.mk
-include fuzz/fuzz.mk

# ---- how much the tests notice ----

SEED ?= 1
MUTANTS ?= 60
SECONDS ?= 3600
MUTATION_GROUPS ?= check,input,codec,gen,reports,harness
.PHONY: mutation
mutation: deps
	python3 -u .ci/mutation.py --seed $(SEED) --mutants $(MUTANTS) --seconds $(SECONDS) \
	    --groups $(MUTATION_GROUPS) --folder $(BUILD)/mutation --verbose

# ---- bench ----

$(BUILD)/bench: codec/bench/bench.c $(OWN_LIBS) $(TEST_A)
	$(call say,LINK,$@)
	$(Q)$(CC) $(CPPFLAGS) $(CFLAGS) $(TEST_CFLAGS) -MMD -MP -MF $(BUILD)/obj/bench.d $(LDFLAGS) $< \
	    $(TEST_A) $(OWN_LIBS) $(shell $(PKG_CONFIG) --libs libtirpc) -o $@
$(BUILD)/check_bench: conformance/bench/check_bench.c $(OWN_LIBS)
	$(call say,LINK,$@)
	$(Q)$(CC) $(CPPFLAGS) $(CFLAGS) $(INCLUDES) -MMD -MP -MF $(BUILD)/obj/check_bench.d $(LDFLAGS) $< \
	    $(OWN_LIBS) -o $@
BENCH_CAPTURE := $(BUILD)/bench.pcap
BENCH_PAIRS   := 350000# make 200 MB
$(BUILD)/make_capture $(BUILD)/capture_bench: $(BUILD)/%: conformance/bench/%.c
	$(call say,LINK,$@)
	$(Q)$(CC) $(CPPFLAGS) $(CFLAGS) $(INCLUDES) -MMD -MP -MF $(BUILD)/obj/$*.d $(LDFLAGS) $< -o $@
.PHONY: bench
bench: $(BUILD)/bench $(BUILD)/check_bench $(BUILD)/capture_bench $(BUILD)/make_capture $(BUILD)/rpcrdma
	$(BUILD)/bench --json $(BUILD)/bench.json
	-$(BUILD)/check_bench
	$(BUILD)/make_capture $(BENCH_PAIRS) >$(BENCH_CAPTURE)
	-$(BUILD)/capture_bench $(BUILD)/rpcrdma $(BENCH_CAPTURE)
	rm -f $(BENCH_CAPTURE)

-include packaging/packaging.mk

.PHONY: clean
clean:
	rm -rf $(BUILD)

.SECONDARY:
-include $(shell find $(BUILD)/obj $(BUILD)/tests $(BUILD)/counted $(BUILD)/mutants -name '*.d' 2>/dev/null)
