#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""A manual page of section 3 from a public header: its comments as text, its declarations as they are.

usage: man3.py HEADER LIBRARY VERSION
"""
import os
import re
import sys

LINE = re.compile(r'^\s*(#\s*(include|ifndef|endif|ifdef|else|if\b)|extern "C"|// SPDX)')


def roff(text):
    text = text.replace('\\', '\\e').replace('-', '\\-')
    return re.sub(r"^([.'])", r'\\&\1', text, flags=re.M)


def comment_text(comment):
    lines = [re.sub(r'^\s*\*? ?', '', line) for line in comment.strip()[2:-2].split('\n')]
    return '\n'.join(lines).strip('\n')


def paragraphs(text):
    """Text that is indented is a table or a list: it keeps its lines."""
    out = []
    for part in re.split(r'\n\s*\n', text):
        if re.search(r'^ {2,}\S', part, re.M):
            out.append('.PP\n.nf\n%s\n.fi' % roff(part))
        else:
            out.append('.PP\n' + roff(' '.join(part.split())))
    return out


def is_open(block):
    code = re.sub(r'/\*.*?\*/', '', block, flags=re.S)
    return code.count('{') > code.count('}')


def whole_blocks(text):
    """What empty lines separate, but for those between the braces of a declaration."""
    block = None
    for part in re.split(r'\n\s*?\n', text):
        block = part if block is None else block + '\n\n' + part
        if not is_open(block):
            yield block
            block = None
    if block is not None:
        yield block


def blocks(text):
    """The header as (comment, declaration) pairs; comments inside declarations stay there."""
    text = re.sub(r'\n#ifdef __cplusplus\n.*?#endif\n', '\n', text, flags=re.S)
    for block in whole_blocks(text):
        match = re.match(r'\s*(/\*.*?\*/)\s*(.*)', block, re.S)
        comment, declaration = match.groups() if match else ('', block)
        declaration = '\n'.join(line for line in declaration.split('\n') if not LINE.match(line)).strip('\n')
        yield comment, declaration.replace('RPCRDMA_API ', '')


def main():
    header, library, version = sys.argv[1:]
    with open(header) as f:
        text = f.read()
    name = os.path.splitext(os.path.basename(header))[0]
    guard = re.search(r'#ifndef (\w+_H_?)\n#define \1\n', text)
    first = re.search(r'/\*(.*?)\*/', text, re.S)
    summary = comment_text(first.group(0)).split('\n\n')[0].replace('\n', ' ').split('. ')[0].rstrip('.')
    print('.\\" SPDX-License-Identifier: BSD-3-Clause')
    print('.TH RPCRDMA_%s 3 "2026-11-21" "rpcrdma %s" "RPC-over-RDMA"' % (name.upper(), version))
    print('.SH NAME\nrpcrdma_%s \\- %s' % (name, roff(summary)))
    lines = []
    print('.SH LIBRARY\n%s (\\-l%s)' % (roff(library), roff(library[3:])))
    print('.SH SYNOPSIS\n.nf\n#include <rpcrdma/%s.h>\n.fi\n.SH DESCRIPTION' % name)
    rest = text[guard.end():] if guard else text
    for part in paragraphs(comment_text(first.group(0))) if first.start() < (guard.start() if guard else 0) else []:
        lines.append(part)
    for comment, declaration in blocks(rest):
        for part in paragraphs(comment_text(comment)) if comment else []:
            lines.append(part)
        if declaration and not re.match(r'^(#define %s)?$' % (guard.group(1) if guard else '-'), declaration):
            lines.append('.PP\n.nf\n%s\n.fi' % roff(declaration))
    print('\n'.join(lines).removeprefix('.PP\n'))
    print('.SH SEE ALSO\n.BR rpcrdma (1),\nRFC 8166')


if __name__ == '__main__':
    main()
