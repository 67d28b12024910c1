# SPDX-License-Identifier: BSD-3-Clause
# Plants faults in the kernel's NFS/RDMA client (frwr_ops.c, verbs.c): which, says a parameter of the module, fault.
# 1: never takes its memory back; 2: the RPC is over before; 3: leaves each fourth piece as it is. What it does not take
# back properly it does not use again. 0 is sound. Its server invalidates nothing for it in any case.
/^static void frwr_cid_init(/i\
static unsigned int fault, pieces;\
module_param(fault, uint, 0644);
s/cp_flags |= RPCRDMA_CMP_F_SND_W_INV_OK/cp_flags |= 0/
s/likely(wc->status == IB_WC_SUCCESS)/& \&\& !fault/
/^void frwr_unmap_async/,/^}/{
    s/struct rpcrdma_mr \*mr;/struct rpcrdma_mr *mr, *next;/
    /^\tprev = &first;/i\
	list_for_each_entry_safe(mr, next, &req->rl_registered, mr_list)\
		if (fault == 1 || (fault == 3 && pieces++ % 4 == 0))\
			list_del_init(&mr->mr_list);\
	if (list_empty(&req->rl_registered)) {\
		rpcrdma_complete_rqst(req->rl_reply);\
		return;\
	}
    /^\tlast->wr_cqe->done = frwr_wc_localinv_done;/i\
	if (fault == 2)\
		rpcrdma_complete_rqst(req->rl_reply);\
	else
}
