import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { htmlToText } from '../../src/products/files/html-text.ts';
import { fc } from '../support/seed.ts';

const MANY = 300_000;

/** The minimum of three runs, in milliseconds, to exclude the effect of other processes. */
function cpuOf(html: string): number {
  const times = [1, 2, 3].map(() => {
    const before = process.cpuUsage();
    htmlToText(html);
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1000;
  });
  return Math.min(...times);
}

/** 4 times the length takes less than 10 times as long. Quadratic work would take 16 times as long. */
function assertLinear(htmlOf: (length: number) => string): void {
  const [quarter, whole] = [cpuOf(htmlOf(MANY / 4)), cpuOf(htmlOf(MANY))];
  assert.ok(whole < 10 * Math.max(quarter, 20), `${quarter} ms, then ${whole} ms for 4 times as much`);
}

const filled = (unit: string, length: number): string =>
  unit.repeat(Math.ceil(length / unit.length)).slice(0, length);

describe('htmlToText', () => {
  const cases: [string, string, string][] = [
    ['paragraphs', '<p>One <b>two</b></p><p>three</p>', 'One two\n\nthree'],
    ['headings', 'a<h2>Size &amp; fit</h2><h5>b</h5>c', 'a\n\nSize & fit\n\nb\n\nc'],
    ['empty paragraphs', 'a<p></p><p>&nbsp;</p>b', 'a\n\nb'],
    ['line breaks', 'a<br>b<br/><br>c<br></p>d', 'a\nb\n\nc\n\nd'],
    ['divisions', '<div>a<div> b </div></div>c', 'a\nb\nc'],
    ['spaces', ' a <b> b</b><i>c </i>\n d<p> e', 'a bc d\n\ne'],
    ['no-break spaces between elements', '<b>a</b>&nbsp;<b>b</b>', 'a b'],
    ['lists', '<ul><li>a<li>b<ul><li>c</li></ul></ul>d', '- a\n- b\n  - c\n\nd'],
    ['lists in lists without an item', '<ul><li>a</li><ul><li>b</li></ul></ul>', '- a\n  - b'],
    ['paragraphs and line breaks in items', '<ul><li><p>a<br>b</p><li>c<p>d</ul>', '- a\n  b\n\n- c\n\n  d'],
    ['items without a list', '<li>a<li>b', '- a\n- b'],
    ['numbers', 'a<ol start="9"><li>a<li>b</ol>', 'a\n\n 9. a\n 10. b'],
    ['a list with an invalid start', 'a<ol start="x"><li>a</ol>', 'a\n\n 1. a'],
    ['quotations', '<blockquote>a<br><br>b</blockquote>c', 'a\n\nb\n\nc'],
    ['tables', '<table><tr><th>a<td>b</td><td>c<tr><td>d</table>', 'a b c\nd'],
    ['preformatted text', '<p>x<pre> a\n  b <b>\n</b>c</pre> d  e', 'x\n\n a\n  b\nc\n\nd e'],
    ['rules', 'a<hr>b', 'a\n\nb'],
    ['links and pictures', '<a href="/x">text</a><img alt="no">', 'text'],
    ['scripts and styles', 'a<script>"<b>"</script><style>b{}</style>c', 'ac'],
    ['comments and CDATA', 'a<!-- <b> --><![CDATA[ b ]]><!doctype html>c', 'ac'],
    ['a whole document', '<head><title>t</title></head><body>b</body>', 'b'],
    ['entities', '&lt;&#66;&#x43;&eacute;&nbsp;&copy', '<BCé\u00a0©'],
    ['no entities', 'R&D &nix; &', 'R&D &nix; &'],
    ['attributes with brackets', '<p title="a > b" x=\'</p>\'>c', 'c'],
    ['closing tags without an element', 'a</b></div></p></br>b', 'a\n\nb'],
    ['SVG', 'a<svg><path/><title/><g>b</g></svg>c', 'abc'],
    ['less-than signs', '1 < 2 <3', '1 < 2 <3'],
    ['a tag without an end', 'a<p class="', 'a'],
    ['nothing', '', ''],
  ];
  for (const [name, html, text] of cases) {
    it(`writes ${name}`, () => assert.equal(htmlToText(html), text));
  }

  const worst: [string, (length: number) => string][] = [
    ['nesting and unmatched closing tags', (n) => filled('<x>', n * 0.57) + filled('</u>', n * 0.43)],
    ['nesting that is closed', (n) => filled('<div>', n / 2) + filled('</div>', n / 2)],
    ['nested lists', (n) => filled('<ul><li>a', n)],
    ['lines in nested lists', (n) => '<ol start=9999999><li>'.repeat(1000) + filled('<br>a', n)],
    ['lines in nested quotations', (n) => '<blockquote>'.repeat(1000) + filled('<br>a', n)],
    ['nested tables', (n) => filled('<table><tr><td>a', n)],
    ['list items', (n) => `<ol type="i">${filled('<li>', n)}`],
    ['attributes', (n) => `<ol ${Array.from({ length: n / 8 }, (_, i) => `a${i}=1`).join(' ')}>`],
    ['a long attribute', (n) => `<ol start="${filled('1&amp;', n)}">`],
    ['tags without an end', (n) => filled('<a ', n)],
    ['less-than signs', (n) => filled('<', n)],
    ['comments without an end', (n) => filled('<!--', n)],
    ['ampersands', (n) => filled('&', n)],
    ['entities without an end', (n) => filled('&CounterClockwiseContourIntegra', n)],
    ['digits of an entity', (n) => `&#${filled('1', n)}`],
    ['a script without an end', (n) => `<script>${filled('</scrip', n)}`],
    ['line breaks', (n) => `<blockquote><pre>${filled('\n', n)}x`],
    ['spaces', (n) => `${filled(' ', n)}x`],
    ['no-break spaces', (n) => `${filled('\u00a0', n)}x`],
    ['rules', (n) => filled('<hr>', n)],
    ['a long word', (n) => filled('x', n)],
  ];
  for (const [name, htmlOf] of worst) {
    it(`takes linear time for ${name}`, () => assertLinear(htmlOf));
  }

  it('takes linear time and memory for any repeated pieces', () => {
    const piece = fc.oneof(
      fc
        .constantFrom('p', 'div', 'x', 'ul', 'ol', 'li', 'blockquote', 'td', 'pre', 'svg', 'body')
        .map((tag) => `<${tag}>`),
      fc.constantFrom('p', 'div', 'x', 'ul', 'li', 'blockquote', 'table', 'u').map((tag) => `</${tag}>`),
      fc.constantFrom(
        'a',
        ' ',
        '\n',
        '&',
        '&amp;',
        '<',
        '<!--',
        '-->',
        '<br>',
        '<hr>',
        '"',
        "'",
        '=',
        '/',
        '>',
      ),
    );
    const pieces = fc.array(piece, { minLength: 1, maxLength: 5 }).map((some) => some.join(''));
    fc.assert(
      fc.property(fc.string({ maxLength: 3 }), pieces, pieces, (start, first, second) => {
        const htmlOf = (length: number): string =>
          start + filled(first, length / 2) + filled(second, length / 2);
        assertLinear(htmlOf);
        const text = htmlToText(htmlOf(10_000));
        assert.ok(text.length < 20 * 10_000, `${text.length} characters`);
      }),
      { numRuns: 15 },
    );
  });
});
