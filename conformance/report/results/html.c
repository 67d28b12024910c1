// SPDX-License-Identifier: BSD-3-Clause
/* What every HTML report shares. */
#include "conformance/report/results/html.h"

#include "conformance/base/register.h"

#include <inttypes.h>
#include <stdbool.h>
#include <string.h>

#define WORDS_SHOWN 64 /* at the beginning */
#define WORDS_AROUND 8 /* of the mark */

const char html_style[] =
    ":root{color-scheme:light dark;--text:#1c2330;--dim:#5b6473;--page:#fff;--panel:#f4f6f9;"
    "--line:#d5dae2;--link:#0b57b0;--mark:#ffd54d;--mark-text:#1c2330;"
    "--good:#1a7f4b;--none:#6b7482;--remark:#0b6b8a;--warning:#9a5b00;--bad:#b3261e;"
    "--broken:#7b1fa2}\n"
    "@media(prefers-color-scheme:dark){:root{--text:#e4e8ef;--dim:#9aa4b2;--page:#12161d;"
    "--panel:#1b212b;--line:#333c4a;--link:#8ab8ff;--mark:#e0b000;--mark-text:#12161d;"
    "--good:#5fcf93;--none:#98a1ae;--remark:#63c3e0;--warning:#f0b35a;--bad:#ff8a80;"
    "--broken:#d7a3f0}}\n"
    "*{box-sizing:border-box}\n"
    "body{margin:0 auto;max-width:72rem;padding:1rem;color:var(--text);background:var(--page);"
    "font:1rem/1.5 system-ui,sans-serif;overflow-wrap:break-word}\n"
    "h1{font-size:1.5rem;margin:.5rem 0}h2{font-size:1.2rem;margin:2rem 0 .5rem}"
    "h3{font-size:1rem;margin:1.5rem 0 .25rem}p{margin:.25rem 0}a{color:var(--link)}\n"
    "code,.octets{font-family:ui-monospace,monospace;font-size:.875rem}\n"
    ".dim{color:var(--dim)}.wide{overflow-x:auto}\n"
    "table{border-collapse:collapse;font-size:.9375rem;overflow-wrap:normal}"
    "td.text,th.peer{overflow-wrap:anywhere;min-width:7rem}.sums{display:flex;flex-wrap:wrap;gap:0 "
    "3rem}.sums>div{max-width:100%;overflow-x:auto}"
    "th,td{border-bottom:1px solid var(--line);padding:.25rem .6rem;text-align:left;"
    "vertical-align:top}\n"
    "td.count,th.count{text-align:right;font-variant-numeric:tabular-nums}"
    "th{font-weight:600}thead th{border-bottom:2px solid var(--line)}\n"
    "tr.section th{background:var(--panel)}td.cell{white-space:nowrap}"
    "td.rule{min-width:14rem}td.part{min-width:7.5rem}pre.lines{white-space:pre-wrap;overflow-wrap:"
    "anywhere;margin:.5rem 0}"
    ".again{visibility:hidden}\n"
    ".grade{font-weight:600;white-space:nowrap}"
    ".good{color:var(--good)}.none{color:var(--none)}.remark{color:var(--remark)}"
    ".warning{color:var(--warning)}.bad{color:var(--bad)}.broken{color:var(--broken)}\n"
    "details{border:1px solid var(--line);border-radius:.4rem;margin:.4rem 0;"
    "padding:.3rem .7rem}summary{cursor:pointer}details[open]>summary{margin-bottom:.4rem}\n"
    ".octets{background:var(--panel);border-radius:.3rem;padding:.5rem .7rem;margin:.4rem 0;"
    "word-spacing:.25rem;overflow-wrap:normal}\n"
    ".ladder{display:block;width:100%;max-width:46rem;min-width:27rem;font-size:12px;"
    "fill:var(--text)}.ladder .dim{fill:var(--dim)}.ladder path{fill:none;stroke:var(--dim)}"
    ".ladder .memory{stroke-width:3}.ladder .other{stroke-dasharray:4 4}"
    ".ladder .tip{fill:var(--dim);stroke:none}.ladder g{fill:currentColor}"
    ".ladder g path{stroke:currentColor}.ladder g .tip{fill:currentColor}"
    ".ladder .rule{font-weight:600}.ladder .marked{fill:var(--panel)}"
    ".ladder .offered{fill:var(--panel);stroke:var(--dim)}.ladder .moved{fill:var(--good)}"
    ".ladder .partly{fill:var(--good);opacity:.45}"
    ".ladder .twice{fill:var(--bad)}\n"
    "mark{background:var(--mark);color:var(--mark-text);padding:0 .15rem;border-radius:.15rem}\n"
    "@media(max-width:40rem){body{padding:.6rem}table{font-size:.85rem}th,td{padding:.2rem .3rem}"
    "td.rule{min-width:9rem}td.text,th.peer{min-width:4.5rem}}\n"
    "@media(min-width:40rem){td.place{white-space:nowrap}}\n"
    "@media(max-width:60rem){.cards thead,.cards .none{display:none}.cards tr{"
    "display:flex;flex-wrap:wrap;gap:.1rem 1.2rem;border-bottom:1px solid var(--line);"
    "padding:.4rem 0}.cards th,.cards td{border:0;padding:0}.cards th.peer{width:100%}"
    ".cards td[data-of]:before{content:attr(data-of) ' ';color:var(--dim)}.cards "
    ".again{visibility:visible}}\n"
    "@media print{:root{color-scheme:light;--text:#000;--dim:#444;--page:#fff;--panel:#f2f2f2;"
    "--line:#bbb;--link:#000;--good:#1a7f4b;--none:#555;--remark:#0b6b8a;--warning:#9a5b00;"
    "--bad:#b3261e;--broken:#7b1fa2;--mark:#ffd54d;--mark-text:#000}html{font-size:9pt}body{max-"
    "width:none;"
    "padding:0}h2,h3,h3+p,tr.section{break-after:avoid}details,svg,tr{break-inside:avoid}"
    ".wide{overflow:visible}}\n";

