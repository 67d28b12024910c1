#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""The points of a C source at which a mutation changes one thing: see mutation.py."""
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


def points(text, words):
    """All (class, start, end, replacement)s of a source."""
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
                found += [('relation', s, e, r) for r in RELATIONS if r != t]
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
                if v >= 0 or not suffix:
                    found.append(('constant', s, e, form % v + suffix if v >= 0 else '(-1)'))
        elif kind == 'id' and t in ('true', 'false'):
            found.append(('truth', s, e, 'false' if t == 'true' else 'true'))
        elif kind == 'id':
            other = swap_side(t)
            if other and other != t and other in words:
                found.append(('side', s, e, other))
    return found
