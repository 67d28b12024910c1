# SPDX-License-Identifier: BSD-3-Clause
"""One Send, field by field. The library writes it as JSON: its keys are those of `rpcrdma decode --json`."""
import json
from typing import Any, Dict, List, Optional, TypedDict, Union, cast

from ._library import Octets, draft_number, library, plain, written


class _FieldAlways(TypedDict):
    path: str  #: as "rdma_reads[0].position"
    offset: int  #: in the Send
    length: int
    value: Union[str, int, bool]  #: numbers of 64 bits and octets are hex


class Field(_FieldAlways, total=False):
    """A field of the header. The rest is there for properties of version 2, whose names and values are known."""
    name: Optional[str]
    number: int
    valueName: str


class Rpc(TypedDict):
    """The RPC header after the transport header."""
    offset: int
    length: Optional[int]  #: None where it does not decode
    message: Optional[Dict[str, Any]]  #: as its XDR names it
    fields: List[Field]


class Fault(TypedDict):
    """The first thing that does not decode."""
    offset: int
    field: Optional[str]
    text: str


class Send(TypedDict):
    """A Send. rpcrdma(1), JSON, describes the keys."""
    draft: Optional[str]  #: "04" or "07" of version 2
    draftSure: Optional[bool]
    headerLength: Optional[int]  #: None where the header does not decode
    header: Optional[Dict[str, Any]]  #: as its XDR names it, up to a fault
    fields: List[Field]
    rpc: Optional[Rpc]
    error: Optional[Fault]


def decode(octets: Octets, draft: Optional[str] = None) -> Send:
    """Decode one Send: its transport header, and the RPC header that follows it.

    Octets that do not decode are no exception: `error` says why, and what is before it is there.
    `draft` ('04' or '07') says by which draft a Send of version 2 is read; else the Send itself shows it.
    """
    data, number = plain(octets), draft_number(draft)
    return cast(Send, json.loads(written(library.rpcrdma_send_json, data, len(data), number)))
