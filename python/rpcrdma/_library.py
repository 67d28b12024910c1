# SPDX-License-Identifier: BSD-3-Clause
"""The shared library, as the dynamic linker finds it, and what is called of it."""
import ctypes
from typing import Any, Dict, Optional, Union

Octets = Union[bytes, bytearray, memoryview]

library = ctypes.CDLL('librpcrdma-check.so.0')
library.rpcrdma_send_json.restype = ctypes.c_size_t
library.rpcrdma_send_json.argtypes = [ctypes.c_char_p, ctypes.c_size_t, ctypes.c_int, ctypes.c_char_p, ctypes.c_size_t]

ROOM = 16384
# enum rpcrdma_protocol
DRAFTS: Dict[Optional[str], int] = {None: 0, '04': 2, '07': 3}


def plain(octets: Octets) -> bytes:
    """A copy that C can read. What is no octets, such as a number, is a TypeError."""
    return bytes(memoryview(octets))


def draft_number(draft: Optional[str]) -> int:
    if draft not in DRAFTS:
        raise ValueError(f"draft is '04', '07' or None, not {draft!r}")
    return DRAFTS[draft]


def written(function: Any, *args: Any) -> bytes:
    """What a function of the library writes. Most fits at once; what is longer is written a second time."""
    size = ROOM
    while True:
        text = ctypes.create_string_buffer(size)
        length = function(*args, text, size)
        if length < size:
            return text.raw[:length]
        size = length + 1
