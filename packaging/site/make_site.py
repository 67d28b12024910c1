#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Make the static site from what is in the tree.

usage: make_site.py RPCRDMA OUT MANUAL...

Pages are made from the Markdown of the tree, the register, the vectors, the manual (mandoc) and the headers
(Doxygen). They load nothing from elsewhere.
"""
import glob
import html
import json
import os
import re
import shutil
import subprocess
import sys

import markdown

HERE = os.path.dirname(os.path.abspath(__file__))
NAVIGATION = [('index.html', 'Overview'), ('finding.html', 'Read a finding'), ('rules.html', 'Rules'),
              ('vectors.html', 'Vectors'), ('parser.html', 'Your parser'), ('fuzz.html', 'Fuzzing'),
              ('live.html', 'Live peers'), ('conforms.html', 'Who conforms'),
              ('peers.html', 'Known peers'), ('manual.html', 'Manual'),
              ('api/index.html', 'C API'), ('glossary.html', 'Glossary')]
# Pages of the tree, and what links to them become.
DOCUMENTS = {'README.md': 'index.html', 'vectors/README.md': 'parser.html', 'fuzz/README.md': 'fuzz.html',
             'rxe-harness/README.md': 'live.html', 'conformance/BINDINGS.md': 'bindings.html',
             'spec/requirements/README.md': 'register.html', 'CHANGELOG.md': 'changelog.html', 'STABLE.md': 'stable.html',
             'conformance/matrix/README.md': 'conforms.html', 'python/README.md': 'python.html',
             'CONTRIBUTING.md': 'contributing.html', 'SECURITY.md': 'security.html'}


def page(out, name, title, body, script=None):
    up = '../' * name.count('/')
    links = ' '.join('<a href="%s%s">%s</a>' % (up, target, text) for target, text in NAVIGATION)
    text = ('<!doctype html>\n<html lang="en">\n<meta charset="utf-8">\n'
            '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
            '<title>%s - RPC-over-RDMA conformance kit</title>\n<link rel="stylesheet" href="%sstyle.css">\n'
            '<nav>%s</nav>\n<main>\n%s\n</main>\n%s</html>\n'
            % (html.escape(title), up, links, body, '<script src="%s%s"></script>\n' % (up, script) if script else ''))
    path = os.path.join(out, name)
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, 'w') as f:
        f.write(text)


def from_markdown(text):
    body = markdown.markdown(re.sub(r'^<!--.*?-->\n', '', text), extensions=['tables', 'fenced_code', 'toc'])
    return body.replace('<table>', '<div class="scroll"><table>').replace('</table>', '</table></div>')


def linked(body, known, folder=''):
    """Links to pages of the tree lead to those of the site; names of pages and of rules in code become links."""
    def to_page(match):
        return '<a href="%s' % DOCUMENTS.get(os.path.normpath(os.path.join(folder, match.group(1))), match.group(1))

    def link(match):
        text = html.unescape(match.group(1) or '')
        if text in DOCUMENTS and os.path.exists(text):
            return '<a href="%s"><code>%s</code></a>' % (DOCUMENTS[text], match.group(1))
        if text in known:
            return '<a href="rules.html#%s"><code>%s</code></a>' % (text, match.group(1))
        return match.group(0)
    body = re.sub(r'<a href="([^":#]+\.md)', to_page, body)
    return re.sub(r'<a .*?</a>|<code>([^<]*)</code>', link, body, flags=re.S)


def documents(out, known):
    for source, name in DOCUMENTS.items():
        if os.path.exists(source):
            with open(source) as f:
                text = f.read()
            page(out, name, re.search(r'^# (.*)', text, re.M).group(1), linked(from_markdown(text), known, os.path.dirname(source)))
    for source in ('finding', 'glossary'):
        with open(os.path.join(HERE, source + '.md')) as f:
            text = f.read()
        page(out, source + '.html', text.split('\n')[0][2:], linked(from_markdown(text), known))


def read_rules(rpcrdma):
    output = subprocess.run([rpcrdma, 'rules', '--json'], capture_output=True, text=True, check=True).stdout
    return [row for row in map(json.loads, output.splitlines()) if row.get('kind') == 'requirement']


def group_of(file):
    name = file.removesuffix('.json')
    return name.replace('/', '-') if name.startswith('v2-') else os.path.basename(name)


def test_link(test):
    name = test if isinstance(test, str) else '%s:%s' % (test.get('file', ''), test.get('test', test.get('id', '')))
    file, _, ident = name.partition(':')
    group = group_of(file)
    return '<a href="vectors/%s.html#%s">%s</a>' % (group, ident, ident)


def rules(out, rows):
    body = ['<h1>Rules</h1>', '<p>Every requirement of RFC 8166, RFC 8167, RFC 8267, RFC 8797 and two drafts of version 2, in our own words. '
            'How to read the columns: <a href="register.html">the register</a>.</p>',
            '<input type="search" placeholder="words, a section, a rule" aria-label="Search the rules">',
            '<p id="count" class="muted"></p>', '<table class="rules"><thead><tr><th>rule</th><th>severity</th>'
            '<th>of whom</th><th>what is required</th><th>vectors that break it</th></tr></thead><tbody>']
    for row in rows:
        body.append('<tr id="%s"><td><a href="%s">%s</a></td><td class="%s">%s</td><td>%s</td><td>%s</td><td>%s</td></tr>'
                    % (row['id'], row['address'], row['id'].replace('/', '/<wbr>'), row['severity'] or '',
                       row['severity'] or row['level'], row['role'], html.escape(row['text']),
                       ' '.join(test_link(t) for t in row['vectors'])))
    body.append('</tbody></table>')
    page(out, 'rules.html', 'Rules', '\n'.join(body), 'search.js')


def event_text(event):
    octets = event.get('send') or event.get('privateData') or ''
    what = 'Send' if 'send' in event else next((k for k in event if k not in ('from', 'expect')), 'event')
    expect = event.get('expect', {})
    findings = ''.join('<li class="%s"><a href="../rules.html#%s">%s</a> (%s)</li>'
                       % (f.get('severity', ''), f['rule'], f['rule'], f.get('severity', ''))
                       for f in expect.get('findings', []))
    return ('<li>%s from %s%s%s%s</li>' % (html.escape(what), event.get('from', '-'),
            '<pre class="wraps">%s</pre>' % octets if octets else '', '<ul>%s</ul>' % findings if findings else '',
            '<div class="muted">open to the receiver: %s</div>' % ', '.join(expect['reaction'])
            if expect.get('reaction') else ''))


def vectors(out, known):
    groups = []
    for path in sorted(glob.glob('vectors/*.json') + glob.glob('vectors/recorded/*.json')
                       + glob.glob('vectors/v2-*/*.json')):
        with open(path) as f:
            content = json.load(f)
        if content.get('schema') != 'rpcrdma-vectors-v1':
            continue
        group = group_of(os.path.relpath(path, 'vectors'))
        groups.append((group, content['title'], len(content['tests'])))
        body = ['<h1>%s</h1><p>File: <code>%s</code></p>' % (html.escape(content['title']), path)]
        for test in content['tests']:
            near = ', '.join('<a href="../rules.html#%s">%s</a>' % (r, r) for r in test.get('nearMiss', []))
            body.append('<h2 id="%s">%s</h2><p>%s</p>%s<ol>%s</ol>'
                        % (test['id'], test['id'], html.escape(test.get('comment', '')),
                           '<p class="muted">Comes near to breaking: %s</p>' % near if near else '',
                           ''.join(event_text(e) for e in test['events'][:40])))
        page(out, 'vectors/%s.html' % group, content['title'], '\n'.join(body))
    rows = ''.join('<tr><td><a href="vectors/%s.html">%s</a></td><td>%s</td><td>%d</td></tr>'
                   % (g, g, html.escape(t), n) for g, t, n in groups)
    page(out, 'vectors.html', 'Vectors', '<h1>Vectors</h1><p>How to run them on your parser: '
         '<a href="parser.html">Test vectors</a>.</p><div class="scroll"><table><tr><th>group</th><th>about</th>'
         '<th>tests</th></tr>%s</table></div>' % rows)


def manual(out, sources):
    """The pages of the manual, with their references to each other as links; the first is manual.html."""
    pages = {}
    for source in sources:
        name, section = os.path.basename(source).rsplit('.', 1)
        pages['%s(%s)' % (name, section)] = (source, '%s.html' % name if pages else 'manual.html')

    def link(match):
        return '<a class="Xr" href="%s">%s</a>' % (pages[match[1]][1], match[1]) if match[1] in pages else match[0]
    for title, (source, name) in pages.items():
        body = subprocess.run(['mandoc', '-Thtml', '-Ofragment', source], capture_output=True, text=True, check=True).stdout
        page(out, name, title, re.sub(r'<a class="Xr">([^<]+)</a>', link, body))


def peers(out, known):
    body = ['<h1>Known peers</h1><p>What <code>rpcrdma probe</code> and <code>rpcrdma serve</code> find in the NFS/RDMA '
            'server and client of Linux, by <code>make live</code>, and in the reference peers of this project: nothing. '
            'Each entry is an expected failure, with its reason above it. At the end are the lists of the captures in '
            '<code>vectors/recorded/</code>: what <code>rpcrdma check --known</code> expects of these peers, and of yours '
            'if they are the same, by their addresses or <code>*</code>.</p>']
    for path in sorted(glob.glob('rxe-harness/peers/*.known')) + sorted(glob.glob('vectors/recorded/*.known')):
        with open(path) as f:
            lines = f.read().strip()
        entries = [line for line in lines.split('\n') if line and not line.startswith('#')]
        body.append('<h2>%s</h2><p>%d expected failure%s</p><pre class="wraps">%s</pre>'
                    % (os.path.basename(path).removesuffix('.known'), len(entries), 's' if len(entries) != 1 else '',
                       html.escape(lines)))
    page(out, 'peers.html', 'Known peers', linked('\n'.join(body), known))


def api(out, generated):
    config = ['PROJECT_NAME="librpcrdma, librpcrdma-check"', 'OUTPUT_DIRECTORY=%s' % out, 'HTML_OUTPUT=api',
              'INPUT=codec/include conformance/include %s/rpcrdma' % generated, 'FILE_PATTERNS=*.h', 'RECURSIVE=YES',
              'EXTRACT_ALL=YES', 'OPTIMIZE_OUTPUT_FOR_C=YES', 'GENERATE_LATEX=NO', 'QUIET=YES', 'WARNINGS=NO',
              'JAVADOC_AUTOBRIEF=YES', 'MACRO_EXPANSION=YES', 'EXPAND_ONLY_PREDEF=YES', 'PREDEFINED=RPCRDMA_API=',
              'HAVE_DOT=NO', 'SEARCHENGINE=NO', 'DISABLE_INDEX=NO', 'GENERATE_TREEVIEW=NO', 'HTML_TIMESTAMP=NO',
              'FILTER_PATTERNS="*.h=sed s,^/[*],/**, "', 'STRIP_FROM_PATH=codec/include conformance/include']
    subprocess.run(['doxygen', '-'], input='\n'.join(config), text=True, check=True, capture_output=True)


def main():
    rpcrdma, out, *manual_pages = sys.argv[1:]
    shutil.rmtree(out, ignore_errors=True)
    os.makedirs(out)
    for name in ('style.css', 'search.js'):
        shutil.copy(os.path.join(HERE, name), out)
    rows = read_rules(rpcrdma)
    known = {row['id'] for row in rows}
    documents(out, known)
    rules(out, rows)
    vectors(out, known)
    manual(out, manual_pages)
    peers(out, known)
    subprocess.run([rpcrdma, 'matrix', '--html', os.path.join(out, 'matrix.html'), 'conformance/matrix'],
                   stdout=subprocess.DEVNULL, check=True)
    api(out, os.path.join(os.path.dirname(rpcrdma), 'gen'))
    print('%s: %d pages' % (out, sum(len(files) for _, _, files in os.walk(out))))


if __name__ == '__main__':
    main()
