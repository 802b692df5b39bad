import assert from 'node:assert/strict';
import type { ListedChange } from '../../../src/products/history/listed-changes.ts';
import type { ChangedValue } from '../../../src/products/history/shown-changes.ts';
import type { Product } from '../../../src/products/record/product.ts';

/** The values of a record: a field, or a variation’s identifier and a field. */
export type State = Map<string, unknown>;

export interface Change {
  field: string;
  variation?: string | null;
  from: unknown;
  to: unknown;
}

/** The history has neither the time of the last change nor what follows from schedules. */
const UNRECORDED = ['updated_at', 'sales_count', 'ratings_count', 'ratings_average', 'variations'];

const keyOf = ({ variation, field }: Pick<Change, 'field'> & { variation?: string | null }): string =>
  variation === undefined || variation === null ? field : `${variation} ${field}`;

export function stateOfProduct(product: Product): State {
  const state: State = new Map();
  for (const [field, value] of Object.entries(product))
    if (!UNRECORDED.includes(field)) state.set(field, value);
  for (const { identifier: variation, ...fields } of product.variations)
    for (const [field, value] of Object.entries({ identifier: variation, ...fields }))
      state.set(keyOf({ variation, field }), value);
  return state;
}

/** `fields` are the recorded ones. */
export function stateOfFields(record: Readonly<Record<string, unknown>>, fields: readonly string[]): State {
  return new Map(fields.map((field) => [field, record[field]]));
}

/** Returns a text that is the same for the same state. */
export function textOf(state: State): string {
  return JSON.stringify([...state].sort(([one], [other]) => (one < other ? -1 : 1)));
}

/**
 * Undoes the changes of a record, newest first. `see` gets each state, and the entry that led to it.
 * @throws {AssertionError} if a change has left another value than the next one has found
 */
export function fold<Of extends Change = ChangedValue>(
  present: State,
  entries: readonly ListedChange<Of>[],
  see: (state: State, entry: ListedChange<Of>) => void,
): void {
  const state = new Map(present);
  // Records do not have these fields, so their newest value in the history counts as the present one.
  const others: State = new Map();
  for (const [index, entry] of entries.entries()) {
    const isOldest = index === entries.length - 1;
    assert.equal(entry.action, isOldest ? 'created' : 'changed', 'only the oldest entry is the creation');
    see(state, entry);
    for (const change of entry.changes) {
      const key = keyOf(change);
      const { field, from, to } = change;
      const known = state.has(key) ? state : others;
      if (known === state || others.has(key))
        assert.deepEqual(known.get(key), to, `${key} of ${entry.at} by ${entry.request_id}`);
      known.set(key, from);
      const isAdded = field === 'identifier' && from === null && key !== field;
      if (!isAdded) continue;
      for (const name of state.keys()) if (name.startsWith(`${change.variation} `)) state.delete(name);
    }
  }
}
