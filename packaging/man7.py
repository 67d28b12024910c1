#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""The manual page of the vectors' format, from their JSON schema: its descriptions are the text.

usage: man7.py SCHEMA VERSION
"""
import json
import sys

HEAD = r'''.\" SPDX-License-Identifier: BSD-3-Clause
.TH RPCRDMA-VECTORS 7 "2026-11-21" "rpcrdma %s" "RPC-over-RDMA"
.SH NAME
rpcrdma-vectors \- format of the files of test vectors'''
TAIL = r'''.SH SEE ALSO
.BR rpcrdma (1),
.BR rpcrdma-testee (7)'''


def roff(text):
    text = text.replace('\\', '\\e').replace('-', '\\-')
    return '\\&' + text if text[:1] in ".'" else text


def name_of(reference):
    return reference['$ref'].rsplit('/', 1)[1]


def shape(schema):
    """What a value is, in a few words."""
    if '$ref' in schema:
        return name_of(schema)
    if 'enum' in schema:
        return 'one of: ' + ', '.join(str(word) for word in schema['enum'])
    if 'const' in schema:
        return json.dumps(schema['const'])
    if schema.get('type') == 'array':
        return 'array of ' + (shape(schema['items']) if 'items' in schema else 'values')
    words = schema.get('type', 'value')
    if schema.get('additionalProperties') and 'properties' not in schema:
        words += ' whose values are: ' + shape(schema['additionalProperties'])
    if 'minimum' in schema:
        words += ', at least %d' % schema['minimum']
    if 'pattern' in schema:
        words += ' matching ' + schema['pattern']
    if 'default' in schema:
        words += ', default %s' % json.dumps(schema['default'])
    return words


def members(schema, depth):
    """The members of an object, and those of the objects in it, as nested tagged paragraphs."""
    for name, member in schema.get('properties', {}).items():
        required = '; required' if name in schema.get('required', []) else ''
        print('.TP\n.B %s\n(%s%s)' % (roff(name), roff(shape(member)), required))
        if 'description' in member:
            print(roff(member['description']))
        inner = member
        for key in ('additionalProperties', 'items'):
            if isinstance(inner.get(key), dict) and 'properties' in inner[key]:
                inner = inner[key]
        if 'properties' in inner and depth < 4:
            print('.RS')
            members(inner, depth + 1)
            print('.RE')


def main():
    path, version = sys.argv[1:]
    with open(path, encoding='utf-8') as f:
        schema = json.load(f)
    print(HEAD % version)
    print('.SH DESCRIPTION\n' + roff(schema['description']))
    print('The file is JSON; its schema is installed beside the vectors as vector.schema.json.')
    members(schema, 0)
    for name, part in schema['$defs'].items():
        print('.SH %s' % roff(name.upper()))
        print(roff(part.get('description', '')) or '.PP')
        if 'properties' not in part:
            print('(%s)' % roff(shape(part)))
        if 'oneOf' in part:
            words = [', '.join(one['required']) for one in part['oneOf']]
            print('Exactly one of: %s.' % roff(', '.join(words)))
        members(part, 0)
    print(TAIL)


if __name__ == '__main__':
    main()
