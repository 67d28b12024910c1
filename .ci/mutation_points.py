#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""The points of a C source at which a mutation changes one thing: see mutation.py.

A mutant that by its form alone is the same as the source is no point: `!=` for `<` where a loop counts up to its end by
one, order where a constant is the first or last of its enum, a number without sign below 0, and the smaller of two
numbers that are equal.
"""
import re

TOKEN = re.compile(r'''
    (?P<skip>//[^\n]*|/\*.*?\*/|^[ \t]*\#(?:[^\n\\]|\\.|\\\n)*|"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|\s+)
  | (?P<id>[A-Za-z_]\w*)
  | (?P<num>0[xX][0-9a-fA-F]+[uUlL]*|\d+[uUlL]*)
  | (?P<op>->|\+\+|--|<<=|>>=|<<|>>|<=|>=|==|!=|&&|\|\||[-+*/%&|^]=|\.\.\.|.)
''', re.X | re.S | re.M)
RELATIONS = ['<', '<=', '==', '!=', '>=', '>']
SIDES = [('client', 'server'), ('requester', 'responder'), ('call', 'reply')]
KEYWORDS = set('if else for while do switch case default return break continue goto sizeof struct union '
               'enum const static unsigned signed int char long short void bool float double typedef '
               'extern inline register volatile'.split())


def swap_side(word):
    for a, b in SIDES:
        for x, y in ((a, b), (b, a)):
            for f in (str, str.upper, str.capitalize):
                if re.search(r'(?<![A-Za-z])%s(?![a-z])' % f(x), word.replace('_', ' ')):
                    return re.sub(r'(^|_)%s(?=_|$|s$|s_)' % f(x), lambda m: m.group(1) + f(y), word)
    return None


def tokens(text):
    out = []
    for m in TOKEN.finditer(text):
        if m.lastgroup != 'skip':
            out.append((m.lastgroup, m.group(), m.start(), m.end()))
    return out


DECLARED = re.compile(r'\b(unsigned(?: \w+)?|size_t|uint\d+_t|(?<!unsigned )(?:int|long|char)|int\d+_t|ptrdiff_t|double) '
                      r'((?:\w+(?: = [^,;(){}]*)?, )*\w+)(?=[;,)\[ =])')


def numbers(text):
    """Names that are declared without a sign, and with one."""
    with_sign, without = set(), set()
    for kind, names in DECLARED.findall(re.sub(r'/\*.*?\*/|//[^\n]*', '', text, flags=re.S)):
        (without if kind.startswith(('un', 'size_t', 'uint')) else with_sign).update(
            name.split(' ')[0] for name in names.split(', '))
    return with_sign, without


def ends(texts):
    """The constants that are the first or last of their enum, or the largest number of their type, and names that are
    never declared with a sign: {name: set}."""
    found, signed, unsigned = {}, set(), set()
    for text in texts:
        text = re.sub(r'/\*.*?\*/|//[^\n]*', '', text, flags=re.S)
        here, without = numbers(text)
        signed |= here
        unsigned |= without
        for name in re.findall(r'^#define (\w+) UINT(?:16|32|64)_MAX\b', text, re.M):
            found.setdefault(name, set()).add('last')
        for body in re.findall(r'\benum\b[^;{}()]*\{([^{}]*)\}', text):
            values, value = {}, -1
            for entry in body.split(','):
                m = re.match(r'\s*(\w+)\s*(?:=\s*(.*?))?\s*$', entry, re.S)
                if not m:
                    continue
                if m.group(2):
                    number = re.match(r'(-?(?:0[xX][0-9a-fA-F]+|\d+))[uUlL]*$', m.group(2))
                    if not number:
                        values = {}
                        break
                    value = int(number.group(1), 0)
                else:
                    value += 1
                values[m.group(1)] = value
            for name, value in values.items() if len(values) > 1 else ():
                if value == max(values.values()):
                    found.setdefault(name, set()).add('last')
                if value == min(values.values()):
                    found.setdefault(name, set()).add('first')
    for name in unsigned - signed:
        found.setdefault(name, set()).add('unsigned')
    return found


def counters(toks, match):
    """{index of a relation that ends a loop: what it may not become}: the loop counts to its end by one."""
    found = {}
    for i, (_, t, _, _) in enumerate(toks):
        if t != 'for' or i + 1 not in match:
            continue
        parts, level = [[]], 0
        for j in range(i + 2, match[i + 1]):
            level += (toks[j][1] in '([{') - (toks[j][1] in ')]}')
            if toks[j][1] == ';' and level == 0:
                parts.append([])
            else:
                parts[-1].append(j)
        if len(parts) != 3:
            continue
        for j in parts[2]:
            if toks[j][1] in ('++', '--') and toks[j - 1][0] == 'id':
                name, relation = toks[j - 1][1], '<' if toks[j][1] == '++' else '>'
                for k in parts[1]:
                    if toks[k][1] == relation and toks[k - 1][1] == name and toks[k - 2][1] in (';', '&&', '(', '||'):
                        found[k] = '!='
    return found


def smaller(toks, i):
    """Whether this is the relation of `a < b ? a : b`, or of `b : a`."""
    first, second, j = [], [], i - 1
    while j >= 0 and (toks[j][0] in ('id', 'num') and toks[j][1] not in KEYWORDS or toks[j][1] in ('.', '->')):
        first.insert(0, toks[j][1])
        j -= 1
    j = i + 1
    while j < len(toks) and (toks[j][0] in ('id', 'num') or toks[j][1] in ('.', '->')):
        second.append(toks[j][1])
        j += 1
    rest = [t[1] for t in toks[j:j + len(first) + len(second) + 2]]
    return bool(first and second) and rest in (['?', *first, ':', *second], ['?', *second, ':', *first])


# An order that is the same as being equal, or not, to the last or the first of all.
SAME = {'last': {('==', '>='), ('!=', '<')}, 'first': {('==', '<='), ('!=', '>')}}
MIRRORED = {'<': '>', '>': '<', '<=': '>=', '>=': '<='}


def same_order(toks, i, new, limits, unsigned):
    """Whether a relation and its mutant agree, for one side is the first or last constant of its enum."""
    old, (before, after) = toks[i][1], (toks[i - 1][1], toks[i + 1][1])
    if i + 2 < len(toks) and toks[i + 2][1] in ('(', '->', '.', '['):
        after = ''
    if (after == 'NULL' or after == '0' and before in unsigned) and (old, new) in SAME['first'] | {('>', '!='), ('<=', '==')}:
        return True
    if new == {'<': '<=', '>': '>=', '<=': '<', '>=': '>'}.get(old) and smaller(toks, i):
        return True
    return any((old, new) in SAME.get(end, ()) for end in limits.get(after, ())) or \
        any((old, MIRRORED.get(new)) in SAME.get(end, ()) for end in limits.get(before, ()))


def is_room(toks, i, match):
    """Whether this number, one larger, only makes an array or what is allocated larger: `char text[24];`, `calloc(1, n)`."""
    if toks[i - 1][1] == '[':
        return toks[i + 1][1] == ']' and toks[i + 2][1] in (';', '=', ',') and toks[i - 2][0] == 'id' and \
            toks[i - 3][0] == 'id' and toks[i - 3][1] != 'return'
    call = max((j for j in match if toks[j][1] == '(' and j < i < match[j]), default=0)
    return 'alloc' in toks[call - 1][1] and toks[i - 1][1] in ('(', ',', '+', '*')


def points(text, words, limits=None):
    """All (class, start, end, replacement)s of a source. limits: what ends() found."""
    toks = tokens(text)
    found = []
    depth, paren, function = 0, 0, False
    opened = []
    match, stack = {}, []
    for i, (_, t, _, _) in enumerate(toks):
        if t in '([':
            stack.append(i)
        elif t in ')]' and stack:
            match[stack.pop()] = i
    counted = counters(toks, match)
    # What this file says of a name counts more than what others do.
    signed, without = numbers(text)
    unsigned = without - signed | {n for n, what in (limits or {}).items() if 'unsigned' in what and n not in signed}
    start = False                       # a statement may start here
    headers = set()                     # closing parentheses of if, for, while, switch
    for i, (kind, t, s, e) in enumerate(toks):
        prev = toks[i - 1] if i else ('op', ';', 0, 0)
        nxt = toks[i + 1] if i + 1 < len(toks) else ('op', ';', 0, 0)
        operand = prev[0] in ('id', 'num') and prev[1] not in KEYWORDS or prev[1] in (')', ']')
        if t == '{':
            if depth == 0:
                function = prev[1] == ')'
            depth += 1
        elif t == '}':
            depth -= 1
        elif t == '(':
            paren += 1
        elif t == ')':
            paren -= 1
        inside = depth > 0 and function
        # statements
        if inside and start and paren == 0 and kind == 'id':
            j, level = i, 0
            while toks[j][1] != ';' or level:
                level += toks[j][1] in '([{'
                level -= toks[j][1] in ')]}'
                j += 1
                if level < 0 or j >= len(toks):
                    j = None
                    break
            if j is not None:
                body = toks[i:j]
                if t in ('break', 'continue'):
                    found.append(('jump', s, toks[j][3], ';'))
                elif t == 'return':
                    last = toks[j + 1][1] == '}' and depth == 1
                    if not last:
                        found.append(('jump', s, toks[j][3], ';'))
                elif t not in KEYWORDS and len(body) > 1:
                    second = body[1]
                    declared = second[0] == 'id' or \
                        (second[1] == '*' and len(body) > 2 and body[2][0] == 'id')
                    if not declared and (any(b[1] in ('=', '+=', '-=', '|=', '&=', '++', '--', '^=',
                                                      '<<=', '>>=') for b in body) or second[1] == '('
                                         or any(b[1] == '(' for b in body)):
                        found.append(('statement', s, toks[j][3], ';'))
        start = t in ('{', '}', ';', 'else', 'do') and paren == 0 or \
            (t == ':' and paren == 0) or (t == ')' and i in headers)
        if t in ('if', 'for', 'while', 'switch') and nxt[1] == '(' and i + 1 in match:
            headers.add(match[i + 1])
            if t in ('if', 'while') and inside:
                found.append(('negate', toks[i + 1][3], toks[match[i + 1]][2],
                              '!(' + text[toks[i + 1][3]:toks[match[i + 1]][2]] + ')'))
        if not (depth > 0):
            continue
        if kind == 'op' and operand:
            if t in RELATIONS:
                found += [('relation', s, e, r) for r in RELATIONS
                          if r != t and counted.get(i) != r and not same_order(toks, i, r, limits or {}, unsigned)]
            elif t in '+-':
                found.append(('arithmetic', s, e, '-' if t == '+' else '+'))
            elif t in ('+=', '-='):
                found.append(('arithmetic', s, e, '-=' if t == '+=' else '+='))
            elif t in ('++', '--'):
                found.append(('arithmetic', s, e, '--' if t == '++' else '++'))
            elif t in ('&&', '||'):
                found.append(('logic', s, e, '||' if t == '&&' else '&&'))
            elif t in '&|':
                found.append(('flag', s, e, '|' if t == '&' else '&'))
                if t == '|' and nxt[0] == 'id':
                    found.append(('flag', s, nxt[3], ''))
            elif t in ('|=', '&='):
                found.append(('flag', s, e, '&=' if t == '|=' else '|='))
            elif t in ('<<', '>>'):
                found.append(('flag', s, e, '>>' if t == '<<' else '<<'))
        elif kind == 'op' and t == '~':
            found.append(('flag', s, e, ''))
        elif kind == 'op' and t == '!' and nxt[1] != '=':
            found.append(('negate', s, e, ''))
        elif kind == 'num':
            digits, suffix = re.match(r'(.*?)([uUlL]*)$', t).groups()
            value = int(digits, 0 if digits[:2] in ('0x', '0X') else 10)
            form = '0x%x' if digits[:2] in ('0x', '0X') else '%d'
            for v in {value + 1, value - 1}:
                if v > value and is_room(toks, i, match):
                    continue
                if v >= 0 or not suffix:
                    found.append(('constant', s, e, form % v + suffix if v >= 0 else '(-1)'))
        elif kind == 'id' and t in ('true', 'false'):
            found.append(('truth', s, e, 'false' if t == 'true' else 'true'))
        elif kind == 'id':
            other = swap_side(t)
            if other and other != t and other in words:
                found.append(('side', s, e, other))
    return found
