// SPDX-License-Identifier: BSD-3-Clause
// Shows the rows of the register in which every word of the search occurs; of what a command prints, the row of its rule.
const printed = /\b(?:rfc\d+|rpcrdma2-\d+)\/[\w.]+\/[\w-]+/;
const box = document.querySelector('input[type=search]');
const rows = [...document.querySelectorAll('tbody tr')].map(row => [row, row.textContent.toLowerCase()]);
const count = document.querySelector('#count');
function search() {
  const text = box.value.toLowerCase(), rule = printed.exec(text);
  const words = rule ? [rule[0]] : text.split(/\s+/).filter(Boolean);
  let shown = 0;
  for (const [row, text] of rows) {
    row.hidden = !words.every(word => text.includes(word));
    shown += !row.hidden;
  }
  count.textContent = `${shown} of ${rows.length} requirements`;
}
box.addEventListener('input', search);
box.value = new URLSearchParams(location.search).get('q') || '';
search();
