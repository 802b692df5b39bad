import type { Model } from './model.ts';
import { objectsIn, type Type, Unknown, unionOf, withoutNull } from './types.ts';

/** Whether values of the type are events of several types, which their `type` tells apart. */
export function isEvents(type: Type, { events }: Pick<Model, 'events'>): boolean {
  const names = new Set(events.values());
  return type.kind === 'union' && type.of.every((one) => one.kind === 'object' && names.has(one.name));
}

/**
 * Returns the name of the record that a value is, or that the items of a list are: `events` for events.
 * Null if it contains no records.
 * @throws {Unknown} if it contains them in another way
 */
export function recordIn(type: Type, model: Pick<Model, 'events'>, at: string): string | null {
  const value = withoutNull(type);
  const item = value.kind === 'list' ? value.of : value;
  if (isEvents(item, model)) return 'events';
  if (item.kind === 'object') return item.name;
  if (objectsIn(item).length > 0) throw new Unknown(at, 'records within other values are not known');
  return null;
}

/** Returns the alternatives of a type, with null at the end. */
export function alternatives(type: Type): Type[] {
  if (type.kind !== 'union') return [type];
  const plain = withoutNull(type);
  const others = plain.kind === 'union' ? [...plain.of] : [plain];
  return type.of.some(({ kind }) => kind === 'null') ? [...others, { kind: 'null' }] : others;
}

export function orMissing(type: Type): Type {
  const types = alternatives(type);
  return types.some(({ kind }) => kind === 'null') ? type : unionOf([...types, { kind: 'null' }]);
}
