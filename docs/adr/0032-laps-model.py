#!/usr/bin/env python3
"""Explicit-state model of far messages (ADR 32): one shard, one intake, one later topic, Redis that may lose everything or go back.

Time is left out: any copy may take another lap or go home at any moment, any near message may be delivered at any moment.
A turn is one transaction with the checkpoint (at least once: the checkpoint follows later); the settle in Redis may be lost by a crash.

  laps_model.py [SCOPE...]          searches the scopes (all, or those whose name contains a word)
  laps_model.py alo [SCOPE...]      the same at least once
  laps_model.py mutants [RULE...]   breaks one rule at a time
  laps_model.py --set RULE=0 ...    with a rule broken

Records (kind, id, x, y): F far, N near schedule; C cancel; W said in the place of x, y 'F' or 'N' and how far Redis was fed then; H copy that came home, R copy for a
retry or a move of a near one, y 'F' if that is far (x source of both).
Index: id -> (said, where). where: offset of what is pending, FAR or NONE.
"""
import sys, time
from collections import deque

FAR, NONE = -1, -2

RULES = dict(
    page_follows=True,        # a page of a recall is taken only behind the one before it
    scan_first=True,          # a rebuild recalls the later topic before it feeds the intake
    gate=True,                # no turn while next < O
    lap_follows=True,         # no lap while next < O: what the index says counts only if Redis has all that was covered
    one_tx=True,              # copies and how far was judged in one transaction
    keep_for_a_lap=True,      # a record stays until every copy older than it was judged
    keep_for_home=True,       # ... and every copy behind it that it kills is settled
    keep_for_instead=True,    # ... and until what is said in the place of something before it is settled, and its race is over
    absent_dead=True,         # complete: no entry, dead
    absent_alive=True,        # incomplete: no entry, alive
    mark_cancel=True,         # incomplete: a cancel leaves a mark
    mark_delivered=True,      # incomplete: a delivery leaves its entry as a mark
    schedule_compare=True,    # incomplete: a schedule kills only older, and is dead if something newer was said
    copy_compare=True,        # incomplete: a copy is dead if something newer was said
    scan_compare=True,        # a recall does not override what was said later
    instead_far=True,         # what is said in the place of something acts only if that is far
    instead_absent=True,      # incomplete: it acts if nothing newer is known
    instead_young=True,       # ... if it is covered, only while the log has what could speak against it
    instead_mark=True,        # ... and if not, it leaves what it names as a mark: another one that names the same does nothing either
    resaid=True,              # it is a message of its own: the copy from before it is dead
    far_at_once=True,         # the id of what is far stands for that from its reading on (else: from when it left)
    covered_far=True,         # a covered far schedule fed again is FAR
    covered_far_copy=True,    # a covered far copy fed again is FAR
    covered_effect=True,      # a covered near schedule fed again has its effect on the id
    sweep_spares_far=True,    # what is far is not swept
    complete_at_end=True,     # complete only at the end that the log had (else: as soon as the gate opens)
    sweep_past_copies=True,   # ids that name nothing are swept only past every copy written since
)


