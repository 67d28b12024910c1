# SPDX-License-Identifier: BSD-3-Clause
# make live: the Linux kernel's NFS/RDMA server and client, in a virtual machine.
# KERNEL=DEB or DIRECTORY takes another kernel; LIVE_LIMIT is the guest's time in seconds.

LIVE := $(BUILD)/live
.PHONY: live
live: $(BUILD)/rpcrdma
	@mkdir -p $(LIVE)
	$(Q)sh rxe-harness/live/fetch.sh $(LIVE) $(KERNEL)
	$(call say,IMAGE,$(LIVE)/initrd)
	$(Q)sh rxe-harness/live/image.sh $(LIVE) $(BUILD)/rpcrdma rxe-harness/peers/linux-6.1.known
	$(Q)sh rxe-harness/live/run.sh $(LIVE)
