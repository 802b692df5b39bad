import type { Input, Model, Operation, Reading } from './model.ts';
import { readOperations } from './read-operations.ts';
import { pascal, SchemaReader } from './read-schemas.ts';
import {
  type Field,
  type Json,
  type ObjectType,
  objectAt,
  objectsIn,
  onlyMembers,
  type Type,
  Unknown,
} from './types.ts';

const MEMBERS = ['openapi', 'info', 'servers', 'security', 'tags', 'paths', 'webhooks', 'components'];

/** Reads the OpenAPI documents of both APIs. @throws {Unknown} if they have something that is not known */
export function readModel(merchantDocument: unknown, operatorDocument: unknown): Model {
  const merchant = readDocument(merchantDocument, 'v1');
  const operator = readDocument(operatorDocument, 'operator');
  const objects = mergeObjects(merchant.objects, operator.objects);
  const operations = [...merchant.operations, ...operator.operations];
  const events = new Map([...merchant.events, ...operator.events]);
  const results = operations.flatMap(({ readings }) => readings.flatMap(typesOf).flatMap(objectsIn));
  const inputs = operations.flatMap(({ input }) => inputTypes(input)).flatMap(objectsIn);
  return {
    merchant: merchant.operations,
    operator: operator.operations,
    records: withContents([...results, ...events.values()], objects),
    parameters: withContents(inputs, objects),
    events,
  };
}

function readDocument(
  value: unknown,
  at: string,
): { operations: Operation[]; objects: Map<string, ObjectType>; events: Map<string, string> } {
  const document = objectAt(value, at);
  onlyMembers(document, MEMBERS, at);
  const schemas = new SchemaReader(objectAt(objectAt(document.components, at).schemas, at));
  const operations = readOperations(document, schemas);
  const events = readEvents(objectAt(document.webhooks, at), schemas);
  return { operations, objects: schemas.objects, events };
}

function readEvents(webhooks: Json, schemas: SchemaReader): Map<string, string> {
  const events = Object.entries(webhooks).map(([type, webhook]): [string, string] => {
    const { requestBody } = objectAt(objectAt(webhook, type).post, type);
    const content = objectAt(objectAt(requestBody, type).content, type);
    const { schema } = objectAt(content['application/json'], type);
    const event = schemas.typeOf(schema, type, `${pascal(type)}Event`);
    if (event.kind !== 'object') throw new Unknown(type, 'expected the event to be an object');
    return [type, event.name];
  });
  return new Map(events);
}

/** An object of both documents may have more members or wider types in one. @throws {Unknown} if types differ */
function mergeObjects(
  ones: ReadonlyMap<string, ObjectType>,
  others: ReadonlyMap<string, ObjectType>,
): Map<string, ObjectType> {
  const merged = new Map([...ones, ...others]);
  for (const [name, one] of ones) {
    const other = others.get(name);
    if (other !== undefined)
      merged.set(name, { ...one, fields: mergeFields(one.fields, other.fields, name) });
  }
  return merged;
}

function mergeFields(ones: readonly Field[], others: readonly Field[], at: string): Field[] {
  const [more, fewer] = ones.length >= others.length ? [ones, others] : [others, ones];
  return more.map((field) => {
    const same = fewer.find(({ name }) => name === field.name);
    if (same === undefined) return { ...field, isRequired: false };
    return { ...field, type: widerOf(field.type, same.type, `${at}: ${field.name}`) };
  });
}

function widerOf(one: Type, other: Type, at: string): Type {
  if (one.kind === 'list' && other.kind === 'list') return { ...one, of: widerOf(one.of, other.of, at) };
  const [ones, others] = [one, other].map((type) =>
    alternativesOf(type).map((alternative) => JSON.stringify(alternative)),
  ) as [string[], string[]];
  if (others.every((type) => ones.includes(type))) return one;
  if (ones.every((type) => others.includes(type))) return other;
  throw new Unknown(at, 'the documents have different types');
}

function alternativesOf(type: Type): readonly unknown[] {
  if (type.kind === 'union') return type.of;
  return type.kind === 'words' ? type.words : [type];
}

function typesOf(reading: Reading): Type[] {
  if ('item' in reading) return [reading.item];
  const type = 'page' in reading ? reading.page : reading.result;
  return type === null ? [] : [type];
}

function inputTypes(input: Input): Type[] {
  if (input.kind === 'lines') return [input.of];
  return 'fields' in input ? input.fields.map(({ type }) => type) : [];
}

/** Returns the named objects and all that they contain, which come first. */
function withContents(names: readonly string[], objects: ReadonlyMap<string, ObjectType>): ObjectType[] {
  const found = new Map<string, ObjectType | null>();
  const visit = (name: string): void => {
    if (found.has(name)) return;
    found.set(name, null);
    const object = objects.get(name);
    if (object === undefined) throw new Unknown(name, 'no schema has this name');
    for (const { type } of object.fields) for (const inner of objectsIn(type)) visit(inner);
    // Again, so that it comes after its contents.
    found.delete(name);
    found.set(name, object);
  };
  for (const name of names) visit(name);
  return [...found.values()].filter((object) => object !== null);
}
