#!/usr/bin/env python3
"""Explicit-state model of far messages (ADR 32): one shard, one intake, one later topic, Redis that may lose everything or go back.

Time is left out: any copy may take another lap or go home at any moment, any near message may be delivered at any moment.
A turn is one transaction with the checkpoint (at least once: the checkpoint follows later); the settle in Redis may be lost by a crash.

  laps_model.py [SCOPE...]          searches the scopes (all, or those whose name contains a word)
  laps_model.py alo [SCOPE...]      the same at least once
  laps_model.py mutants [RULE...]   breaks one rule at a time
  laps_model.py --set RULE=0 ...    with a rule broken

Records (kind, id, x, y): F far, N near schedule; C cancel; H home copy (x source, y said); M ask to move (x named, y 'F' or 'N'); X ask to cancel (x named).
Index: id -> (2 * said, + 1 if it is a dead mark; where). where: offset of what is pending (near, hop, ask), FAR or NONE.
"""
import sys, time
from collections import deque

FAR, NONE, LATE, OPEN = -1, -2, -2, -3      # where / object of an ask; LATE: it will be answered TOO_LATE; OPEN: not decided yet

RULES = dict(
    scan_first=True,          # a rebuild reads the later topic before it feeds the intake
    gate=True,                # no turn, no lap while next < O
    rescan=True,              # an incomplete index that fell back is scanned for again
    scan_kills=True,          # the scan removes what is pending of an id of which it finds something newer
    laps_wait=True,           # no lap while the index is incomplete
    lap_commits_O=True,       # the transaction of a lap moves O to next
    one_tx=True,              # copies and how far was judged in one transaction
    keep_for_a_lap=True,      # a record stays until every copy older than it was judged
    keep_for_home=True,       # ... and every home copy behind it that it kills is settled
    ask_lap_from_settle=True, # the lap of an ask counts from its answer, not from its reading
    absent_dead=True,         # complete: no entry, dead
    absent_alive=True,        # incomplete: no entry, alive
    mark_cancel=True,         # incomplete: a cancel leaves a mark
    mark_delivered=True,      # incomplete: a delivery leaves its entry as a mark
    mark_covered_ask=True,    # incomplete: a covered ask leaves a mark, dead for what it names
    ask_compare=True,         # incomplete: a covered ask kills only what is not newer than what it names
    cancel_compare=True,      # incomplete: a cancel kills only older
    schedule_compare=True,    # incomplete: a schedule kills only older, and is dead if something newer was said
    copy_compare=True,        # incomplete: a copy is dead if something newer was said
    resaid_far=True,          # a moved far message is said by its ask
    resaid_near=True,         # a moved near message too
    covered_far=True,         # complete: a covered far schedule fed again is FAR
    covered_move=True,        # complete: a covered move fed again says it anew, FAR
    covered_cancel=True,      # complete: a covered cancelling ask fed again removes
    covered_effect=True,      # a covered near schedule fed again has its effect on the id
    hop_far=True,             # a settled hop leaves FAR
    drop_before_feed=True,    # asks in Redis that are covered are dropped, in order, before anything is read into it
    drop_order=True,          # covered messages are dropped after covered asks
    sweep_after_asks=True,    # no sweep while a covered ask is pending
    lap_after_asks=True,      # no lap while an ask is pending, covered or not
    held_copy=False,          # a home copy is also alive if the ask that said it holds its id still (its settle was lost)
    held_lap=False,           # the same for a copy that is judged
    open_drop=True,           # an undecided ask that is covered goes by the rule of feeding, before anything is delivered
    honest=True,              # whoever asks names an ask only if that was answered MOVED (not a rule of the bridge)
    asks_first=True,          # nothing is delivered and nothing hops while an ask is pending
    copy_in_place=True,       # a home copy that is read while its message is held by an ask goes into the ask's place
    ask_sees_cover=True,      # the verdict looks at whether what the ask took was covered
    ask_covered_hop=True,     # ... but a hop that was covered is FAR, not gone
    ask_waits_absent=True,    # incomplete: an ask that finds no entry, or an older one, waits until the index is complete
    ask_waits_none=True,      # an ask whose entry names nothing waits until all copies the bridge wrote were read
    ask_chain=False,          # an ask that names an ask which is pending still waits for it
    ask_waits_covered=True,   # the same if what it took turns out to be covered: a retry copy may be on its way
    ask_waits_all=False,      # stronger, not needed: while incomplete every ask waits
    complete_at_end=True,     # complete only at the end that the log had (else: as soon as the gate opens)
    complete_past_copies=True,# ... and past every copy written since
    sweep_past_copies=True,   # the same for the sweep of a complete index
    unsure=True,              # FAR set by a feed or a drop is unsure: swept if a whole lap did not meet its copy
    unsure_reset=True,        # ... counted anew after a crash and when Redis went back
)
UNSURE = -4                   # where: FAR by the log alone; a lap confirms it


