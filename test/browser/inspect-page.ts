import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { SCREENSHOTS, type Visitor } from '../support/browser/visitor.ts';
import { isThorough } from '../support/thorough.ts';

interface Violation {
  id: string;
  help: string;
  nodes: { target: unknown[]; failureSummary?: string }[];
}

/** A desktop window, a phone, and the narrowest phones, in CSS pixels. */
export const SIZES = {
  desktop: { width: 1280, height: 800 },
  phone: { width: 390, height: 844 },
  narrow: { width: 320, height: 700 },
};
export type Size = keyof typeof SIZES;

const THEMES = ['light', 'dark'] as const;
type Themes = Readonly<Record<Size, readonly (typeof THEMES)[number][]>>;

export const ALL_THEMES: Themes = { desktop: THEMES, phone: THEMES, narrow: THEMES };
const NO_THEMES: Themes = { desktop: [], phone: [], narrow: [] };
/** For one page of each kind, at which axe looks in `npm test` too. It takes most of the time of a test. */
export const SOME_THEMES: Themes = isThorough
  ? ALL_THEMES
  : { desktop: ['light'], phone: ['dark'], narrow: [] };

/** The first theme at a size is inspected by all rules; only colors differ in the second one. */
const COLOR_RULES = `, runOnly: { type: 'rule', values: ['color-contrast', 'link-in-text-block'] }`;

/** Sums up unexpected layout shifts (the browser's measure) in `window.shifted`. */
export const SHIFTS = `window.shifted = 0;
new PerformanceObserver((list) => {
  for (const shift of list.getEntries()) if (!shift.hadRecentInput) window.shifted += shift.value;
}).observe({ type: 'layout-shift', buffered: true });`;

const axe = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/**
 * Inspects a page at every size, in light and dark mode, without loading it again. With `ALL_THEMES`, it
 * takes screenshots. In `npm test`, the page only has to fit each screen, unless it has `SOME_THEMES`.
 * @throws if axe finds violations, or the page is wider than a screen
 */
export async function inspectPage(
  { page }: Visitor,
  name: string,
  themesAt: Themes = isThorough ? ALL_THEMES : NO_THEMES,
): Promise<void> {
  const problems: string[] = [];
  const shown = page.viewportSize();
  await page.emulateMedia({ reducedMotion: 'reduce' });
  for (const [size, viewport] of Object.entries(SIZES)) {
    await page.setViewportSize(viewport);
    for (const [index, theme] of themesAt[size as Size].entries()) {
      await page.emulateMedia({ colorScheme: theme });
      await page.locator(`html[data-mantine-color-scheme=${theme}]`).waitFor();
      await page.evaluate(UNTIL_STILL);
      if (themesAt === ALL_THEMES)
        await page.screenshot({ path: join(SCREENSHOTS, `${name}-${size}-${theme}.png`) });
      await page.evaluate(`typeof axe === 'undefined' && (() => { ${axe} })()`);
      const found = await page.evaluate<Violation[]>(
        `axe.run({ resultTypes: ['violations']${index === 0 ? '' : COLOR_RULES} }).then(({ violations }) => violations)`,
      );
      problems.push(...found.map((violation) => `${size}, ${theme}: ${toText(violation)}`));
    }
    await page.evaluate(UNTIL_STILL);
    const width = await page.evaluate<number>('document.documentElement.scrollWidth');
    if (width > viewport.width)
      problems.push(`${size}: it is ${width} wide on a screen of ${viewport.width}`);
  }
  if (shown !== null) await page.setViewportSize(shown);
  assert.deepEqual(problems, [], name);
}

/**
 * Waits until the page is laid out for its size and no animation runs. Looks at each frame, because Chromium
 * may never settle `finished` of a transition outside the view, although it has finished.
 */
const UNTIL_STILL = `new Promise((resolve) => {
  const isMoving = ({ playState, effect }) =>
    playState === 'running' && effect.getComputedTiming().endTime < Infinity;
  const look = () => (document.getAnimations().some(isMoving) ? requestAnimationFrame(look) : resolve());
  requestAnimationFrame(() => requestAnimationFrame(look));
})`;

function toText({ id, help, nodes }: Violation): string {
  return `${id} (${help}): ${nodes.map(({ target, failureSummary }) => `${target.join(' ')}: ${failureSummary}`).join('; ')}`;
}
