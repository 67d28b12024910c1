# SPDX-License-Identifier: BSD-3-Clause
"""The events of a connection, judged by the checker. It writes each judgement as JSON, with the keys of
`rpcrdma check --json`; what it is given is in the two structures below, of rpcrdma/check.h. A test compares
them with that header."""
import ctypes
import json
from ctypes import c_bool, c_int, c_size_t, c_uint, c_uint8, c_uint32, c_uint64, c_void_p
from dataclasses import dataclass
from typing import Any, Dict, Iterable, Iterator, List, Optional, Tuple, Type, TypedDict, TypeVar, cast

from ._library import Octets, draft_number, library, plain, written

SIDES = ('client', 'server')
TYPES = ('send', 'rdma-read', 'rdma-write', 'private-data', 'disconnect', 'gap', 'atomic', 'not-ready', 'refused',
         'registered', 'invalidated', 'completed')
ACCESS = ('none', 'read', 'write', 'both')
CREDITS = ('sum', 'halves', 'off')
PROPERTIES = 5


class CEvent(ctypes.Structure):
    _fields_ = [('type', c_int), ('from', c_int), ('data', ctypes.c_char_p), ('length', c_size_t),
                ('missing', c_size_t), ('invalidate', c_bool), ('handle', c_uint32), ('offset', c_uint64),
                ('is_read', c_bool), ('access', c_uint), ('xid', c_uint32), ('has_order', c_bool),
                ('sent', c_uint64), ('received', c_uint64), ('unconfirmed', c_bool),
                ('reads_open', c_bool), ('draft', c_int)]


class CConfig(ctypes.Structure):
    _fields_ = [('inline_threshold', c_uint32 * 2), ('max_calls', c_uint32), ('max_segments', c_uint32),
                ('max_read_chunk', c_uint32), ('reverse_direction', c_bool), ('mid_stream', c_bool),
                ('bindings', c_void_p), ('seen_between', c_bool), ('operations_seen', c_bool),
                ('registrations_seen', c_bool * 2), ('draft', c_int), ('credits', c_int), ('continued_octets', c_uint32),
                ('properties_told', c_uint8 * 2), ('property', c_uint32 * PROPERTIES * 2), ('counts_known', c_bool),
                ('sent', c_uint32 * 2), ('limit', c_uint32 * 2)]


# Room for a judgement, which is only handed on.
CJudgement = c_uint64 * 1024

library.rpcrdma_check_size.restype = c_size_t
library.rpcrdma_check_size.argtypes = [ctypes.POINTER(CConfig)]
library.rpcrdma_check_init.restype = c_void_p
library.rpcrdma_check_init.argtypes = [c_void_p, c_size_t, ctypes.POINTER(CConfig)]
library.rpcrdma_check_event.restype = None
library.rpcrdma_check_event.argtypes = [c_void_p, ctypes.POINTER(CEvent), ctypes.POINTER(CJudgement)]
library.rpcrdma_judgement_json.restype = c_size_t
library.rpcrdma_judgement_json.argtypes = [ctypes.POINTER(CJudgement), ctypes.POINTER(CEvent), ctypes.c_char_p, c_size_t]


@dataclass(frozen=True)
class Event:
    """What one side did. rpcrdma/check.h describes the members of struct rpcrdma_event."""
    side: str  #: "client", which opened the connection, or "server"
    data: Optional[Octets] = None  #: the Send, the private data, or what an RDMA operation moved
    type: str = 'send'  #: one of TYPES
    length: int = 0  #: octets of an RDMA operation whose `data` is None
    missing: int = 0  #: octets that followed and were not recorded
    invalidate: bool = False  #: a Send With Invalidate, of `handle`
    handle: int = 0
    offset: int = 0
    is_read: bool = False  #: of "refused"
    access: str = 'none'  #: of "registered": what the other side may do, one of ACCESS
    xid: int = 0  #: of "completed"
    order: Optional[Tuple[int, int]] = None  #: sent and received before, where that is known
    received: int = 0  #: of "not-ready"
    unconfirmed: bool = False
    reads_open: bool = False
    draft: Optional[str] = None