class Model:
    def __init__(self, script, losses=0, snaps=False, crashes=0, tries=0, rules=RULES, alo=False):
        self.script, self.losses, self.snaps, self.crashes, self.tries, self.r, self.alo = script, losses, snaps, crashes, tries, rules, alo

    # state: p intake trim F=(O, settled) K=committed F later c judged out ans redis end fault
    # later: copies not judged by the committed checkpoint (source, said, id); c: judged in memory (at least once)
    # fault: (losses, crashes, tries, snapshot); unconf: see UNSURE
    def start(self):
        f = (0, frozenset())
        return (0, (), 0, f, f, (), 0, (), (), (), (0, (), frozenset(), frozenset(), frozenset(), True, True, 0), 0, (0, 0, 0, None))

    # ---------------------------------------------------------------- ghosts
    @staticmethod
    def source(intake, v):
        while intake[v][0] == 'M':
            v = intake[v][2]
        return v

    @staticmethod
    def newer(intake, ident, src, below):
        return ident != '-' and any(intake[o][0] in 'FNC' and intake[o][1] == ident for o in range(src + 1, min(below, len(intake))))

    def gone(self, intake, ident, said, O, ans):
        """Dead for good: replaced, cancelled, or said anew."""
        src = self.source(intake, said)
        return self.newer(intake, ident, src, O) or any(w != 'TOO_LATE' and intake[a][2] == said for a, w in ans)

    # ---------------------------------------------------------------- Redis
    @staticmethod
    def kill(ident, n, near, hops, asks):
        e = n.get(ident)
        near = frozenset(x for x in near if x[2] != ident)
        hops = frozenset(x for x in hops if x[1] != ident)
        if e and e[1] >= 0:
            asks = frozenset(x for x in asks if x[0] != e[1])
        return near, hops, asks

    def decide(self, a, rec, n, near, hops, asks, complete, read):
        """An ask meets the index. read: everything the bridge wrote was read."""
        kind, ident, v, _ = rec
        e, V = n.get(ident), 2 * v
        obj, r_chain = LATE, self.r['ask_chain']
        if self.r['ask_waits_all'] and not complete:
            obj = OPEN
        elif any(o == OPEN and b < a and i == ident for b, i, o in asks):
            obj = OPEN
        elif r_chain and e and e[1] == v and any(b == v for b, _, _ in asks):
            obj = OPEN                                   # names an ask that holds its message still
        elif e and e[0] == V:
            w = e[1]
            if w in (FAR, UNSURE):
                obj = FAR
            elif w == NONE:
                obj = (LATE if read else OPEN) if self.r['ask_waits_none'] else FAR
            elif not any(b == w for b, _, _ in asks):
                obj = w
                near = frozenset(x for x in near if x[0] != w)
                hops = frozenset(x for x in hops if x[0] != w)
        elif not complete and (not e or e[0] < V) and self.r['ask_waits_absent']:
            obj = OPEN
        asks = frozenset(x for x in asks if x[0] != a) | {(a, ident, obj)}
        if obj not in (LATE, OPEN):
            n[ident] = (V, a)
        return near, hops, asks

    def store(self, intake, covered, redis, end, later):
        nxt, ids, near, hops, asks, complete, scanned, lap = redis
        kind, ident, x, y = intake[nxt]
        r = self.r
        n = {i: (s, w) for i, s, w in ids}
        e = n.get(ident)
        cov = nxt in covered
        far = FAR
        if kind in 'FN':
            if ident != '-' and not complete and r['schedule_compare'] and e and e[0] >= 2 * nxt:
                pass                                     # said anew since, or its copy was found by the scan
            else:
                if ident != '-' and (not cov or kind == 'F' or r['covered_effect']):
                    near, hops, asks = self.kill(ident, n, near, hops, asks)
                    n[ident] = (2 * nxt, nxt if not cov else far if kind == 'F' and (r['covered_far'] or not complete) else NONE)
                if not cov:
                    if kind == 'F':
                        hops = hops | {(nxt, ident)}
                    else:
                        near = near | {(nxt, nxt, ident, nxt)}
        elif kind == 'C':
            if complete:
                near, hops, asks = self.kill(ident, n, near, hops, asks)
                n.pop(ident, None)
            elif not e or e[0] < 2 * nxt or not r['cancel_compare']:
                near, hops, asks = self.kill(ident, n, near, hops, asks)
                if r['mark_cancel']:
                    n[ident] = (2 * nxt, NONE)
                else:
                    n.pop(ident, None)
        elif kind == 'H':
            S = 2 * y
            if ident == '-':
                acts = True
            elif complete:
                acts = (e and (e[0] == S or r['held_copy'] and e[1] == y and any(b == y for b, _, _ in asks))) or (not e and not r['absent_dead'])
            else:
                acts = (not e and r['absent_alive']) or (e and (e[0] <= S or not r['copy_compare']))
            if acts and ident != '-' and e and e[0] == S and r['copy_in_place'] and any(b == e[1] for b, _, _ in asks):
                if not cov:
                    asks = frozenset((b, i, nxt if b == e[1] else o) for b, i, o in asks)
            elif acts:
                if ident != '-':
                    near, hops, asks = self.kill(ident, n, near, hops, asks)
                    n[ident] = (S, NONE if cov else nxt)
                if not cov:
                    near = near | {(nxt, x, ident, y)}
        else:
            V = 2 * x
            if not cov:
                near, hops, asks = self.decide(nxt, intake[nxt], n, near, hops, asks, complete, nxt + 1 >= end)
            elif complete:
                if e and e[0] == V and (r['covered_move'] if kind == 'M' else r['covered_cancel']):
                    if r['unsure'] and (e[1] == NONE or e[1] in covered and intake[e[1]][0] in 'NH'):
                        far = UNSURE                     # answered MOVED or TOO_LATE, the log does not tell
                    stays = kind == 'M' and not r['resaid_near'] and e[1] not in (FAR, UNSURE)
                    near, hops, asks = self.kill(ident, n, near, hops, asks)
                    if kind == 'M':
                        n[ident] = (V if stays else 2 * nxt, far)
                    else:
                        n.pop(ident)
            elif not e or e[0] <= V or not r['ask_compare']:
                near, hops, asks = self.kill(ident, n, near, hops, asks)
                if r['mark_covered_ask']:
                    n[ident] = (V + 1, NONE)
                else:
                    n.pop(ident, None)
        if any(n[i][1] == UNSURE and (i, *n[i]) not in ids for i in n):
            lap = len(later)                             # one whole lap from here confirms, or does not
        return (nxt + 1, tuple(sorted((i, *v) for i, v in n.items())), near, hops, asks, complete, scanned, lap)

    def settle(self, redis, what, key, verdict=None, later=(), covered=(), intake=()):
        """verdict None: dropped as covered, nothing is known of its outcome."""
        nxt, ids, near, hops, asks, complete, scanned, lap = redis
        r = self.r
        n = {i: (s, w) for i, s, w in ids}
        far = FAR
        obj = [x[2] for x in asks if x[0] == key]
        if r['unsure'] and verdict is None and obj and obj[0] in covered and intake[obj[0]][0] in 'NH':
            far = UNSURE
        ident = None
        for i, (s, w) in list(n.items()):
            if w == key:
                ident = i
        if what == 'near':
            near = frozenset(x for x in near if x[0] != key)
            if ident:
                if verdict == 'out' and (complete or not r['mark_delivered']):
                    del n[ident]
                else:
                    n[ident] = (n[ident][0], NONE)
        elif what == 'hop':
            hops = frozenset(x for x in hops if x[0] != key)
            if ident:
                n[ident] = (n[ident][0], far if r['hop_far'] else NONE)
        else:
            kind = what
            asks = frozenset(x for x in asks if x[0] != key)
            if ident:
                V = n[ident][0]
                if verdict == 'TOO_LATE':
                    n[ident] = (V, NONE)
                elif kind == 'X':
                    if complete:
                        del n[ident]
                    else:
                        n[ident] = (V + 1, NONE)
                else:
                    n[ident] = (verdict[1] if verdict else 2 * key, far)
        if any(v[1] == UNSURE and (i, *v) not in ids for i, v in n.items()):
            lap = len(later)
        return (nxt, tuple(sorted((i, *v) for i, v in n.items())), near, hops, asks, complete, scanned, lap)

    def covered_ask(self, redis, intake, a, later, settled):
        """An undecided ask turns out to be covered: it has the effect of one that is fed."""
        t = (a, redis[1], redis[2], redis[3], frozenset(x for x in redis[4] if x[0] != a)) + redis[5:]
        t = self.store(intake, settled, t, 0, later)
        return (redis[0],) + t[1:]

    # ---------------------------------------------------------------- steps
    def advance(self, s, F, later_before, trim=None):
        """judged, for the offsets from trim on: how many copies older than the record are still to be judged; -1: not yet counted."""
        intake, trim, judged = s[1], s[2], s[7]
        out = []
        for o in range(trim, F[0]):
            j = judged[o - trim] if o - trim < len(judged) else -1
            if j == -1 and (intake[o][0] not in 'MX' or o in F[1] or not self.r['ask_lap_from_settle']):
                j = later_before
            out.append(j)
        return tuple(out)

    def covering(self, s, redis, take):
        intake, F = s[1], s[3]
        nxt, ids, near, hops, asks = redis[:5]
        S = set(F[1])
        if take is not None:
            S.add(take)
        left = [a for a, _, _ in asks if a not in S]
        for o in range(nxt):
            k = intake[o][0]
            if k in 'MX' and o not in [a for a, _, _ in asks] and (not left or o < min(left)):
                S.add(o)
            if k == 'F' and not left and not any(h == o for h, _ in hops):
                S.add(o)
        return (max(F[0], nxt), frozenset(S))

    def turn(self, s, what, take, key, intake=None, later=None, out=None, ans=None, verdict=None, tries=0):
        """One transaction, and the settle; or the bridge dies in between."""
        p, intake0, trim, F, K, later0, c, judged, out0, ans0, redis, end, fault = s
        intake = intake0 if intake is None else intake
        later = later0 if later is None else later
        out = out0 if out is None else out
        ans = ans0 if ans is None else ans
        F2 = self.covering(s, redis, key)
        end2 = max(end, len(intake)) if len(intake) > len(intake0) and (redis[5] or self.r['complete_past_copies']) else end
        settled = self.settle(redis, take, key, verdict, later[c:])
        losses, crashes, tried, snap = fault
        fault = (losses, crashes, tried + tries, snap)
        died = (losses, crashes + 1, tried + tries, snap)
        if not self.alo:
            j = self.advance((p, intake, trim, F, K, later, c, judged), F2, len(later0))
            yield what, (p, intake, trim, F2, F2, later, 0, j, out, ans, settled, end2, fault)
            if crashes < self.crashes:
                yield what + ', then crash', (p, intake, trim, F2, F2, later, 0, j, out, ans, self.relap(redis, later), len(intake), died)
        else:
            yield what, (p, intake, trim, F2, K, later, c, judged, out, ans, settled, end2, fault)
            if crashes < self.crashes:
                yield what + ', then crash', (p, intake, trim, K, K, later, 0, judged, out, ans, self.relap(redis, later), len(intake), died)

    def relap(self, redis, later):
        return redis[:7] + (len(later),) if self.r['unsure_reset'] and any(t[2] == UNSURE for t in redis[1]) else redis

    def steps(self, s):
        p, intake, trim, F, K, later, c, judged, out, ans, redis, end, fault = s
        nxt, ids, near, hops, asks, complete, scanned, lap = redis
        losses, crashes, tried, snap = fault
        O, settled = F
        r = self.r
        n = {i: (sd, w) for i, sd, w in ids}
        if p < len(self.script):
            kind, ident, x, y = self.script[p]
            if kind in 'MX':                             # named by its place in the script
                x = [o for o, q in enumerate(intake) if q[0] != 'H'][x]
            if kind not in 'MX' or intake[x][0] != 'M' or (x, 'MOVED') in ans or not r['honest']:
              yield 'produce', (p + 1, intake + ((kind, ident, x, y),)) + s[2:]
        if not scanned:
            m = dict(n)
            ne, ho, sk = near, hops, asks
            for src, said, ident in later:
                if ident != '-' and (ident not in m or m[ident][0] < 2 * said):
                    if r['scan_kills']:
                        ne, ho, sk = self.kill(ident, m, ne, ho, sk)
                    m[ident] = (2 * said, FAR)
            yield 'scan', s[:10] + ((nxt, tuple(sorted((i, *v) for i, v in m.items())), ne, ho, sk, complete, True, lap),) + s[11:]
        stale = sorted(a for a, _, _ in asks if a in settled)
        if nxt < len(intake) and (scanned or not r['scan_first']) and not (stale and r['drop_before_feed']):
            yield 'store %d' % nxt, s[:10] + (self.store(intake, K[1], redis, end, later[c:]),) + s[11:]
        gate = scanned and (nxt >= max(O, K[0]) or not r['gate'])
        if scanned and not complete and not (stale and r['sweep_after_asks']) and nxt >= max(O, K[0]) and (nxt >= end or not r['complete_at_end']):
            ok = nxt >= end
            if not r['complete_at_end']:
                ok = True
            if ok:
                m = tuple(t for t in ids if t[2] != NONE)
                yield 'complete', s[:10] + ((nxt, m, near, hops, asks, True, True, lap),) + s[11:]
        if gate and complete and (nxt >= end or not r['sweep_past_copies']):
            if any(t[2] == NONE for t in ids) and not (stale and r['sweep_after_asks']):
                yield 'sweep', s[:10] + ((nxt, tuple(t for t in ids if t[2] != NONE)) + redis[2:],) + s[11:]
            opened = sorted(a for a, _, o in asks if o == OPEN and (a not in settled or not r['open_drop']))
            if opened and nxt >= end:
                m = dict(n)
                a = opened[0]
                ne, ho, sk = self.decide(a, intake[a], m, near, hops, frozenset(x for x in asks if x[0] != a), True, True)
                yield 'decide %d' % a, s[:10] + ((nxt, tuple(sorted((i, *v) for i, v in m.items())), ne, ho, sk, True, True, lap),) + s[11:]
        if complete and r['unsure'] and lap == 0 and nxt >= end and gate and any(t[2] == UNSURE for t in ids):
            yield 'sweep unsure', s[:10] + ((nxt, tuple(t for t in ids if t[2] != UNSURE)) + redis[2:],) + s[11:]
        opens = [a for a, _, o in asks if o == OPEN and r['open_drop']]
        if scanned:
            # what is covered is dropped
            for what, key in ([('near', x[0]) for x in near] + [('hop', x[0]) for x in hops] if gate and not (stale and r['drop_order']) else []) + ([(intake[a][0], a) for a in stale[:1]] if gate or r['drop_before_feed'] else []):
                if key in settled:
                    yield 'drop %d' % key, s[:10] + (self.settle(redis, what, key, None, later[c:], settled, intake) if not (what in 'MX' and key in opens) else self.covered_ask(redis, intake, key, later[c:], settled),) + s[11:]
        if gate:
            waiting = sorted(a for a, _, o in asks if a not in settled)
            blocked = waiting or opens
            if nxt > O:
                F2 = (nxt, settled)
                if self.alo:
                    yield 'follow', s[:3] + (F2,) + s[4:]
                else:
                    yield 'follow', s[:3] + (F2, F2, later, c, self.advance(s, F2, len(later))) + s[8:]
            if not blocked and not hops:
                # W passes everything that is not pending
                pend = {x[0] for x in near}
                F2 = (max(nxt, O), settled | {o for o in range(trim, nxt) if intake[o][0] in 'NHFMX' and o not in pend and not any(a == o for a, _, _ in asks)})
                if F2 != F:
                    if self.alo:
                        yield 'pass', s[:3] + (F2,) + s[4:]
                    else:
                        yield 'pass', s[:3] + (F2, F2, later, c, self.advance(s, F2, len(later))) + s[8:]
            if not blocked or not r['asks_first']:
                for k, src, ident, said in sorted(near):
                    if k not in settled:
                        yield from self.turn(s, 'deliver %d' % k, 'near', k, out=tuple(sorted(out + (src,))), verdict='out')
                        if tried < self.tries:
                            yield from self.turn(s, 'retry %d' % k, 'near', k, intake=intake + (('H', ident, src, said),), verdict='retry', tries=1)
                for o, ident in sorted(hops):
                    if o not in settled:
                        yield from self.turn(s, 'hop %d' % o, 'hop', o, later=later + ((o, o, ident),), verdict='hop')
                        yield from self.turn(s, 'hop home %d' % o, 'hop', o, intake=intake + (('H', ident, o, o),), verdict='hop')
            if waiting:
                a = waiting[0]
                kind, ident, v, dest = intake[a]
                obj = [x[2] for x in asks if x[0] == a][0]
                wait = obj >= 0 and obj in settled and intake[obj][0] != 'F' and nxt < end and r['ask_waits_covered']
                if obj != OPEN and not wait:
                    late = obj == LATE or (obj >= 0 and obj in settled and r['ask_sees_cover'] and (intake[obj][0] != 'F' or not r['ask_covered_hop']))
                    src = self.source(intake, v)
                    if late:
                        yield from self.turn(s, 'answer %d TOO_LATE' % a, kind, a, ans=ans + ((a, 'TOO_LATE'),), verdict='TOO_LATE')
                    elif kind == 'X':
                        yield from self.turn(s, 'answer %d CANCELLED' % a, kind, a, ans=ans + ((a, 'CANCELLED'),), verdict='CANCELLED')
                    else:
                        said = a if (r['resaid_far'] if obj == FAR else r['resaid_near']) else v
                        i2, l2 = intake, later
                        if dest == 'F':
                            l2 = later + ((src, said, ident),)
                        else:
                            i2 = intake + (('H', ident, src, said),)
                        yield from self.turn(s, 'answer %d MOVED %s' % (a, dest), kind, a, intake=i2, later=l2, ans=ans + ((a, 'MOVED'),), verdict=('MOVED', 2 * said))
            if c < len(later) and (not self.alo or c < 1) and (complete or not r['laps_wait']) and (not asks or not r['lap_after_asks']):
                src, said, ident = later[c]
                e = n.get(ident)
                if ident == '-':
                    alive = True
                elif complete:
                    alive = e and (e[0] == 2 * said or r['held_lap'] and e[1] == said and any(b == said for b, _, _ in asks)) or not e and not r['absent_dead']
                else:
                    alive = not e or e[0] <= 2 * said
                rd = redis
                if alive and e and e[1] == UNSURE and e[0] == 2 * said:
                    rd = (nxt, tuple((i, sd, FAR if i == ident else w) for i, sd, w in ids)) + redis[2:]
                if lap:
                    rd = rd[:7] + (lap - 1,)
                O2 = max(O, nxt) if r['lap_commits_O'] else O
                F2 = (O2, settled)
                ends = [('lap: dead', intake, ())] if not alive else [('lap: home', intake + (('H', ident, src, said),), ()), ('lap: later', intake, ((src, said, ident),))]
                for what, i2, add in ends:
                    end2 = max(end, len(i2)) if len(i2) > len(intake) else end
                    if self.alo:
                        yield what, (p, i2, trim, F2, K, later + add, c + 1, judged, out, ans, rd, end2, fault)
                        if crashes < self.crashes:
                            yield what + ', then crash', (p, i2, trim, K, K, later + add, 0, judged, out, ans, self.relap(redis, later + add), len(i2), (losses, crashes + 1, tried, snap))
                    else:
                        j = tuple(max(0, x - 1) if x >= 0 else x for x in judged)
                        j = self.advance((p, i2, trim, F, K, later, c, j), F2, len(later) - 1)
                        yield what, (p, i2, trim, F2, F2, later[1:] + add, 0, j, out, ans, rd, end2, fault)
                        if crashes < self.crashes and rd[1] != redis[1]:
                            yield what + ', then crash', (p, i2, trim, F2, F2, later[1:] + add, 0, j, out, ans, self.relap(redis, later[1:] + add), len(i2), (losses, crashes + 1, tried, snap))
                        if not r['one_tx'] and crashes < self.crashes:
                            yield what + ', judged lost', (p, i2, trim, F, K, later + add, 0, judged, out, ans, redis, len(i2), (losses, crashes + 1, tried, snap))
        if self.alo and (F != K or c):
            j = tuple(max(0, x - c) if x >= 0 else x for x in judged)
            j = self.advance((p, intake, trim, F, K, later, 0, j), F, len(later) - c)
            yield 'checkpoint', (p, intake, trim, F, F, later[c:], 0, j) + s[8:]
            if crashes < self.crashes:
                yield 'crash', (p, intake, trim, K, K, later, 0) + s[7:10] + (self.relap(redis, later), len(intake), (losses, crashes + 1, tried, snap))
        # retention
        if trim < K[0] and trim < nxt:
            kind, ident, x, y = intake[trim]
            if kind in 'FNH':
                done = trim in K[1] or self.gone(intake, ident, trim if kind != 'H' else y, K[0], ans if not self.alo else [t for t in ans if t[0] in K[1]])
            else:
                done = kind == 'C' or trim in K[1]
            laps = judged[0] == 0 or kind == 'H' or ident == '-' or not r['keep_for_a_lap']
            home = kind != 'H' and ident != '-' and r['keep_for_home'] and any(
                intake[q][0] == 'H' and intake[q][1] == ident and intake[q][3] < trim and q not in K[1] for q in range(trim + 1, len(intake)))
            if done and laps and not home:
                yield 'trim', (p, intake, trim + 1, F, K, later, c, judged[1:]) + s[8:]
        if losses < self.losses:
            lost = (losses + 1, crashes, tried, None)
            yield 'REDIS LOST', s[:10] + ((trim, (), frozenset(), frozenset(), frozenset(), False, False, 0), len(intake), lost)
            if snap is not None and snap[0] >= trim:
                yield 'REDIS BACK to %d' % snap[0], s[:10] + (self.relap(snap, later) if snap[5] or not r['rescan'] else snap[:6] + (False,) + snap[7:], end, lost)
        if self.snaps and snap is None and losses < self.losses and scanned and (nxt < len(self.script) + 4):
            yield 'snapshot', s[:12] + ((losses, crashes, tried, redis),)

    # ---------------------------------------------------------------- checks
    def wrong(self, s, t):
        intake, out, ans = t[1], t[8], t[9]
        if t[10] is not s[10]:
            nxt, ids, near, hops, asks = t[10][:5]
            n = {i: w for i, _, w in ids}
            for x in near:
                if x[2] != '-' and n.get(x[2]) != x[0] and x[0] not in t[3][1]:
                    return 'pending %d is not named by the index' % x[0]
            for o, i in hops:
                if i != '-' and n.get(i) != o and o not in t[3][1]:
                    return 'hop %d is not named by the index' % o
            keys = {x[0] for x in near} | {x[0] for x in hops} | {x[0] for x in asks}
            for i, w in n.items():
                if w >= 0 and w not in keys:
                    return 'the index names %d, which is not pending' % w
        if out is not s[8] and out != s[8]:
            new = list(out)
            for x in s[8]:
                new.remove(x)
            for src in new:
                if src in s[8] and not self.alo:
                    return 'message %d is delivered twice' % src
                if self.newer(intake, intake[src][1], src, s[4][0]):
                    return 'message %d is delivered although taken back' % src
                for a, w in ans:
                    if w == 'CANCELLED' and self.source(intake, intake[a][2]) == src:
                        return 'message %d is delivered although %d was answered CANCELLED' % (src, a)
        if ans != s[9]:
            a, w = ans[-1]
            kind, ident, v, _ = intake[a]
            src = self.source(intake, v)
            if w != 'TOO_LATE' and src in out and not self.alo:
                return '%d is answered %s, but message %d was delivered' % (a, w, src)
            if w == 'TOO_LATE' and src not in out:
                said = intake[v][0] != 'M' or (v, 'MOVED') in ans
                if said and not self.gone(intake, ident, v, t[3][0], s[9]):
                    return '%d is answered TOO_LATE, but message %d is alive' % (a, src)
        return None

    def rest(self, s):
        redis = s[10]
        p = s[0]
        return ((p == len(self.script) or self.script[p][0] in 'MX' and self.script[self.script[p][2]][0] == 'M' and self.r['honest']) and redis[0] == len(s[1]) and s[6] == len(s[5]) and redis[5] and redis[6] and not redis[2] and not redis[3] and not redis[4]
                and s[3][0] == len(s[1]))

    def final_wrong(self, s):
        intake, out, ans, redis = s[1], s[8], s[9], s[10]
        for o, (kind, ident, _, _) in enumerate(intake):
            if kind in 'FN' and not self.newer(intake, ident, o, len(intake)):
                taken = any(w == 'CANCELLED' and self.source(intake, intake[a][2]) == o for a, w in ans)
                if out.count(o) == 0 and not taken:
                    return 'message %d is lost' % o
            if kind in 'MX' and o not in [a for a, _ in ans] and not self.newer(intake, ident, o, len(intake)):
                return 'ask %d was not answered' % o
        left = [t for t in redis[1] if t[2] not in (NONE, UNSURE)]
        if left and not self.alo:
            return 'the index keeps %s' % (left,)
        return None

    FAULTS = ('REDIS', 'snapshot', 'trim', 'lap: later')

    def search(self, limit=1_500_000, until=None):
        first = self.start()
        seen, todo = {first: None}, deque([first])
        while todo:
            s = todo.popleft()
            moved = False
            for what, t in self.steps(s):
                if t == s:
                    continue
                if not what.startswith(self.FAULTS) and 'crash' not in what:
                    moved = True
                if t not in seen:
                    seen[t] = (s, what)
                    bad = self.wrong(s, t)
                    if bad:
                        return bad, self.path(seen, t), len(seen)
                    todo.append(t)
                elif t[8] is not s[8] or t[9] is not s[9]:
                    bad = self.wrong(s, t)
                    if bad:
                        return bad, self.path(seen, s) + [what], len(seen)
            if self.rest(s):
                bad = self.final_wrong(s)
                if bad:
                    return bad, self.path(seen, s), len(seen)
            elif not moved:
                return 'stuck', self.path(seen, s), len(seen)
            if len(seen) > limit or (until and time.time() > until):
                return None, None, -len(seen)
        return None, None, len(seen)

    @staticmethod
    def path(seen, s):
        steps = []
        while seen[s]:
            s, what = seen[s]
            steps.append(what)
        return list(reversed(steps))


