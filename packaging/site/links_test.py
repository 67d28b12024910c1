#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
# run by: make site
"""Every link inside the site resolves, anchors included, nothing is loaded from elsewhere, and no command became prose.

usage: links_test.py SITE
"""
import html.parser
import os
import re
import sys
import urllib.parse


class Page(html.parser.HTMLParser):
    def __init__(self, path):
        super().__init__()
        self.links, self.anchors, self.loaded = [], set(), []
        with open(path, errors='replace') as f:
            text = f.read()
        self.feed(text)
        self.prose = re.findall(r'<p>(?:build/)?rpcrdma [a-z]+ -[^<]{0,60}', text)

    def handle_starttag(self, tag, attributes):
        a = dict(attributes)
        if 'id' in a:
            self.anchors.add(a['id'])
        if tag == 'a' and 'name' in a:
            self.anchors.add(a['name'])
        if tag == 'a' and a.get('href'):
            self.links.append(a['href'])
        for key in ('src', 'href'):
            if tag in ('script', 'img', 'link') and a.get(key):
                self.loaded.append(a[key])


def main():
    site, pages, bad = sys.argv[1], {}, []
    for folder, _, files in os.walk(site):
        for name in files:
            if name.endswith('.html'):
                path = os.path.normpath(os.path.join(folder, name))
                pages[path] = Page(path)
    checked = 0
    for path, page in sorted(pages.items()):
        bad += ['%s: no code: %s' % (path, command) for command in page.prose]
        for link in page.links + page.loaded:
            parts = urllib.parse.urlsplit(link)
            if parts.scheme or parts.netloc:
                if link in page.loaded:
                    bad.append('%s loads %s' % (path, link))
                continue
            checked += 1
            target = os.path.normpath(os.path.join(os.path.dirname(path), urllib.parse.unquote(parts.path))) \
                if parts.path else path
            anchor = urllib.parse.unquote(parts.fragment)
            if not os.path.exists(target):
                bad.append('%s: %s is not there' % (path, link))
            elif anchor and target in pages and anchor not in pages[target].anchors:
                bad.append('%s: %s has no such place' % (path, link))
    for line in bad[:40]:
        print('not ok: ' + line)
    print('%d passed, %d failed, 0 skipped' % (checked - len(bad), len(bad)))
    sys.exit(bool(bad))


if __name__ == '__main__':
    main()