class Model:
    def __init__(self, script, losses=0, snaps=False, crashes=0, tries=0, rules=RULES, alo=False):
        self.script, self.losses, self.snaps, self.crashes, self.tries, self.r, self.alo = script, losses, snaps, crashes, tries, rules, alo

    # state: p intake trim F=(O, settled) K=committed F later c judged out redis end fault
    # later: copies not judged by the committed checkpoint (source, id); c: judged in memory (at least once)
    # judged: of the offsets from trim on, how many copies older than the record are still to be judged; -1: not yet counted
    # end: where the log ended when Redis was opened, and behind the last copy written since; and the page that the bridge recalls next
    # redis: next ids pending complete scanned; pending: (offset, kind, id, source), kind 'near' or 'hop'; scanned: pages recalled, or, if all were, ~ where the log began
    # fault: (losses, crashes, tries, snapshot)
    def start(self):
        f = (0, frozenset())
        return (0, (), 0, f, f, (), 0, (), (), (0, (), frozenset(), True, ~0), (0, 0, 0), (0, 0, 0, None))

    @staticmethod
    def opened(intake):
        return (len(intake), len(intake), 0)

    # ---------------------------------------------------------------- what is true, by the log alone
    @staticmethod
    def is_far(rec):
        return rec[0] == 'F' or rec[0] == 'R' and rec[3] == 'F' or rec[0] == 'W' and rec[3][0] == 'F'

    @classmethod
    def acts(cls, intake, m):
        """Whether what W replaces is far when it is read."""
        _, ident, named, _ = intake[m]
        far = None
        for o in range(m - 1, -1, -1):
            rec = intake[o]
            if rec[1] != ident or rec[0] == 'W' and not cls.acts(intake, o):
                continue
            if rec[0] in 'HR':
                if rec[2] == named and far is None:
                    far = cls.is_far(rec)
            else:
                return rec[0] != 'C' and o == named and (cls.is_far(rec) if far is None else far)
        return False

    @classmethod
    def newer(cls, intake, ident, said, below):
        return ident != '-' and any(
            intake[o][1] == ident and (intake[o][0] in 'FNC' or intake[o][0] == 'W' and cls.acts(intake, o))
            for o in range(said + 1, min(below, len(intake))))

    @staticmethod
    def source(intake, o):
        return intake[o][2] if intake[o][0] in 'HR' else o

    # ---------------------------------------------------------------- Redis
    @staticmethod
    def kill(ident, n, pend):
        e = n.get(ident)
        return frozenset(x for x in pend if not (e and x[0] == e[1]))

    def lives(self, e, src, complete):
        if complete:
            return bool(e and e[0] == src) or not e and not self.r['absent_dead']
        return not e and self.r['absent_alive'] or bool(e and (e[0] <= src or not self.r['copy_compare']))

    def replaces(self, e, named, own, complete, cov, young):
        r = self.r
        if e and e[0] == own:
            return True
        if not complete and cov and not young and r['instead_young']:
            return False                                 # what could speak against it may be gone
        if e and e[0] == named and (e[1] == FAR or not r['instead_far']):
            return True
        return not complete and r['instead_absent'] and (not e or e[0] < named)

    def store(self, intake, covered, redis, trim):
        nxt, ids, pend, whole, scanned = redis
        complete = whole or scanned >= 0                 # an index that was not told of copies takes absence for a proof
        kind, ident, x, y = intake[nxt]
        r, n = self.r, {i: (s, w) for i, s, w in ids}
        e, cov, far = n.get(ident), nxt in covered, self.is_far(intake[nxt])
        member = {(nxt, 'hop' if far else 'near', ident, x if kind in 'HR' else nxt)}
        if kind == 'C':
            if complete or not e or e[0] < nxt:      # what is newer is fed again behind it: without this, nothing else comes of it
                pend = self.kill(ident, n, pend)
                n.pop(ident, None)
                if not complete and r['mark_cancel']:
                    n[ident] = (nxt, NONE)
        elif ident == '-':
            pend = pend if cov else pend | member
        else:
            src = x if kind in 'HR' or kind == 'W' and not r['resaid'] else nxt
            if kind in 'HR':
                ok = self.lives(e, src, complete)
            else:
                ok = (kind != 'W' or self.replaces(e, x, nxt, complete, cov, (~scanned if scanned < 0 else trim) <= y[1])) and not (not complete and r['schedule_compare'] and e and e[0] > nxt)
                ok = ok and not (cov and not far and not r['covered_effect'])
            if kind == 'W' and not ok and not complete and r['instead_mark'] and (not e or e[0] < x or e == (x, FAR)):
                pend = self.kill(ident, n, pend)
                n[ident] = (x, NONE)
            if ok:
                if not (far and e == (src, FAR)):
                    pend = self.kill(ident, n, pend)
                    at_once = r['far_at_once'] if not cov else r['covered_far'] if kind in 'FW' else r['covered_far_copy']
                    n[ident] = (src, FAR if far and at_once else NONE if cov else nxt)
                if not cov:
                    pend = pend | {(nxt, 'hop' if far else 'near', ident, src)}
        return (nxt + 1, tuple(sorted((i, *v) for i, v in n.items())), pend, whole, scanned)

    def settle(self, redis, key, how):
        """how: 'out', 'kept' (a copy is on its way, or nothing is known), or 'hop'."""
        nxt, ids, pend, complete, scanned = redis
        n = {i: (s, w) for i, s, w in ids}
        pend = frozenset(x for x in pend if x[0] != key)
        for i, (s, w) in list(n.items()):
            if w == key:
                if how == 'out' and (complete or not self.r['mark_delivered']):
                    del n[i]
                else:
                    n[i] = (s, FAR if how == 'hop' else NONE)
        return (nxt, tuple(sorted((i, *v) for i, v in n.items())), pend, complete, scanned)

    # ---------------------------------------------------------------- steps
    def advance(self, s, F, older):
        intake, trim, judged = s[1], s[2], s[7]
        # One that has not left yet will be a copy, also if Redis was lost before.
        fed = {o for o, kind, _, _ in s[9][2] if kind == 'hop'} | {o for o in range(trim, F[0]) if intake[o][0] == 'F' or intake[o][0] == 'W' and self.is_far(intake[o]) and self.acts(intake, o)}
        leaving = min((o for o in fed if o not in F[1]), default=F[0])
        js = [judged[o - trim] if o - trim < len(judged) else -1 for o in range(trim, F[0])]
        return tuple(older if j == -1 and trim + i <= leaving else j for i, j in enumerate(js))

    def covering(self, s, redis, key):
        """Whatever is read, not pending and comes before what is taken: hops come first."""
        F, pend = s[3], {x[0]: x[1] for x in redis[2]}
        hops = any(k == 'hop' and o not in F[1] and o != key for o, k in pend.items())
        S = set(F[1]) | {key}
        for o in range(s[2], redis[0]):
            rec = s[1][o]
            if o not in pend and rec[0] != 'C' and (self.is_far(rec) or not hops and self.gone(s[1], o, redis[0], s[8])):
                S.add(o)
        return (max(F[0], redis[0]), frozenset(S))

    def gone(self, intake, o, below, out):
        src = self.source(intake, o)
        return src in out or self.newer(intake, intake[o][1], src, below) or intake[o][0] == 'W' and not self.acts(intake, o)

    def turn(self, s, what, key, how, intake=None, later=None, out=None, tries=0):
        """One transaction, and the settle; or the bridge dies in between."""
        p, intake0, trim, F, K, later0, c, judged, out0, redis, end, (losses, crashes, tried, snap) = s
        intake, later, out = intake or intake0, later0 if later is None else later, out0 if out is None else out
        F2 = self.covering(s, redis, key)
        end2 = (end[0], len(intake), end[2]) if len(intake) > len(intake0) else end
        ok, died = (losses, crashes, tried + tries, snap), (losses, crashes + 1, tried + tries, snap)
        settled = self.settle(redis, key, how)
        K2 = K if self.alo else F2
        j = judged if self.alo else self.advance(s, F2, len(later))
        yield what, (p, intake, trim, F2, K2, later, c, j, out, settled, end2, ok)
        if crashes < self.crashes:
            yield what + ', then crash', (p, intake, trim, K2, K2, later, 0, j, out, redis, self.opened(intake), died)

    def steps(self, s):
        p, intake, trim, F, K, later, c, judged, out, redis, end, fault = s
        nxt, ids, pend, complete, scanned = redis
        losses, crashes, tried, snap = fault
        O, settled = F
        r, n = self.r, {i: (sd, w) for i, sd, w in ids}
        if p < len(self.script):
            kind, ident, x, y = self.script[p]
            if kind == 'W':                              # named by its place in the script; whoever writes it has seen that far
                x = ([o for o, q in enumerate(intake) if q[0] not in 'HR'] + [NONE] * p)[x]
            if kind != 'W' or n.get(ident) == (x, FAR):
                yield 'produce', (p + 1, intake + ((kind, ident, x, (y, nxt) if kind == 'W' else y),)) + s[2:]
            else:
                yield 'skip', (p + 1, intake + (('C', '-', 0, 0),)) + s[2:]
        at = end[2]
        if scanned >= 0 and at and scanned != at and r['page_follows']:
            yield 'recall anew', s[:10] + (end[:2] + (0,),) + s[11:]
        elif scanned >= 0:
            m, q = dict(n), pend
            for src, ident in later[at:at + 1]:
                if ident != '-' and (ident not in m or m[ident][0] < src or not r['scan_compare']):
                    q = self.kill(ident, m, q)
                    m[ident] = (src, FAR)
            ids2 = tuple(sorted((i, *v) for i, v in m.items()))
            yield 'recall %d' % at, s[:9] + ((nxt, ids2, q, complete, at + 1 if at + 1 < len(later) else ~trim), end[:2] + (at + 1,)) + s[11:]
        if nxt < len(intake) and (scanned < 0 or not r['scan_first']):
            yield 'store %d' % nxt, s[:9] + (self.store(intake, K[1], redis, trim),) + s[10:]
        fed = nxt >= max(O, K[0])
        gate = scanned < 0 and (fed or not r['gate'])
        if scanned < 0 and not complete and fed and (nxt >= end[0] or not r['complete_at_end']):
            yield 'complete', s[:9] + ((nxt, ids, pend, True, scanned),) + s[10:]
        dangling = tuple(t for t in ids if t[2] == NONE or t[2] == FAR and not r['sweep_spares_far'])
        if gate and complete and dangling and (nxt >= end[1] or not r['sweep_past_copies']):
            yield 'sweep', s[:9] + ((nxt, tuple(t for t in ids if t not in dangling)) + redis[2:],) + s[10:]
        if gate:
            if nxt > O:
                F2 = (nxt, settled)
                yield 'follow', s[:3] + ((F2, K, later, c, judged) if self.alo else (F2, F2, later, c, self.advance(s, F2, len(later)))) + s[8:]
            for k, kind, ident, src in sorted(pend):
                if k in settled:
                    yield 'drop %d' % k, s[:9] + (self.settle(redis, k, 'hop' if kind == 'hop' else 'kept'),) + s[10:]
                elif kind == 'hop':
                    yield from self.turn(s, 'hop %d' % k, k, 'hop', later=later + ((src, ident),))
                    yield from self.turn(s, 'hop home %d' % k, k, 'hop', intake=intake + (('H', ident, src, 0),))
                else:
                    yield from self.turn(s, 'deliver %d' % k, k, 'out', out=tuple(sorted(out + (src,))))
                    if tried < self.tries:
                        for to in 'NF':
                            yield from self.turn(s, 'copy %d %s' % (k, to), k, 'kept', intake=intake + (('R', ident, src, to),), tries=1)
        if scanned < 0 and c < len(later) and (not self.alo or c < 1) and complete and (fed or not r['lap_follows']):
            src, ident = later[c]
            e = n.get(ident)
            alive = ident == '-' or self.lives(e, src, complete)
            F2 = (max(O, nxt), settled)
            ends = [('lap: dead', intake, ())] if not alive else [('lap: home', intake + (('H', ident, src, 0),), ()), ('lap: later', intake, ((src, ident),))]
            for what, i2, add in ends:
                end2 = (end[0], len(i2), end[2]) if len(i2) > len(intake) else end
                died = (losses, crashes + 1, tried, snap)
                if self.alo:
                    yield what, (p, i2, trim, F2, K, later + add, c + 1, judged, out, redis, end2, fault)
                    if crashes < self.crashes:
                        yield what + ', then crash', (p, i2, trim, K, K, later + add, 0, judged, out, redis, self.opened(i2), died)
                else:
                    j = tuple(max(0, q - 1) if q >= 0 else q for q in judged)
                    j = self.advance((p, i2, trim, F, K, later, c, j, out, redis), F2, len(later) - 1)
                    yield what, (p, i2, trim, F2, F2, later[1:] + add, 0, j, out, redis, end2, fault)
                    if not r['one_tx'] and crashes < self.crashes:
                        yield what + ', judged lost', (p, i2, trim, F, K, later + add, 0, judged, out, redis, self.opened(i2), died)
        if self.alo and (F != K or c):
            j = tuple(max(0, q - c) if q >= 0 else q for q in judged)
            j = self.advance((p, intake, trim, F, K, later, 0, j, out, redis), F, len(later) - c)
            less = redis[:4] + (scanned if scanned < 0 else max(0, scanned - c),)      # places are counted from the first copy that is not judged
            yield 'checkpoint', (p, intake, trim, F, F, later[c:], 0, j, out, less, end[:2] + (max(0, at - c),), fault)
            if crashes < self.crashes:
                yield 'crash', (p, intake, trim, K, K, later, 0, judged, out, redis, self.opened(intake), (losses, crashes + 1, tried, snap))
        # retention
        if trim < K[0] and trim < nxt and judged and self.may_go(s):
            yield 'trim', (p, intake, trim + 1, F, K, later, c, judged[1:]) + s[8:]
        if losses < self.losses:
            lost = (losses + 1, crashes, tried, None)
            yield 'REDIS LOST', s[:9] + ((trim, (), frozenset(), False, 0), self.opened(intake), lost)
            if snap is not None and snap[0] >= trim:
                yield 'REDIS BACK to %d' % snap[0], s[:9] + (snap if snap[3] else snap[:4] + (0,), self.opened(intake), lost)
                if scanned >= 0 and snap[0] == nxt and snap[4] >= 0:
                    yield 'REDIS LOSES PAGES', s[:9] + (snap, end, lost)
        if self.snaps and snap is None and losses < self.losses and nxt < len(self.script) + 4:
            yield 'snapshot', s[:11] + ((losses, crashes, tried, redis),)

    def may_go(self, s):
        intake, trim, K, judged, out, r = s[1], s[2], s[4], s[7], s[8], self.r
        rec = intake[trim]
        kind, ident, x, _ = rec
        if self.is_far(rec) and trim not in K[1] and (kind != 'W' or self.acts(intake, trim)):
            return False
        if kind != 'C' and trim not in K[1] and not self.gone(intake, trim, K[0], [o for o in out if o in K[1]] if self.alo else out):
            return False
        behind = [(q, intake[q]) for q in range(trim + 1, len(intake)) if intake[q][1] == ident and ident != '-']
        says = kind in 'FNC' or kind == 'W' and self.acts(intake, trim)
        if says and ident != '-' and judged[0] != 0 and r['keep_for_a_lap']:
            return False
        if says and r['keep_for_home'] and any(b[0] in 'HR' and b[2] < trim and q not in K[1] for q, b in behind):
            return False
        moves = [(q, b) for q, b in enumerate(intake) if q > trim and b[0] == 'W']
        home = {b[2] for q, b in enumerate(intake) if q > trim and b[0] in 'HR' and q not in K[1]}
        if r['keep_for_instead'] and any(b[1] == ident and q not in K[1] or b[3][1] <= trim and (
                q not in K[1] or b[2] in home or judged[q - trim:q - trim + 1] != (0,)) for q, b in moves):
            return False
        return True

    # ---------------------------------------------------------------- checks
    def wrong(self, s, t):
        intake, out = t[1], t[8]
        if t[9] is not s[9]:
            _, ids, pend = t[9][:3]
            n = {i: w for i, _, w in ids}
            for o, kind, ident, _ in pend:
                if ident != '-' and kind == 'near' and n.get(ident) != o and o not in t[3][1]:
                    return 'pending %d is not named by the index' % o
            if any(w >= 0 and w not in {x[0] for x in pend} for w in n.values()):
                return 'the index names what is not pending'
        if out is not s[8] and out != s[8]:
            new = list(out)
            for x in s[8]:
                new.remove(x)
            for src in new:
                if src in s[8] and not self.alo:
                    return 'message %d is delivered twice' % src
                if self.newer(intake, intake[src][1], src, s[4][0]):
                    return 'message %d is delivered although taken back' % src
                if intake[src][0] == 'W' and not self.acts(intake, src):
                    return 'message %d is delivered although what it replaces was not far' % src
        return None

    def rest(self, s):
        redis = s[9]
        return s[0] == len(self.script) and redis[0] == len(s[1]) == s[3][0] and s[6] == len(s[5]) and redis[3] and redis[4] < 0 and not redis[2]

    def final_wrong(self, s):
        intake, out, redis = s[1], s[8], s[9]
        for o, rec in enumerate(intake):
            if rec[0] in 'FNW' and not self.gone(intake, o, len(intake), out):
                return 'message %d is lost' % o
        left = [t for t in redis[1] if t[2] != NONE]
        return 'the index keeps %s' % (left,) if left and not self.alo and s[2] == 0 else None

    FAULTS = ('REDIS', 'snapshot', 'trim', 'lap: later')

    def search(self, limit=1_500_000):
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
                new = t not in seen
                if new:
                    seen[t] = (s, what)
                    todo.append(t)
                if new or t[8] is not s[8]:
                    bad = self.wrong(s, t)
                    if bad:
                        return bad, self.path(seen, s) + [what], len(seen)
            if self.rest(s):
                bad = self.final_wrong(s)
                if bad:
                    return bad, self.path(seen, s), len(seen)
            elif not moved:
                return 'stuck', self.path(seen, s), len(seen)
            if len(seen) > limit:
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
def w(named, to, i='a'): return ('W', i, named, to)