def f(i='a'): return ('F', i, 0, 0)
def nr(i='a'): return ('N', i, 0, 0)
def c(i='a'): return ('C', i, 0, 0)
def mv(named, dest, i='a'): return ('M', i, named, dest)
def x(named, i='a'): return ('X', i, named, 0)


SCOPES = {
    'far no id': [f('-')],
    'far': [f()],
    'far cancelled': [f(), c()],
    'far far': [f(), f()],
    'far near': [f(), nr()],
    'near far': [nr(), f()],
    'far cancelled far': [f(), c(), f()],
    'far moved far': [f(), mv(0, 'F')],
    'far moved near': [f(), mv(0, 'N')],
    'near moved far': [nr(), mv(0, 'F')],
    'near moved near': [nr(), mv(0, 'N')],
    'far ask-cancel': [f(), x(0)],
    'near ask-cancel': [nr(), x(0)],
    'far moved cancelled': [f(), mv(0, 'F'), c()],
    'far moved replaced': [f(), mv(0, 'F'), nr()],
    'far moved near replaced far': [f(), mv(0, 'N'), f()],
    'far moved twice': [f(), mv(0, 'F'), mv(1, 'N')],
    'near moved twice': [nr(), mv(0, 'F'), mv(1, 'F')],
    'far moved stale ask': [f(), mv(0, 'F'), x(0)],
    'far moved ask-cancel': [f(), mv(0, 'N'), x(1)],
    'near moved ask-cancel': [nr(), mv(0, 'F'), x(1)],
    'replaced, stale ask': [f(), f(), x(0)],
    'replaced, stale move': [f(), f(), mv(0, 'F')],
    'ask behind cancel': [f(), c(), x(0)],
    'cancel far moved': [c(), f(), mv(1, 'F')],
    'two ids': [f('a'), f('b'), c('a')],
}
FAULTS = ((1, False, 1, 0), (1, True, 0, 0), (1, True, 1, 0), (2, False, 0, 0), (2, False, 1, 0), (2, True, 0, 0), (1, False, 0, 1), (1, True, 1, 1))


