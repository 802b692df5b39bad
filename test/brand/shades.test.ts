import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { contrast, mix } from '../../src/brand/contrast.ts';
import { shadesOf, themes } from '../../src/brand/shades.ts';
import { changedShades, colorStylesheet } from '../../src/brand/stylesheet.ts';

const color = fc.integer({ min: 0, max: 0xffffff }).map((value) => `#${value.toString(16).padStart(6, '0')}`);
const extremes = ['#000000', '#ffffff', '#ffff00', '#0000ff', '#00ff00', '#808080', '#777777', '#f3f6f6'];
const css = readFileSync(join(import.meta.dirname, '../../web/theme/base.css'), 'utf8');

describe('the color of a brand', () => {
  it('contrasts as WCAG defines it', () => {
    assert.equal(contrast('#ffffff', '#000000'), 21);
    assert.equal(contrast('#000000', '#000000'), 1);
    assert.equal(contrast('#777777', '#ffffff').toFixed(2), '4.48');
    assert.equal(contrast('#0000ff', '#ffffff').toFixed(2), '8.59');
    assert.equal(mix('#000000', '#ffffff', 0.5), '#808080');
  });

  it('meets the backgrounds of the pages', () => {
    const [light = '', dark = ''] = css.split(':root[data-mantine-color-scheme="dark"]');
    for (const [name, ofTheme] of [
      ['light', light],
      ['dark', dark],
    ] as const) {
      for (const [variable, value] of [
        ['page', themes[name].page],
        ['surface', themes[name].surface],
        ['surface-sunken', themes[name].sunken],
        ['ink-soft', themes[name].softInk],
      ])
        assert.ok(ofTheme.includes(`--${variable}: ${value};`), `${variable} in the ${name} theme`);
    }
  });

  it('can be read wherever it is used, whatever it is', () => {
    fc.assert(
      fc.property(color, fc.constantFrom('light', 'dark'), (brand, theme) => {
        const { page, surface, sunken, softInk } = themes[theme];
        const shades = shadesOf(brand, theme);
        const check = (text: string, background: string, least: number): void =>
          assert.ok(contrast(text, background) >= least, `${brand}: ${text} on ${background}`);
        for (const background of [page, surface, sunken]) {
          check(shades.accent, background, 4.5);
          check(shades.chart, background, 3);
          check(shades['accent-fill'], background, 3);
        }
        for (const text of [shades.accent, softInk]) check(text, shades['accent-wash'], 4.5);
        for (const fill of [shades['accent-fill'], shades['accent-fill-hover']])
          check(shades['accent-on-fill'], fill, 4.5);
        const rails = [shades.rail, shades['rail-deep'], mix(shades.rail, '#ffffff', 0.12)];
        for (const rail of rails) {
          for (const text of ['#ffffff', shades['rail-ink'], shades['rail-soft']]) check(text, rail, 4.5);
          check(shades['rail-mark'], rail, 3);
        }
        check('#e6f1f2', shades['rail-glow'], 3);
        check('#ffffff', mix(shades.rail, '#ffffff', 0.16), 4.5);
      }),
      {
        numRuns: 500,
        examples: extremes.flatMap((brand): [string, 'light' | 'dark'][] => [
          [brand, 'light'],
          [brand, 'dark'],
        ]),
      },
    );
  });

  it('is used as it is where it can be read', () => {
    assert.equal(shadesOf('#0c6475', 'light').accent, '#0c6475');
    assert.equal(shadesOf('#0c6475', 'light')['accent-fill'], '#0c6475');
    assert.equal(shadesOf('#7cc7d2', 'dark').accent, '#7cc7d2');
    assert.deepEqual(
      changedShades('#ffff00').map(({ theme }) => theme),
      ['light'],
    );
    assert.deepEqual(
      changedShades('#000080').map(({ theme }) => theme),
      ['dark'],
    );
  });

  it('replaces each variable in both themes', () => {
    const styles = colorStylesheet('#b4005a');
    const names = (text: string): string[] => [...text.matchAll(/--([\w-]+):/g)].map(([, name = '']) => name);
    const [, light = '', dark = ''] = styles.split(':root:root');
    assert.deepEqual(names(light), names(dark));
    assert.ok(names(light).length > 25);
    const known = new Set(names(css));
    for (const name of names(light))
      assert.ok(known.has(name) || name.startsWith('mantine-color-accent-'), name);
  });
});
