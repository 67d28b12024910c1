#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# once: "$BUILD/rpcrdma" "$BUILD/testees"
# The page of `rpcrdma vectors --html` in a browser: it fits a phone, asks nothing of the network,
# its links lead somewhere, and it is light or dark as its reader likes.
#
# usage: page_test.sh PATH_TO_RPCRDMA FOLDER_OF_TESTEES
set -u

[ $# -eq 2 ] || { echo "usage: $0 PATH_TO_RPCRDMA FOLDER_OF_TESTEES" >&2; exit 2; }
vectors=$(dirname "$0")/..
chromium=$(command -v chromium || command -v chromium-browser || command -v google-chrome)
if [ -z "$chromium" ]; then
    echo 'skip: no Chromium'
    echo '0 passed, 0 failed, 1 skipped'
    exit 0
fi
dir=$(mktemp -d) || exit 1
trap 'rm -rf "$dir"' EXIT
passed=0 failed=0

"$1" vectors --testee "$2/libtirpc" --name 'rpcgen on libtirpc' --json "$dir/a" "$vectors" >/dev/null
"$1" vectors --testee "$2/librpcrdma" --name librpcrdma --json "$dir/b" "$vectors" >/dev/null
"$1" vectors --merge --html "$dir/page.html" "$dir/a" "$dir/b"

# What takes long is to lay out thousands of rows for paper: a page of fewer is printed.
"$1" vectors --testee "$2/libtirpc" --html "$dir/small.html" "$vectors/header-xdr.json" >/dev/null

# A page around the page: shows it as wide as asked, and says what it finds.
cat >"$dir/around.html" <<'END'
<!DOCTYPE html><meta charset="utf-8"><pre id="said">nothing</pre><script>
const width = Number(location.hash.slice(1)), frame = document.createElement('iframe');
frame.style.width = width + 'px';
frame.style.height = '800px';
frame.src = 'page.html';
frame.onload = () => {
    const page = frame.contentDocument, view = frame.contentWindow;
    const links = [...page.querySelectorAll('a[href^="#"]')];
    const dead = links.filter(a => !page.getElementById(decodeURIComponent(a.hash.slice(1))));
    const marks = page.querySelectorAll('mark').length;
    let broken = 0; // words of rules that go on in the next line
    const range = page.createRange(), causes = page.querySelectorAll('h3 + .wide td:nth-child(4)');
    for (const text of [...causes].flatMap(cause => [...cause.childNodes]))
        for (const word of (text.data || '').matchAll(/[^\s-]+-?/g)) {
            range.setStart(text, word.index);
            range.setEnd(text, word.index + word[0].length);
            broken += range.getClientRects().length > 1;
        }
    const color = view.getComputedStyle(page.body).backgroundColor;
    document.getElementById('said').textContent =
        `wide=${page.documentElement.scrollWidth <= width ? 'fits' : page.documentElement.scrollWidth}` +
        ` fetched=${view.performance.getEntriesByType('resource').length}` +
        ` links=${links.length > 20 ? 'many' : links.length} dead=${dead.length}` +
        ` marks=${marks > 5 ? 'many' : marks} titled=${page.title !== ''}` +
        ` broken=${causes.length > 5 ? broken : 'no cause'}` +
        ` tables=${page.querySelectorAll('table').length > 3} back=${color}`;
};
document.body.append(frame);
</script>
END

# Nothing is asked of the network; the time limits only end a browser that hangs.
quiet='--disable-quic --no-first-run --disable-background-networking --disable-component-update --disable-sync'

# look WIDTH SCHEME: what the page around it says; 0 is dark, 1 light
look() {
    # shellcheck disable=SC2086 # options
    timeout 600 "$chromium" --headless --no-sandbox --disable-gpu $quiet --allow-file-access-from-files \
        --user-data-dir="$dir/profile" --blink-settings=preferredColorScheme="$2" \
        --window-size=1300,1000 --virtual-time-budget=8000 --dump-dom \
        "file://$dir/around.html#$1" 2>/dev/null |
        sed -n 's/.*<pre id="said">\([^<]*\)<.*/\1/p'
}
verdict() { # GOOD? WHAT
    if [ "$1" = yes ]; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "FAILED: $2"
    fi
}
wanted='wide=fits fetched=0 links=many dead=0 marks=many titled=true broken=0 tables=true'
for width in 360 768 1200; do
    light=$(look "$width" 1)
    case $light in "$wanted "*) verdict yes ;; *) verdict no "at $width: $light" ;; esac
done
dark=$(look 1200 0)
case $dark in "$wanted "*) verdict yes ;; *) verdict no "dark: $dark" ;; esac
[ "${light##*back=}" != "${dark##*back=}" ] && [ -n "$dark" ] && good=yes || good=no
verdict "$good" "light and dark have the same background: ${light##*back=}"
# shellcheck disable=SC2086 # options
timeout 600 "$chromium" --headless --no-sandbox --disable-gpu $quiet --user-data-dir="$dir/profile" \
    --print-to-pdf="$dir/page.pdf" "file://$dir/small.html" 2>/dev/null
[ -s "$dir/page.pdf" ] && good=yes || good=no
verdict "$good" 'it cannot be printed'
echo "$passed passed, $failed failed, 0 skipped"
[ "$failed" -eq 0 ]