const char html_script[] =
    "addEventListener('beforeprint',function(){document.querySelectorAll('details')."
    "forEach(function(d){d.open=true})});\n";

void html_text(FILE *out, const char *text)
{
    for (; *text != '\0'; text++) {
        switch (*text) {
        case '&':
            fputs("&amp;", out);
            break;
        case '<':
            fputs("&lt;", out);
            break;
        case '>':
            fputs("&gt;", out);
            break;
        case '"':
            fputs("&quot;", out);
            break;
        case '\'':
            fputs("&#39;", out);
            break;
        default:
            putc((unsigned char)*text < 0x20 || *text == 0x7f ? '?' : *text, out);
        }
    }
}

void html_name(FILE *out, const char *name)
{
    for (; *name != '\0'; name++) {
        html_text(out, (char[]){*name, '\0'});
        fputs(strchr("/#+", *name) ? "<wbr/>" : "", out);
    }
}

void html_page_link(FILE *out, const char *id)
{
    char page[REGISTER_PAGE];
    if (!register_page(id, page))
        return;
    fputs("<a href=\"", out);
    html_text(out, page);
    fputs("\">rule</a>, ", out);
}

void html_lines(FILE *out, const char *text)
{
    for (; *text != '\0'; text++)
        if (*text == '\n')
            putc('\n', out);
        else
            html_text(out, (char[]){*text, '\0'});
}

static bool is_shown(size_t word, size_t count, int64_t marked)
{
    int64_t distance = (int64_t)word - marked;
    return word < WORDS_SHOWN || word + 1 == count ||
           (marked >= 0 && distance >= -WORDS_AROUND && distance <= WORDS_AROUND);
}

void html_octets(FILE *out, const uint8_t *octets, size_t length, int64_t mark)
{
    size_t count = length / 4 + (length % 4 != 0), left_out = 0;
    int64_t marked = mark < 0 ? -1 : mark >= (int64_t)length ? (int64_t)count : mark / 4;
    fputs("<div class=octets>", out);
    for (size_t word = 0; word < count; word++) {
        if (!is_shown(word, count, marked)) {
            left_out += 4;
            continue;
        }
        if (left_out > 0)
            fprintf(out, "<span class=dim>&hellip;%zu&nbsp;octets&hellip;</span> ", left_out);
        left_out = 0;
        fputs((int64_t)word == marked ? "<mark>" : "", out);
        for (size_t i = word * 4; i < length && i < word * 4 + 4; i++)
            fprintf(out, "%02x", (unsigned)octets[i]);
        fputs((int64_t)word == marked ? "</mark> " : " ", out);
    }
    if (marked == (int64_t)count)
        fputs("<mark>end</mark>", out);
    else if (count == 0)
        fputs("<span class=dim>no octets</span>", out);
    fputs("</div>\n", out);
}