def run(rules, names, faults=FAULTS, alo=False, limit=1_500_000, show=True, stop=False, big=True):
    first = None
    for name, script in SCOPES.items():
        if names and not any(w == name or w in name and w[0] != '=' for w in names):
            continue
        for l, sn, cr, tr in faults:
            t0 = time.time()
            bad, path, states = Model(script, l, sn, cr, tr, rules, alo).search(limit)
            if show:
                print('%-28s losses %d%s crashes %d retries %d: %8d states %5.0f s%s%s' % (name, l, ' or back' if sn else '', cr, tr, abs(states), time.time() - t0, ' (cut off)' if states < 0 else '', '\n    ' + bad + ': ' + ' → '.join(path) if bad else ''), flush=True)
            if bad and not first:
                first = (name, (l, sn, cr, tr), bad, path)
                if stop:
                    return first
    return first


if __name__ == '__main__':
    args = sys.argv[1:]
    rules, faults, limit = dict(RULES), FAULTS, 1_500_000
    while args and args[0].startswith('--'):
        o, v, args = args[0], args[1], args[2:]
        if o == '--set':
            k, _, b = v.partition('=')
            assert k in rules
            rules[k] = b == '1'
        elif o == '--faults':                            # e.g. 1,0,1,0;2,0,0,0
            faults = [tuple(int(q) for q in part.split(',')) for part in v.split(';')]
        elif o == '--limit':
            limit = int(v)
    if args[:1] == ['mutants']:
        for rule in args[1:] or RULES:
            t0 = time.time()
            got = run({**rules, rule: not rules[rule]}, (), faults, show=False, stop=True, limit=limit)
            print('%-20s %s (%.0f s)' % (rule, 'caught: %s %s: %s: %s' % (got[0], got[1], got[2], ' → '.join(got[3])) if got else 'NOT CAUGHT', time.time() - t0), flush=True)
    else:
        alo = args[:1] == ['alo']
        sys.exit(1 if run(rules, args[1:] if alo else args, faults, alo, limit) else 0)
