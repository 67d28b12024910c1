# SPDX-License-Identifier: BSD-3-Clause
# make live: the Linux kernel's NFS/RDMA server and client, in a virtual machine. KERNEL=DEB or
# DIRECTORY takes another kernel, KERNEL=backports the newer one that Debian has for its stable
# release. LIVE_LIMIT is the guest's time in seconds.

LIVE     := $(BUILD)/live
LIVE_OUT := $(LIVE)/run-$(if $(KERNEL),$(notdir $(KERNEL:%.deb=%)),stable)
.PHONY: live deps-live
deps-live:
	@DEPS=$(DEPS) sh .ci/deps.sh live
live: deps-live $(BUILD)/rpcrdma
	@mkdir -p $(LIVE)
	$(Q)sh rxe-harness/vm/fetch.sh $(LIVE) $(KERNEL); status=$$?; \
	    [ $$status -ne 77 ] || exit 0; [ $$status -eq 0 ] || exit $$status; \
	    sh rxe-harness/vm/image.sh $(LIVE) $(LIVE_OUT) $(BUILD)/rpcrdma rxe-harness/peers \
	        vectors/recorded && \
	    sh rxe-harness/vm/run.sh $(LIVE_OUT) $(BUILD)/rpcrdma
