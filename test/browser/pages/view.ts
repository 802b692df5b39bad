import type { Visitor } from '../../support/browser/visitor.ts';

/** `text` is shown once the view has loaded. */
export interface View {
  name: string;
  path: string;
  text: string | RegExp;
  steps?: (visitor: Visitor) => Promise<void>;
}

export async function show(visitor: Visitor, { path, text, steps }: View): Promise<void> {
  await visitor.goTo(path);
  await visitor.reads(text);
  await visitor.page.locator('[aria-busy=true]').first().waitFor({ state: 'detached' });
  await steps?.(visitor);
}
