import { shorten } from '../../files/parsed.ts';
import type { LeftField } from '../files/read-own-ndjson.ts';
import { type Product, productFields, type Variation, variationFields } from '../record/product.ts';
import {
  type Field,
  fieldsOf,
  type Settled,
  type SettledField,
  settleFields,
  type Touch,
} from './settle-fields.ts';

/** What is known of a product when a change of it is undone. */
export interface UndoneProduct {
  /** From the undone change on, newest first. */
  touches: readonly Touch[];
  /** Whether the undone change created the product. */
  isCreated: boolean;
  /** The current time in the format of records. */
  now: string;
}

type Values = Record<string, unknown>;

/** The fields that a product, or a variation, gets back, and the values that they must still have. */
interface Returning {
  fields: Values;
  was: Values;
}

const TIMES = ['disabled_at', 'deleted_at', 'catalog_only_at'];
/** What follows from other fields, or goes with another field. */
const FOLLOWING = ['status', 'updated_at', 'moderated_at', 'moderation_reasons'];

const OPERATOR = 'only the marketplace operator sets it; it stays';
const STOCK_OF_VARIATIONS = 'the stock is the sum of the variations that the change added; it stays';
const ORDER = 'the order of the variations has been changed since; it stays';

/**
 * Yields the lines of an import that undoes a change of a product: the values that return, and what is left
 * alone with its reasons. Nothing, if the product is as it was before the change. An import cannot remove
 * what the change created, so it deletes it.
 */
export function* undoLines(product: Product, undone: UndoneProduct): Generator<string> {
  const { identifier } = product;
  const left: LeftField[] = [];
  const returning = undone.isCreated
    ? undoCreation(product, undone, left)
    : undoChanges(product, undone, left);
  if (returning !== undefined) yield `${JSON.stringify({ identifier, ...returning })}\n`;
  if (left.length > 0) yield `${JSON.stringify({ identifier, left })}\n`;
}

function undoCreation(
  { updated_at, disabled_at, deleted_at }: Product,
  { touches, now }: UndoneProduct,
  left: LeftField[],
): object | undefined {
  if (deleted_at !== null) return undefined;
  const since = touches.filter(({ isOwn }) => !isOwn).flatMap(({ diff }) => [...fieldsOf(diff)]);
  if (touches.some(({ isOwn }) => !isOwn)) {
    left.push({
      field: 'identifier',
      value: null,
      reason: 'created by the change, and changed since; it stays',
    });
    for (const [field, [, to]] of since.filter(([{ name }]) => !FOLLOWING.includes(name)))
      left.push({ field: pathOf(field), value: to, reason: 'set since the product was created' });
    return undefined;
  }
  const times = { disabled_at: disabled_at ?? now, deleted_at: now };
  return { times, was: { updated_at, deleted_at } };
}

function undoChanges(
  product: Product,
  { touches, now }: UndoneProduct,
  left: LeftField[],
): object | undefined {
  const settled = settleFields(touches);
  const { returning, kept, order, isOrderKept } = settled;
  const had = product.variations.some(({ identifier }) => !settled.added.has(identifier));
  const isStated = ({ name, variation }: Field): boolean =>
    variation !== null || name !== 'available_quantity' || product.variations.length === 0;
  const present: Values = { ...product };
  const own: Returning = { fields: {}, was: {} };
  const times: Values = {};
  for (const field of returning) {
    const { name, variation, former } = field;
    if (variation !== null || FOLLOWING.includes(name)) continue;
    if (!isStated(field)) {
      if (!had) left.push({ field: name, value: product.available_quantity, reason: STOCK_OF_VARIATIONS });
    } else if (isOperators(name, false)) {
      if (name !== 'status_sent' || former === 1)
        left.push({
          field: name === 'status_sent' ? 'status' : name,
          value: field.present,
          reason: OPERATOR,
        });
    } else {
      (TIMES.includes(name) ? times : own.fields)[name] = former;
      own.was[name] = present[name] ?? null;
    }
  }
  for (const field of kept) {
    const { name, variation, set, present: value } = field;
    if (FOLLOWING.includes(name) || name === 'status_sent' || !isStated(field)) continue;
    const reason = `the change set ${textOf(set)}, and it has been set to ${textOf(value)} since; it stays`;
    left.push({ field: pathOf({ name, variation }), value, reason });
  }
  if (isOrderKept) left.push({ field: 'variations', value: null, reason: ORDER });
  const variations = undoVariations(product, settled, now, left);
  const hasTimes = Object.keys(times).length > 0;
  if (Object.keys(own.was).length + variations.length === 0 && order === undefined) return undefined;
  return {
    ...own.fields,
    ...(hasTimes && { times }),
    ...((variations.length > 0 || order !== undefined) && { keep_variations: true, variations }),
    ...(order !== undefined && { variation_order: order }),
    was: own.was,
  };
}

/** Returns the variations that change. A line restores a variation unless it states `deleted_at`. */
function undoVariations(
  { variations }: Product,
  { returning, added }: Settled,
  now: string,
  left: LeftField[],
): object[] {
  const fields = Map.groupBy(
    returning.filter(({ variation }) => variation !== null),
    ({ variation }) => variation,
  );
  return variations.flatMap((variation) => {
    const { identifier, deleted_at } = variation;
    if (added.has(identifier)) {
      if (deleted_at !== null) return [];
      if (added.get(identifier) === false)
        return [{ identifier, deleted_at: now, was: { quantity: variation.quantity, deleted_at } }];
      const reason = 'added by the change, and changed since; it stays';
      left.push({ field: pathOf({ name: 'identifier', variation: identifier }), value: identifier, reason });
      return [];
    }
    return undoVariation(variation, fields.get(identifier) ?? [], left);
  });
}

function undoVariation(variation: Variation, fields: readonly SettledField[], left: LeftField[]): object[] {
  const { identifier, deleted_at } = variation;
  const present: Values = { ...variation };
  const own: Returning = { fields: { deleted_at }, was: { deleted_at } };
  let isChanged = false;
  for (const { name, former, present: value } of fields) {
    if (isOperators(name, true)) {
      left.push({ field: pathOf({ name, variation: identifier }), value, reason: OPERATOR });
      continue;
    }
    own.fields[name] = former;
    own.was[name] = present[name] ?? null;
    isChanged = true;
  }
  return isChanged ? [{ identifier, ...own.fields, was: own.was }] : [];
}

function isOperators(name: string, isOfVariation: boolean): boolean {
  if (!isOfVariation && (name === 'available_quantity' || TIMES.includes(name))) return false;
  const fields: Record<string, { owner: string }> = isOfVariation ? variationFields : productFields;
  return fields[name]?.owner !== 'merchant';
}

function pathOf({ name, variation }: Field): string {
  return variation === null ? name : `variations[${variation}][${name}]`;
}

function textOf(value: unknown): string {
  return shorten(value) || 'none';
}
