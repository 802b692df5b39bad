import assert from 'node:assert/strict';
import type { Visitor } from '../support/browser/visitor.ts';
import { until } from '../support/until.ts';

const MAX_TABS = 150;

export async function tabTo(
  visitor: Visitor,
  label: string,
  key: 'Tab' | 'Shift+Tab' = 'Tab',
): Promise<void> {
  const passed: string[] = [];
  for (let tabs = 0; tabs < MAX_TABS; tabs += 1) {
    await visitor.page.keyboard.press(key);
    const focused = (await visitor.focused()).trim();
    if (focused === label) return;
    passed.push(focused);
  }
  assert.fail(`${key} does not reach ${label}, only ${passed.join(', ')}`);
}

export async function choose(visitor: Visitor, label: string): Promise<void> {
  await tabTo(visitor, label);
  await visitor.page.keyboard.press('Enter');
}

export async function fill(visitor: Visitor, label: string, text: string): Promise<void> {
  await tabTo(visitor, label);
  await visitor.page.keyboard.press('Control+A');
  await visitor.page.keyboard.type(text);
}

/**
 * Selects an option with the arrow keys. To type its first letters would be faster, but a slow browser takes
 * each letter for the first one.
 */
export async function select(visitor: Visitor, label: string, option: string): Promise<void> {
  const { page } = visitor;
  await tabTo(visitor, label);
  const passed: string[] = [];
  for (let key = 'Home'; passed.at(-1) !== option; key = 'ArrowDown') {
    await page.keyboard.press(key);
    // The page may load after each change.
    await untilFocused(visitor, label);
    passed.push(await page.locator(':focus > option:checked').innerText());
    assert.notEqual(passed.at(-1), passed.at(-2), `${label} has no ${option}, only ${passed.join(', ')}`);
  }
}

export async function untilFocused(visitor: Visitor, label: string | RegExp): Promise<void> {
  const isLabel = (focused: string): boolean =>
    typeof label === 'string' ? focused === label : label.test(focused);
  let focused = '';
  const isFocused = async (): Promise<boolean> => {
    focused = (await visitor.focused()).trim();
    return isLabel(focused);
  };
  await until(isFocused, { message: () => `the focus is not on ${label}, but on “${focused}”` });
}

/** After the focused element is gone or could not be used for a while. */
export async function untilFocusKept(visitor: Visitor): Promise<void> {
  await untilFocused(visitor, /./);
}
