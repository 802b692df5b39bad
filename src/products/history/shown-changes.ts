import { readReasons } from '../record/catalog-events.ts';
import type { ProductDiff, ValueChange } from '../record/product-diff.ts';

/** A field that a change of a product has changed. */
export interface ChangedValue {
  field: string;
  /** The variation that has the field; null for a field of the product. */
  variation: string | null;
  from: string | number | null;
  to: string | number | null;
}

/** What no list of changes shows. */
const HIDDEN = ['moderated_at', 'stock_tracked', 'status_sent'];

/** Returns what people see of a change. A new variation has one entry, for its `identifier`. */
export function shownChanges({ fields = {}, variations = [] }: ProductDiff): ChangedValue[] {
  const ofProduct = shownFields(null, fields);
  const ofVariations = variations.flatMap(([identifier, changes]) =>
    changes === null
      ? [{ field: 'identifier', variation: identifier, from: null, to: identifier }]
      : shownFields(identifier, changes),
  );
  return [...ofProduct, ...ofVariations];
}

/** Returns whether lists of changes show a field. */
export function isShown(field: string): boolean {
  return !HIDDEN.includes(field);
}

function shownFields(variation: string | null, fields: Record<string, ValueChange>): ChangedValue[] {
  return Object.entries(fields).flatMap(([field, [from, to]]) => {
    if (!isShown(field)) return [];
    if (field !== 'moderation_reasons') return [{ field, variation, from, to }];
    return [{ field, variation, from: messagesOf(from), to: messagesOf(to) }];
  });
}

/** The messages of reasons for a moderation, one in each line. */
function messagesOf(reasons: ValueChange[0]): string | null {
  const messages = readReasons(String(reasons ?? '')).map(({ message }) => message);
  return messages.length === 0 ? null : messages.join('\n');
}
