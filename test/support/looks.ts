import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { SCREENSHOTS, type Visitor } from './visitor.ts';

/** The part of axe's answer that is told here. */
interface Violation {
  id: string;
  help: string;
  nodes: { target: unknown[]; failureSummary?: string }[];
}

/** As wide as a desktop's window and as a phone. */
export const SIZES = { desktop: { width: 1280, height: 800 }, phone: { width: 390, height: 844 } };
export type Size = keyof typeof SIZES;

/** All of axe's rules in the light; in the dark, where nothing but colours differs, those of colours. */
const RULES = {
  light: '',
  dark: `, runOnly: { type: 'rule', values: ['color-contrast', 'link-in-text-block'] }`,
};

/** Adds up how far things jumped that nobody moved; the browser's own measure. */
export const SHIFTS = `window.shifted = 0;
new PerformanceObserver((list) => {
  for (const shift of list.getEntries()) if (!shift.hadRecentInput) window.shifted += shift.value;
}).observe({ type: 'layout-shift', buffered: true });`;

const axe = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/**
 * Takes a picture of what a visitor sees, in the light and in the dark, to `web/screenshots`.
 * @throws where axe finds fault with it, or it is wider than the screen
 */
export async function look({ page }: Visitor, size: Size, name: string): Promise<void> {
  const faults: string[] = [];
  for (const theme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme: theme, reducedMotion: 'reduce' });
    await page.locator(`html[data-mantine-color-scheme=${theme}]`).waitFor();
    await page.evaluate(STILL);
    await page.screenshot({ path: join(SCREENSHOTS, `${name}-${size}-${theme}.png`) });
    await page.evaluate(`typeof axe === 'undefined' && (() => { ${axe} })()`);
    const violations = await page.evaluate<Violation[]>(
      `axe.run({ resultTypes: ['violations']${RULES[theme]} }).then(({ violations }) => violations)`,
    );
    faults.push(...violations.map((violation) => `${theme}: ${toText(violation)}`));
  }
  assert.deepEqual(faults, [], `axe on ${name}, ${size}`);
  const width = await page.evaluate<number>('document.documentElement.scrollWidth');
  assert.ok(width <= SIZES[size].width, `${name} is ${width} wide on a screen of ${SIZES[size].width}`);
}

/** Until nothing moves or fades any more. */
const STILL = `Promise.all(document.getAnimations()
  .filter(({ playState, effect }) => playState === 'running' && effect.getComputedTiming().endTime < Infinity)
  .map(({ finished }) => finished.catch(() => {})))`;

function toText({ id, help, nodes }: Violation): string {
  return `${id} (${help}): ${nodes.map(({ target, failureSummary }) => `${target.join(' ')}: ${failureSummary}`).join('; ')}`;
}
