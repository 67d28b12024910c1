#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
# once:
"""What the credit rules of draft-ietf-nfsv4-rpcrdma-version-two-07, section 4.2.1, do in each of
their readings; the first entry of ../version-2-defects.md.

Two peers over reliable channels; a Receive is posted anew as soon as it completes, so a peer that
advertises `a` always has `a` Receives, and one more for a GRANT. All orders of events are searched,
breadth first, up to a few Sends a side: whether a Send can meet a peer without a Receive (overrun:
the connection is lost), and whether both sides can be stuck. Besides: how many Sends of the other
side a stream of 64 Sends takes.

word:  'sent'      rdma_credit = own count of Sends + advertised      (the text)
       'received'  rdma_credit = own count of Receives + advertised   (its purpose)
limit: 'before'    a Send is barred if the count before it is above the limit (the text)
       'with'      a Send is barred if the count with it is above the limit
"""
import collections
import sys

ADVERTISED = 2
SENDS = 7


def search(word, limit, grants):
    """The first path to an overrun, to two Sends at once at the start, and to where nobody can go on."""
    # state: for each side (sent, received, limit); two channels of words
    start = ((0, 0, 1), (0, 0, 1), (), ())
    queue, seen = collections.deque([(start, ())]), {start}
    overrun = first_two = stuck = None
    while queue:
        state, path = queue.popleft()
        moved = False
        for side in (0, 1):
            sent, received, bound = state[side]
            here, there = state[2 + side], state[3 - side]
            # take what comes
            if there:
                peer = list(state)
                peer[side] = (sent, received + 1, there[0])
                peer[3 - side] = there[1:]
                follow(tuple(peer), path + (f'{"AB"[side]} receives {there[0]}',), seen, queue)
                moved = True
            if sent == SENDS:
                continue
            count = sent if limit == 'before' else sent + 1
            allowed = count <= bound
            spare = grants and not allowed and (sent + 1 == bound + 1 if limit == 'with' else sent == bound + 1)
            for kind, may in (('sends', allowed), ('grants', spare)):
                if not may:
                    continue
                value = (sent if word == 'sent' else received) + ADVERTISED
                peer = list(state)
                peer[side] = (sent + 1, received, bound)
                peer[2 + side] = here + (value,)
                step = path + (f'{"AB"[side]} {kind} {value}',)
                moved = True
                if len(peer[2 + side]) > ADVERTISED + 1:
                    overrun = overrun or step
                    continue
                if kind == 'sends' and sent == 1 and received == 0 and first_two is None:
                    first_two = step
                follow(tuple(peer), step, seen, queue)
        done = all(state[side][0] == SENDS for side in (0, 1))
        if not moved and not done and stuck is None and all(state[s][0] < SENDS for s in (0, 1)):
            stuck = path
    return overrun, first_two, stuck


def follow(state, path, seen, queue):
    if state not in seen:
        seen.add(state)
        queue.append((state, path))


def stream(word, limit, advertised=8, length=64):
    """A streams; B answers only when A is barred. How many Sends of B's it takes."""
    sent, received, bound, answers = 0, 0, 1, 0
    peer_sent = peer_received = 0
    for _ in range(length):
        while (sent if limit == 'before' else sent + 1) > bound:
            if answers > 4 * length:
                return 'never ends'
            bound = (peer_sent if word == 'sent' else peer_received) + advertised
            peer_sent += 1
            answers += 1
        sent += 1
        peer_received += 1
    return answers


# word, limit: overrun with GRANTs, without, two Sends at the start, answers to a stream
EXPECTED = {
    ('sent', 'before'): (True, True, True, 56),
    ('sent', 'with'): (True, False, False, 57),
    ('received', 'before'): (True, False, True, 7),
    ('received', 'with'): (False, False, False, 8),
}
failed = 0
for (word, limit), expected in EXPECTED.items():
    overrun, two, stuck = search(word, limit, True)
    bare, _, locked = search(word, limit, False)
    answers = stream(word, limit)
    print(f'word {word}, limit {limit}')
    print('    overrun:', '; '.join(overrun) if overrun else 'never')
    print('    overrun without any GRANT:', '; '.join(bare) if bare else 'never')
    print('    two Sends before anything was received, against 4.3:', 'yes' if two else 'no')
    print('    both stuck:', '; '.join(stuck or locked or ()) or 'never')
    print(f'    a stream of 64 Sends at 8 advertised takes {answers} answers')
    failed += (bool(overrun), bool(bare), bool(two), answers) != expected or bool(stuck or locked)
print(f'{len(EXPECTED) - failed} passed, {failed} failed, 0 skipped')
sys.exit(failed > 0)