SCOPES = {
    'far no id': [f('-')],
    'far': [f()],
    'near': [nr()],
    'far cancelled': [f(), c()],
    'near cancelled': [nr(), c()],
    'far far': [f(), f()],
    'far near': [f(), nr()],
    'near far': [nr(), f()],
    'far cancelled far': [f(), c(), f()],
    'far moved far': [f(), w(0, 'F')],
    'far moved near': [f(), w(0, 'N')],
    'near not moved': [nr(), w(0, 'N')],
    'far moved cancelled': [f(), w(0, 'F'), c()],
    'far moved replaced': [f(), w(0, 'F'), nr()],
    'far moved near replaced far': [f(), w(0, 'N'), f()],
    'far moved twice': [f(), w(0, 'F'), w(1, 'N')],
    'far moved by two': [f(), w(0, 'F'), w(0, 'N')],
    'far moved by two one after the other': [f(), c('b'), w(0, 'F'), w(0, 'F')],
    'far moved back and forth': [f(), w(0, 'N'), w(1, 'F')],
    'far cancelled moved': [f(), c(), w(0, 'F')],
    'far replaced moved': [f(), f(), w(0, 'N')],
    'cancel far moved': [c(), f(), w(1, 'F')],
    'two ids': [f('a'), f('b'), c('a')],
    'two far': [f('a'), f('b')],
    'moved beside another': [f('a'), c('-'), w(0, 'F')],
}
# Where a rule is searched for first when it is broken, if the order of the scopes would take long.
FIRST = {
    'instead_mark': ('far moved by two', (2, False, 0, 0)),
    'instead_young': ('far replaced moved', (1, False, 0, 0)),
    'page_follows': ('two far', (2, True, 0, 0)),
    'schedule_compare': ('far moved far', (2, False, 0, 0)),
}
FAULTS = ((1, False, 1, 0), (1, True, 0, 0), (2, False, 0, 0), (1, False, 0, 1), (1, True, 1, 0), (1, False, 1, 1), (2, True, 0, 0))


