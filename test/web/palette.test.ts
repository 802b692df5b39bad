import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { fuzzyMatch } from '../../web/palette/fuzzy.ts';
import { type Command, isNamed, rank } from '../../web/palette/rank.ts';

/** The label with its matched parts in brackets; undefined if the text is not in it. */
function marked(label: string, text: string): string | undefined {
  const match = fuzzyMatch(label, text);
  if (match === undefined) return undefined;
  let end = 0;
  const parts = match.marks.map(([start, next]) => {
    const part = `${label.slice(end, start)}[${label.slice(start, next)}]`;
    end = next;
    return part;
  });
  return parts.join('') + label.slice(end);
}

const command = (label: string, more: Partial<Command> = {}): Command => ({
  id: label,
  group: 'Pages',
  label,
  run: () => {},
  ...more,
});
const labels = (commands: readonly Command[]): string[] => commands.map(({ label }) => label);
const ranked = (candidates: readonly string[], text: string): string[] =>
  labels(
    rank(
      candidates.map((label) => command(label)),
      [],
      text,
    ),
  );

describe('a text in a label', () => {
  const cases: [label: string, text: string, marked: string | undefined][] = [
    ['Products', 'prod', '[Prod]ucts'],
    ['Shop settings', 'set', 'Shop [set]tings'],
    ['API keys', 'KEYS', 'API [keys]'],
    ['Café Zürich', 'cafe zur', '[Café Zür]ich'],
    ['Zürich Café', 'cafe zur', '[Zür]ich [Café]'],
    // The beginnings of several words.
    ['API keys', 'apk', '[AP]I [k]eys'],
    ['Two-factor authentication', 'tfau', '[T]wo-[f]actor [au]thentication'],
    ['listProducts', 'lp', '[l]ist[P]roducts'],
    ['Show products with low stock', 'spl', '[S]how [p]roducts with [l]ow stock'],
    ['Clay pot', 'cla po', '[Cla]y [po]t'],
    // Hyphens and spaces are the same.
    ['Two-factor authentication', 'two fac', '[Two-fac]tor authentication'],
    ['Clay pot', 'clay-pot', '[Clay pot]'],
    ['Sales', '+', undefined],
    // Within a word, and with letters left out.
    ['Webhooks', 'hook', 'Web[hook]s'],
    ['Campaigns', 'cmpaign', '[C]a[mpaign]s'],
    ['Settings', 'stngs', '[S]e[t]ti[ngs]'],
    // Words in any order, each with a place.
    ['Use dark theme', 'theme dark', 'Use [dark] [theme]'],
    ['Use dark theme', 'theme bright', undefined],
    ['Sales', 'x', undefined],
    // One letter is only sought where words begin.
    ['Sales', 'e', undefined],
    ['Campaigns', 'cgp', undefined],
    ['Orders', '  ', 'Orders'],
    ['Order 12', 'order 12', '[Order 12]'],
    ['İstanbul', 'ist', '[İst]anbul'],
  ];
  for (const [label, text, expected] of cases) {
    it(`“${text}” in “${label}” is ${expected ?? 'not found'}`, () => {
      assert.equal(marked(label, text), expected);
    });
  }

  it('is found in no time, however often its letters are repeated', () => {
    const start = performance.now();
    assert.equal(fuzzyMatch('a '.repeat(200), `${'a'.repeat(59)}b`), undefined);
    assert.ok(performance.now() - start < 500);
  });
});

describe('commands', () => {
  it('that begin with the text come before others, and shorter ones before longer ones', () => {
    assert.deepEqual(
      ranked(
        ['Show sold-out products', 'Sales', 'Add product', 'Products', 'Product reference guide'],
        'product',
      ),
      ['Products', 'Product reference guide', 'Add product', 'Show sold-out products'],
    );
    assert.deepEqual(ranked(['API requests', 'API keys'], 'api k'), ['API keys']);
  });

  it('of the same rank keep their order', () => {
    assert.deepEqual(ranked(['Use light theme', 'Use dark theme', 'Use system theme'], 'theme'), [
      'Use light theme',
      'Use dark theme',
      'Use system theme',
    ]);
  });

  it('are found by other words for them, which count less than labels', () => {
    const found = rank(
      [command('API reference', { alias: 'Docs documentation' }), command('Docs of the shop')],
      [],
      'docs',
    );
    assert.deepEqual(labels(found), ['Docs of the shop', 'API reference']);
    assert.deepEqual(found[1]?.marks, []);
  });

  it('that the text names come before what the server finds, and what only resembles it comes after', () => {
    const server = [command('Ordnance survey map', { group: 'Products' })];
    const found = rank([command('Orders'), command('Show records', { group: 'Actions' })], server, 'ord');
    assert.deepEqual(labels(found), ['Orders', 'Ordnance survey map', 'Show records']);
    assert.deepEqual(found.map(isNamed), [true, false, false]);
  });

  it('come after the order that a number finds, and Enter waits for it', () => {
    const ofAccount = command('Two-factor authentication', { group: 'Settings', alias: '2FA' });
    const order = command('Order 2', { group: 'Orders' });
    assert.deepEqual(rank([ofAccount], [], '2').map(isNamed), [false]);
    const found = rank([ofAccount, command('2 for 1', { group: 'Views' })], [order], '2');
    assert.deepEqual(labels(found), ['Order 2', '2 for 1', 'Two-factor authentication']);
  });

  it('of one group are together, and of a large group only the best are listed', () => {
    const calls = Array.from({ length: 30 }, (_, index) =>
      command(`Order call ${index}`, { group: 'API reference', isOneOfMany: true }),
    );
    const found = rank(
      [...calls, command('Orders'), command('Ship orders', { group: 'Actions' }), command('Order')],
      [],
      'order',
    );
    assert.deepEqual(labels(found).slice(0, 3), ['Order', 'Orders', 'Ship orders']);
    assert.equal(found.length, 3 + 8);
  });

  it('are all listed without a text', () => {
    assert.deepEqual(ranked(['Sales', 'Orders'], ''), ['Sales', 'Orders']);
  });
});
