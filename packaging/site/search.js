// SPDX-License-Identifier: BSD-3-Clause
// Shows the rows of the register in which every word of the search occurs; of what a command prints, the row of its rule,
// or those of the section that it leads to.
const printed = /\b(?:rfc\d+|rpcrdma2-\d+)\/[\w.]+\/[\w-]+/;
const section = /\b(?:(rfc\d+)|draft-\S+-version-two-(\d+))#(?:section|appendix)-([\w.]*\w)/;
function wanted(text) {
  const rule = printed.exec(text), place = section.exec(text);
  if (rule)
    return [rule[0]];
  if (place)
    return [`${place[1] || `rpcrdma2-${place[2]}`}/${place[3]}/`];
  return text.replace(/^\s*why:/, '').split(/\s+/).filter(Boolean);
}
const box = document.querySelector('input[type=search]');
const rows = [...document.querySelectorAll('tbody tr')].map(row => [row, row.textContent.toLowerCase()]);
const count = document.querySelector('#count');
function search() {
  const words = wanted(box.value.toLowerCase());
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
