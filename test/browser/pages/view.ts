import type { Visitor } from '../../support/browser/visitor.ts';

/** A view of the console: its name, its path, a text that it shows once loaded, and further steps. */
export interface View {
  name: string;
  path: string;
  text: string | RegExp;
  steps?: (visitor: Visitor) => Promise<void>;
}

/** Opens a view and waits until it is complete. */
export async function show(visitor: Visitor, { path, text, steps }: View): Promise<void> {
  await visitor.goTo(path);
  await visitor.reads(text);
  await visitor.page.locator('[aria-busy=true]').first().waitFor({ state: 'detached' });
  await steps?.(visitor);
}
