# SPDX-License-Identifier: BSD-3-Clause
# make live: the Linux kernel's NFS/RDMA server and client, in a virtual machine. KERNEL=DEB or
# DIRECTORY takes another kernel, KERNEL=backports the newer one that Debian has for its stable
# release. TRANSPORT=iwarp takes soft iWARP (siw) in place of soft-RoCE: Debian has it as source only,
# and it is built when asked for. PEER=FOLDER tests a peer of one's own in place of Linux's (README).
# RUNS=NUMBER repeats the suite in the guest and compares the verdicts of the runs.
# WRITE_KNOWN=FOLDER makes lists of what fails, KNOWN=FOLDER goes by them: what is new, or gone, fails.
# `live-compare` does both, for the kernels BASE and KERNEL.
# SOAK=SECONDS holds random conversations with the server for so long, in place of the suite;
# with GUIDED=yes those that reached new code of a kernel with gcov's counters (`make kernel`) lead on.
# LIFE=yes takes servers, links and devices away in the middle of a file, in place of the suite; LIFE='STEP...' some of them.
# GSS=yes mounts by Kerberos, in place of the suite; GSS='SERVICE...' some of krb5, krb5i and krb5p, with files of GSS_MIB (64).
# WIRE=yes tests roce:// (or iwarp://) against the kernel in place of the suite: proxy, bad wires; WIRE='STEP...' some of it.
# CODEC=yes: the codec as a module of the kernel receives all vectors, in place of the suite.
# TRACE=yes looks at `rpcrdma trace` from all sides, in place of the suite, with a file of TRACE_MIB (256); TRACE='STEP...' at some.
# TRACE=registrations, which yes has not, plants faults in the kernel's client.
# LIVE_LIMIT is the guest's time in seconds, LIVE_MEMORY its memory in MiB, LIVE_AFTER a script that runs in it at the end;
# LIVE_EMULATED=yes does without KVM.

# `kernel` builds a kernel with sanitizers for it: of Debian's source, RELEASE=6.1, or of one's own TREE=.

LIVE     := $(BUILD)/live
LIVE_DEVICE := $(if $(filter iwarp,$(TRANSPORT)),siw,rxe)
LIVE_OUT := $(LIVE)/run-$(if $(KERNEL),$(notdir $(patsubst %/,%,$(KERNEL:%.deb=%))),stable)$(LIVE_DEVICE:rxe=)$(if $(PEER),-$(notdir $(PEER:%/=%)))
RUNS     ?= 1
SOAK     ?= 0
.PHONY: live live-compare deps-live kernel deps-kernel
deps-live:
	@DEPS=$(DEPS) sh .ci/deps.sh live
live: deps-live $(BUILD)/rpcrdma $(if $(CODEC),dist-codec)
	@mkdir -p $(LIVE)
	$(if $(filter-out roce iwarp,$(TRANSPORT)),$(error TRANSPORT is roce or iwarp))
	$(if $(PEER),$(if $(wildcard $(PEER)/start $(PEER)/client),,$(error PEER=$(PEER): no start, and no client)))
	$(Q)exec 9>$(LIVE)/lock; flock -n 9 || { echo 'live: another make live works in $(LIVE)' >&2; exit 1; }; \
	    sh rxe-harness/vm/fetch.sh $(LIVE) $(KERNEL); status=$$?; \
	    [ $$status -ne 77 ] || exit 0; [ $$status -eq 0 ] || exit $$status; \
	    if [ $(LIVE_DEVICE) = siw ]; then sh rxe-harness/vm/module.sh $(LIVE) siw; status=$$?; fi; \
	    [ $$status -ne 77 ] || exit 0; [ $$status -eq 0 ] || exit $$status; \
	    if [ '$(filter registrations,$(TRACE))' ]; then sh rxe-harness/vm/module.sh $(LIVE) rpcrdma; status=$$?; fi; \
	    [ $$status -ne 77 ] || exit 0; [ $$status -eq 0 ] || exit $$status; \
	    if [ '$(CODEC)' ]; then sh rxe-harness/vm/module.sh $(LIVE) $(DIST_CODEC); status=$$?; fi; \
	    [ $$status -ne 77 ] || exit 0; [ $$status -eq 0 ] || exit $$status; \
	    sh rxe-harness/vm/image.sh $(LIVE) $(LIVE_OUT) $(BUILD)/rpcrdma rxe-harness/peers \
	        vectors/recorded $(LIVE_DEVICE) $(RUNS) $(SOAK) $(PEER) && \
	    sh rxe-harness/vm/run.sh $(LIVE_OUT) $(BUILD)/rpcrdma
deps-kernel:
	@DEPS=$(DEPS) sh .ci/deps.sh kernel
kernel: deps-kernel
	$(Q)sh rxe-harness/vm/kernel.sh $(BUILD)/kernel $(or $(TREE),$(RELEASE))
live-compare:
	$(if $(BASE)$(KERNEL),,$(error live-compare takes BASE= and KERNEL=, two kernels))
	$(MAKE) --no-print-directory live KERNEL='$(BASE)' WRITE_KNOWN=$(LIVE)/base KNOWN=
	$(MAKE) --no-print-directory live KERNEL='$(KERNEL)' KNOWN=$(LIVE)/base WRITE_KNOWN=