@dataclass(frozen=True)
class Config:
    """What is known of a connection. rpcrdma/check.h describes the members of struct rpcrdma_check_config."""
    inline_threshold: Tuple[int, int] = (0, 0)  #: of Sends from the client, and from the server
    max_calls: int = 0
    max_segments: int = 0
    max_read_chunk: int = 0
    reverse_direction: bool = False
    mid_stream: bool = False  #: earlier events were not seen
    bindings: bool = False  #: the rules of NFS and what is beside it apply
    seen_between: bool = False
    operations_seen: bool = False
    registrations_seen: Tuple[bool, bool] = (False, False)
    draft: Optional[str] = None
    credits: str = 'sum'
    continued_octets: int = 0
    properties_told: Tuple[int, int] = (0, 0)
    property: Tuple[Tuple[int, ...], Tuple[int, ...]] = ((0,) * PROPERTIES, (0,) * PROPERTIES)
    counts_known: bool = False
    sent: Tuple[int, int] = (0, 0)
    limit: Tuple[int, int] = (0, 0)


class Finding(TypedDict):
    """A rule that an event breaks."""
    rule: str  #: its id, such as "rfc8166/4.2.4/msg-has-payload"
    level: str
    severity: str  #: "violation", "warning" or "note"
    brokenBy: str  #: "client" or "server": not always the side that the event is from
    offset: Optional[int]  #: of the field at fault in the Send
    field: Optional[str]
    text: str


class Judgement(TypedDict):
    """What the checker says of an event. rpcrdma(1), JSON, describes the keys."""
    xid: Optional[int]
    version: Optional[int]
    credit: Optional[int]
    procedure: Optional[str]
    direction: Optional[str]  #: "call" or "reply"
    headerLength: Optional[int]
    reaction: List[str]  #: what is open to the receiver of a Send
    findings: List[Finding]
    draft: Optional[str]  #: this and the rest: of version 2
    draftSure: Optional[bool]
    messageKind: Optional[str]
    form: Optional[str]
    remaining: Optional[int]


def number(words: Tuple[str, ...], word: str, what: str) -> int:
    if word not in words:
        raise ValueError(f'{what} is one of {", ".join(words)}, not {word!r}')
    return words.index(word)


def flat(value: Any) -> Any:
    return [flat(v) for v in value] if isinstance(value, (tuple, ctypes.Array)) else value


S = TypeVar('S', CEvent, CConfig)


def filled(kind: Type[S], members: Dict[str, Any]) -> S:
    """A structure of these members. ctypes keeps the low bits of a number that does not fit."""
    out = kind(**members)
    for name, value in members.items():
        if flat(getattr(out, name)) != flat(value):
            raise ValueError(f'{name} cannot be {value!r}')
    return out


def c_event(event: Event) -> CEvent:
    data = None if event.data is None else plain(event.data)
    sent, received = event.order or (0, event.received)
    members = {name: getattr(event, name) for name, *_ in CEvent._fields_ if hasattr(event, name)}
    members.update(type=number(TYPES, event.type, 'type'), data=data, sent=sent, received=received,
                   length=event.length if data is None else len(data), has_order=event.order is not None,
                   access=number(ACCESS, event.access, 'access'), draft=draft_number(event.draft))
    members['from'] = number(SIDES, event.side, 'side')
    out = filled(CEvent, {name: value for name, value in members.items() if name != 'data'})
    out.data = data
    return out


def c_config(config: Config) -> CConfig:
    members = {name: getattr(config, name) for name, *_ in CConfig._fields_}
    bindings = ctypes.addressof(c_void_p.in_dll(library, 'rpcrdma_bindings')) if config.bindings else None
    members.update(draft=draft_number(config.draft), credits=number(CREDITS, config.credits, 'credits'),
                   bindings=bindings)
    return filled(CConfig, members)


def judged(events: Iterable[Event], settings: CConfig, size: int) -> Iterator[Judgement]:
    memory = (c_uint64 * (size // 8 + 1))()
    checker = library.rpcrdma_check_init(memory, size, settings)
    judgement = CJudgement()
    for event in events:
        given = c_event(event)
        library.rpcrdma_check_event(checker, given, judgement)
        yield cast(Judgement, json.loads(written(library.rpcrdma_judgement_json, judgement, given)))


def check(events: Iterable[Event], config: Config = Config()) -> Iterator[Judgement]:
    """Judge the events of one connection, in their order: for each a Judgement, when it is asked for.

    A side or a type that there is not, or a number that does not fit, is a ValueError.
    """
    settings = c_config(config)
    size = library.rpcrdma_check_size(settings)
    if size == 0:
        raise ValueError('a limit is above what the checker can have')
    return judged(events, settings, size)
