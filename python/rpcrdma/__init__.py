# SPDX-License-Identifier: BSD-3-Clause
"""Headers of RPC-over-RDMA decoded, and what two peers send each other checked, by librpcrdma-check.

    >>> import rpcrdma
    >>> call = bytes.fromhex('2f0c0001 00000001 00000020 00000003')
    >>> rpcrdma.decode(call)['header']['rdma_credit']
    32
    >>> [f['rule'] for j in rpcrdma.check([rpcrdma.Event('client', call)]) for f in j['findings']]
    ['rfc8166/4.6.2/done-not-sent']
"""
from importlib.metadata import PackageNotFoundError, version

from ._check import Config, Event, Finding, Judgement, check
from ._decode import Fault, Field, Rpc, Send, decode

try:
    __version__ = version('rpcrdma')
except PackageNotFoundError:  # out of the tree, where nothing says it
    __version__ = '0+tree'

__all__ = ['Config', 'Event', 'Fault', 'Field', 'Finding', 'Judgement', 'Rpc', 'Send', 'check', 'decode']
