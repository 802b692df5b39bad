import type { ProductDiff, ValueChange } from '../record/product-diff.ts';

type Value = ValueChange[0];

/** A change of a product. `isOwn` is set if it belongs to the change that is undone. */
export interface Touch {
  isOwn: boolean;
  diff: ProductDiff;
}

/** A field of a product, or of a variation. The stock of a product is null while it is not tracked. */
export interface Field {
  name: string;
  variation: string | null;
}

export interface SettledField extends Field {
  /** The value before the undone change. */
  former: Value;
  /** The value that the undone change has set. */
  set: Value;
  present: Value;
}

export interface Settled {
  /** Fields that only the undone change has set since it was made. */
  returning: SettledField[];
  /** Fields that other changes have set since. */
  kept: SettledField[];
  /** Variations that the undone change has added. The value is whether other changes have changed them. */
  added: Map<string, boolean>;
  /** The former order of the variations, if it returns. */
  order: string[] | undefined;
  /** Whether another change has set the order of the variations since. */
  isOrderKept: boolean;
}

interface Fate extends SettledField {
  /** Whether the newest change of the field is the undone one. */
  isReturning: boolean;
  /** Undefined until the undone change is found. */
  isOwnFound: boolean;
  /** Whether a change before this may still be the one that the field returns to. */
  isOpen: boolean;
}

/** Finds what an undo does with each field of a product, from the product's changes, newest first. */
export function settleFields(touches: readonly Touch[]): Settled {
  const fates = new Map<string, Fate>();
  const added = new Map<string, boolean>();
  const changedSince = new Set<string>();
  let order: string[] | undefined;
  let newestOrder: 'own' | 'other' | undefined;
  let isOrderOpen = true;
  let isOrderKept = false;
  for (const { isOwn, diff } of touches) {
    for (const [field, change] of fieldsOf(diff)) {
      if (field.variation !== null && !isOwn) changedSince.add(field.variation);
      const key = JSON.stringify([field.variation, field.name]);
      const fate = fates.get(key);
      if (fate === undefined) fates.set(key, newFate(field, change, isOwn));
      else extend(fate, change, isOwn);
    }
    for (const [identifier, fields] of diff.variations ?? [])
      if (fields === null && isOwn) added.set(identifier, changedSince.has(identifier));
    if (diff.order === undefined) continue;
    newestOrder ??= isOwn ? 'own' : 'other';
    if (!isOwn) isOrderOpen = false;
    else if (newestOrder === 'other') isOrderKept = true;
    else if (isOrderOpen) order = diff.order;
  }
  const settled = [...fates.values()].filter(
    ({ isOwnFound, former, present, variation }) =>
      isOwnFound && former !== present && !(variation !== null && added.has(variation)),
  );
  const returning = settled.filter(({ isReturning }) => isReturning);
  return { returning, kept: settled.filter((fate) => !fate.isReturning), added, order, isOrderKept };
}

function newFate(field: Field, [from, to]: ValueChange, isOwn: boolean): Fate {
  return {
    ...field,
    former: from,
    set: to,
    present: to,
    isReturning: isOwn,
    isOwnFound: isOwn,
    isOpen: true,
  };
}

function extend(fate: Fate, [from, to]: ValueChange, isOwn: boolean): void {
  if (!isOwn) {
    if (fate.isOwnFound) fate.isOpen = false;
    return;
  }
  if (!fate.isOpen) return;
  if (!fate.isOwnFound) fate.set = to;
  fate.isOwnFound = true;
  fate.former = from;
}

/** Yields the fields that a change has set, without new variations. */
export function* fieldsOf({ fields = {}, variations = [] }: ProductDiff): Generator<[Field, ValueChange]> {
  const { available_quantity: quantity, stock_tracked: tracked, ...others } = fields;
  if (quantity !== undefined || tracked !== undefined) {
    const stock = (index: 0 | 1): Value => (tracked?.[index] === 0 ? null : (quantity?.[index] ?? 0));
    yield [{ name: 'available_quantity', variation: null }, [stock(0), stock(1)]];
  }
  for (const [name, change] of Object.entries(others)) yield [{ name, variation: null }, change];
  for (const [variation, changes] of variations)
    for (const [name, change] of Object.entries(changes ?? {})) yield [{ name, variation }, change];
}
