/** The type of a value, independent of a language. */
export type Type =
  | { kind: 'string' | 'integer' | 'number' | 'boolean' | 'anything' | 'file' }
  | { kind: 'words'; words: readonly string[] }
  | { kind: 'object'; name: string }
  | { kind: 'list'; of: Type }
  /** Members of any name. In PHP, names that are numbers become numbers. */
  | { kind: 'map'; of: Type; hasNumbers: boolean }
  | { kind: 'union'; of: readonly Type[] }
  | { kind: 'null' };

export interface Field {
  name: string;
  type: Type;
  description: string;
  isRequired: boolean;
}

/** The members of a JSON object. */
export interface ObjectType {
  name: string;
  description: string;
  fields: readonly Field[];
}

/** A part of an OpenAPI document. Nothing of it is trusted. */
export type Json = Readonly<Record<string, unknown>>;

/** What the emitter does not know, with its place in the document. */
export class Unknown extends Error {
  override name = 'Unknown';

  constructor(at: string, what: string) {
    super(`${at}: ${what}. Teach clients/emit about it.`);
  }
}

export function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** @throws {Unknown} if the value is not an object */
export function objectAt(value: unknown, at: string): Json {
  if (!isObject(value)) throw new Unknown(at, 'expected an object');
  return value;
}

/** @throws {Unknown} if the value is neither missing nor a string */
export function textAt(value: unknown, at: string): string {
  if (value === undefined) return '';
  if (typeof value !== 'string') throw new Unknown(at, 'expected a string');
  return value;
}

/** @throws {Unknown} if the value is neither missing nor a list */
export function listAt(value: unknown, at: string): readonly unknown[] {
  if (value === undefined) return [];
  if (!Array.isArray(value)) throw new Unknown(at, 'expected a list');
  return value;
}

/** @throws {Unknown} if the object has a member that is not listed */
export function onlyMembers(value: Json, known: readonly string[], at: string): void {
  for (const name of Object.keys(value))
    if (!known.includes(name)) throw new Unknown(at, `"${name}" is not known`);
}

/** Whether a value of the type may be null. */
export function isNullable(type: Type): boolean {
  return type.kind === 'null' || (type.kind === 'union' && type.of.some(isNullable));
}

/** Returns the type without null. */
export function withoutNull(type: Type): Type {
  if (type.kind !== 'union') return type;
  return unionOf(type.of.filter(({ kind }) => kind !== 'null'));
}

/** Returns the type of values that have one of the types. */
export function unionOf(types: readonly Type[]): Type {
  const [only, ...others] = types;
  return only !== undefined && others.length === 0 ? only : { kind: 'union', of: types };
}

/** Whether programs can have a variable or an attribute of this name. */
export function isIdentifier(name: string): boolean {
  return /^[A-Za-z_]\w*$/.test(name);
}

/** Returns the names of the objects that values of the type contain. */
export function objectsIn(type: Type): string[] {
  switch (type.kind) {
    case 'object':
      return [type.name];
    case 'list':
    case 'map':
      return objectsIn(type.of);
    case 'union':
      return type.of.flatMap(objectsIn);
    default:
      return [];
  }
}
