import type { Product } from '../../../src/products/record/product.ts';

/** The values of a shop, by product and field. */
export type ShopState = ReadonlyMap<string, unknown>;

/** The values that were written after a change, and must outlast its undo. */
export type Later = Map<string, unknown>;

const DELETED = 'deleted';

export function keyOf(identifier: string, field: string): string {
  return `${identifier} ${field}`;
}

/** Products have at most one variation. */
export function stateOfShop(products: readonly Product[]): ShopState {
  const state = new Map<string, unknown>();
  for (const { identifier, title, brand, buy_now_price, deleted_at, variations } of products) {
    const quantity = variations[0]?.quantity ?? null;
    const fields = { title, brand, buy_now_price, quantity, [DELETED]: deleted_at !== null };
    for (const [field, value] of Object.entries(fields)) state.set(keyOf(identifier, field), value);
  }
  return state;
}

/**
 * Returns what undoing a change must lead to, and the fields that it must report: those that the change has
 * set and that were set again, and `identifier` for a product that the change created and that was changed.
 */
export function expectUndo({
  before,
  changed,
  later,
}: {
  before: ShopState;
  changed: ShopState;
  later: Later;
}): { state: ShopState; conflicts: Set<string> } {
  const state = new Map<string, unknown>();
  const conflicts = new Set<string>();
  const written = new Set([...later.keys()].map((key) => key.split(' ')[0]));
  for (const [key, value] of changed) {
    const [identifier = '', field] = key.split(' ');
    const isSet = before.get(key) !== value;
    if (before.has(key)) {
      state.set(key, later.has(key) ? later.get(key) : before.get(key));
      if (isSet && later.has(key)) conflicts.add(key);
      continue;
    }
    const isChangedSince = written.has(identifier);
    if (isChangedSince) conflicts.add(keyOf(identifier, 'identifier'));
    state.set(key, field === DELETED && !isChangedSince ? true : later.has(key) ? later.get(key) : value);
  }
  return { state, conflicts };
}
