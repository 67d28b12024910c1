# SPDX-License-Identifier: BSD-3-Clause
"""Headers of RPC-over-RDMA, decoded by librpcrdma-check.

    >>> import rpcrdma
    >>> send = rpcrdma.decode(bytes.fromhex('2f0c0001 00000001 00000020 00000004 00000001 00000001 00000001 00000001'))
    >>> send['header']['rdma_credit'], send['error']
    (32, None)
"""
from ._decode import Fault, Field, Rpc, Send, decode

__all__ = ['Fault', 'Field', 'Rpc', 'Send', 'decode']
