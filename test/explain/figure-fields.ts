import assert from 'node:assert/strict';
import type { Schema } from '../../src/http/schema.ts';
import type { OpenApiDocument } from '../support/openapi.ts';

type Json = Readonly<Record<string, unknown>>;

/** A figure in a response, with the record that it is in. */
export interface ShownFigure {
  figure: string;
  value: unknown;
  record: Json;
}

/** The numeric fields of a schema and of everything in it, each as `Schema.field`, with their schemas. */
export function numericFields(
  { components }: OpenApiDocument,
  schema: Schema,
  name: string,
  found = new Map<string, Schema>(),
): Map<string, Schema> {
  const title = schema.$ref?.split('/').at(-1);
  const { properties = {}, items, oneOf = [], anyOf = [] } = resolve(components, schema);
  for (const [field, of] of Object.entries(properties)) {
    const place = `${title ?? name}.${field}`;
    if (isNumeric(resolve(components, of))) found.set(place, of);
    numericFields({ components } as OpenApiDocument, of, place, found);
  }
  const others = [...(items === undefined ? [] : [items]), ...oneOf, ...anyOf];
  for (const other of others) numericFields({ components } as OpenApiDocument, other, title ?? name, found);
  return found;
}

/** All figures of a response, which may have none. */
export function shownFigures(document: OpenApiDocument, schema: Schema, value: unknown): ShownFigure[] {
  const { properties = {}, items, oneOf } = resolve(document.components, schema);
  if (oneOf !== undefined) {
    // The first is an array without pages.
    const [page] = oneOf;
    assert.ok(page !== undefined && Array.isArray(value));
    return shownFigures(document, page, value);
  }
  if (Array.isArray(value)) return value.flatMap((item) => shownFigures(document, items ?? {}, item));
  if (typeof value !== 'object' || value === null) return [];
  const record = value as Json;
  return Object.entries(properties).flatMap(([field, of]) => {
    const figure = of['x-figure'];
    if (figure !== undefined) return [{ figure, value: record[field], record }];
    return shownFigures(document, of, record[field]);
  });
}

function resolve({ schemas }: OpenApiDocument['components'], schema: Schema): Schema {
  const name = schema.$ref?.split('/').at(-1);
  return name === undefined ? schema : (schemas[name] ?? assert.fail(name));
}

function isNumeric({ type = [] }: Schema): boolean {
  const types = typeof type === 'string' ? [type] : type;
  return types.includes('number') || types.includes('integer');
}
