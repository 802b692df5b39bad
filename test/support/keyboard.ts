import assert from 'node:assert/strict';
import type { Visitor } from './visitor.ts';

const MAX_TABS = 100;

/** Moves the focus with the Tab key to the next element with this label or text. */
export async function tabTo(visitor: Visitor, label: string): Promise<void> {
  const passed: string[] = [];
  for (let tabs = 0; tabs < MAX_TABS; tabs += 1) {
    await visitor.page.keyboard.press('Tab');
    const focused = (await visitor.focused()).trim();
    if (focused === label) return;
    passed.push(focused);
  }
  assert.fail(`the Tab key does not reach ${label}, only ${passed.join(', ')}`);
}

/** Moves the focus with the Tab key to the next element with this label or text, and presses Enter. */
export async function choose(visitor: Visitor, label: string): Promise<void> {
  await tabTo(visitor, label);
  await visitor.page.keyboard.press('Enter');
}
