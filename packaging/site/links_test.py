#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
# run by: make site
"""Every link inside the site resolves, anchors included, nothing is loaded from elsewhere, and no command became prose.
Links to the RFC editor are to RFCs. The search finds a rule by each line that a command prints of it.

usage: links_test.py SITE
"""
import glob
import html
import html.parser
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import urllib.parse


# What is looked for, and the rule that is among those found, which are few.
SEARCHES = {
    'nfs.pcap:frame 179: violation: Position 5 is not a multiple of four [rfc8166/3.4.5/position-multiple-of-four]':
        'rfc8166/3.4.5/position-multiple-of-four',
    'rfc8166/4/xdr-encoded#XDR_E_COUNT': 'rfc8166/4/xdr-encoded',
    '    why: Every Position is divisible by four.': 'rfc8166/3.4.5/position-multiple-of-four',
    'see: https://www.rfc-editor.org/rfc/rfc8166#section-3.4.5': 'rfc8166/3.4.5/position-multiple-of-four',
    'see: https://datatracker.ietf.org/doc/html/draft-ietf-nfsv4-rpcrdma-version-two-07#section-4.5.1':
        'rpcrdma2-07/4.5.1/position-multiple-of-four',
    '3.4.5 divisible': 'rfc8166/3.4.5/position-multiple-of-four',
    '100%': None}
FEW = 20
AROUND = """<!DOCTYPE html><meta charset="utf-8"><pre id="said">nothing</pre><script>
const frame = document.createElement('iframe');
frame.src = '%s';
frame.onload = () => {
  const page = frame.contentDocument, box = page.querySelector('input[type=search]');
  document.getElementById('said').textContent = JSON.stringify(%s.map(text => {
    box.value = text;
    box.dispatchEvent(new Event('input'));
    return [...page.querySelectorAll('tbody tr:not([hidden])')].map(row => row.id);
  }));
};
document.body.append(frame);
</script>
"""


def searched(site):
    """For each text what the page of rules shows; None without a browser."""
    browser = shutil.which('chromium') or shutil.which('google-chrome')
    if browser is None:
        return None
    with tempfile.TemporaryDirectory() as folder:
        around = os.path.join(folder, 'around.html')
        with open(around, 'w') as f:
            f.write(AROUND % ('file://' + os.path.realpath(os.path.join(site, 'rules.html')), json.dumps(list(SEARCHES))))
        shown = subprocess.run([browser, '--headless', '--no-sandbox', '--disable-gpu', '--disable-background-networking',
                                '--allow-file-access-from-files', '--user-data-dir=' + folder + '/profile',
                                '--virtual-time-budget=8000', '--dump-dom', 'file://' + around],
                               capture_output=True, text=True, timeout=600, check=False).stdout
    said = re.search(r'<pre id="said">(.*?)</pre>', shown, re.S)
    try:
        return json.loads(html.unescape(said.group(1)))
    except (AttributeError, ValueError):
        return [[]] * len(SEARCHES)


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
                if re.match(r'https://www\.rfc-editor\.org/rfc/(?!rfc\d+\b)', link):
                    bad.append('%s: %s is no RFC' % (path, link))
                continue
            checked += 1
            target = os.path.normpath(os.path.join(os.path.dirname(path), urllib.parse.unquote(parts.path))) \
                if parts.path else path
            anchor = urllib.parse.unquote(parts.fragment)
            if not os.path.exists(target):
                bad.append('%s: %s is not there' % (path, link))
            elif anchor and target in pages and anchor not in pages[target].anchors:
                bad.append('%s: %s has no such place' % (path, link))
    with open(os.path.join(site, 'peers.html'), encoding='utf-8') as file:
        peers = file.read()
    for path in glob.glob('vectors/recorded/*.known'):  # what is known of a capture can be found
        checked += 1
        if '<h2>%s</h2>' % os.path.basename(path).removesuffix('.known') not in peers:
            bad.append('peers.html has no %s' % path)
    found = searched(site)
    for (text, rule), rows in zip(SEARCHES.items(), found or []):
        checked += 1
        if rule is None and rows or rule and (rule not in rows or len(rows) > FEW):
            bad.append('a search for %s shows %d rows: %s' % (text, len(rows), rows[:3]))
    for line in bad[:40]:
        print('not ok: ' + line)
    if found is None:
        print('skip: no Chromium')
    print('%d passed, %d failed, %d skipped' % (max(checked - len(bad), 0), len(bad), found is None))
    sys.exit(bool(bad))


if __name__ == '__main__':
    main()