def run(rules, names, faults=FAULTS, alo=False, limit=1_500_000, show=True, stop=False):
    first = None
    for name, script in SCOPES.items():
        if names and not any(q == name or q in name for q in names):
            continue
        for l, sn, cr, tr in faults:
            t0 = time.time()
            bad, path, states = Model(script, l, sn, cr, tr, rules, alo).search(limit)
            if show:
                print('%-28s losses %d%s crashes %d copies %d: %8d states %5.0f s%s%s' % (name, l, ' or back' if sn else '', cr, tr, abs(states), time.time() - t0, ' (cut off)' if states < 0 else '', '\n    ' + bad + ': ' + ' → '.join(path) if bad else ''), flush=True)
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
            broken, got = {**rules, rule: not rules[rule]}, None
            for name, first in [FIRST[rule]] if rule in FIRST else []:
                got = run(broken, [name], [first], show=False, stop=True, limit=limit)
            got = got or run(broken, (), faults, show=False, stop=True, limit=limit)
            print('%-20s %s (%.0f s)' % (rule, 'caught: %s %s: %s: %s' % (got[0], got[1], got[2], ' → '.join(got[3])) if got else 'NOT CAUGHT', time.time() - t0), flush=True)
    else:
        alo = args[:1] == ['alo']
        sys.exit(1 if run(rules, args[1:] if alo else args, faults, alo, limit) else 0)
