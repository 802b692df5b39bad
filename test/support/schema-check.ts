import assert from 'node:assert/strict';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import type { Schema } from '../../src/http/schema.ts';
import { normalizeTime } from '../../src/shared/timestamps.ts';
import type { OpenApiDocument } from './openapi.ts';

const DOCUMENT = 'openapi.json';

/** Checks values against an OpenAPI document's schemas, by JSON pointer. */
export class SchemaCheck {
  readonly #ajv = new Ajv2020({ allowUnionTypes: true });
  readonly #document: OpenApiDocument;

  constructor(document: OpenApiDocument) {
    this.#document = document;
    for (const format of ['int32', 'double', 'cursor']) this.#ajv.addFormat(format, true);
    this.#ajv.addFormat('date-time', (text) => normalizeTime(text) === text);
    this.#ajv.addFormat('date', (text) => normalizeTime(`${text}T00:00:00Z`) === `${text}T00:00:00Z`);
    this.#ajv.addVocabulary([...Object.keys(document), 'x-figure']);
    this.#ajv.addSchema({ ...document, $id: DOCUMENT });
  }

  isValid(pointer: string, value: unknown): boolean {
    return this.#validator(pointer)(value);
  }

  /** @throws if a value does not match the schema, or a record’s keys are in another order */
  assertValid(pointer: string, value: unknown): void {
    const validate = this.#validator(pointer);
    assert.ok(validate(value), `${pointer}: ${this.#ajv.errorsText(validate.errors)}`);
    this.#assertOrder(this.at<Schema>(pointer), value);
  }

  /** The value at a pointer, or the target of its reference. */
  at<Shape>(pointer: string): Shape {
    return this.#find(this.resolve(pointer)) as Shape;
  }

  resolve(pointer: string): string {
    const found = this.#find(pointer);
    const isReference = typeof found === 'object' && found !== null && '$ref' in found;
    return isReference ? this.resolve(String(found.$ref)) : pointer;
  }

  #find(pointer: string): unknown {
    const tokens = pointer.split('/').slice(1);
    return tokens
      .map((token) => token.replaceAll('~1', '/').replaceAll('~0', '~'))
      .reduce<unknown>((value, token) => (value as Record<string, unknown>)[token], this.#document);
  }

  #validator(pointer: string): ValidateFunction {
    const validate = this.#ajv.getSchema(DOCUMENT + pointer);
    assert.ok(validate !== undefined, `no schema at ${pointer}`);
    return validate;
  }

  /** The keys may be in any order. True for schemas that are not of records. */
  #hasKeysOf(schema: Schema, value: unknown): boolean {
    const found = schema.$ref === undefined ? schema : this.at<Schema>(schema.$ref);
    if (found.properties === undefined || typeof value !== 'object' || value === null) return true;
    return new Set(keysFor(found, value)).symmetricDifference(new Set(Object.keys(value))).size === 0;
  }

  #assertOrder(schema: Schema, value: unknown): void {
    if (schema.$ref !== undefined) this.#assertOrder(this.at<Schema>(schema.$ref), value);
    for (const one of schema.oneOf ?? []) {
      const matches = one.$ref === undefined ? this.#hasKeysOf(one, value) : this.isValid(one.$ref, value);
      if (matches) this.#assertOrder(one, value);
    }
    if (schema.items !== undefined && Array.isArray(value)) {
      for (const item of value) this.#assertOrder(schema.items, item);
    }
    if (schema.properties === undefined || typeof value !== 'object' || value === null) return;
    if (Array.isArray(value)) return;
    assert.deepEqual(Object.keys(value), keysFor(schema, value));
    for (const [name, property] of Object.entries(schema.properties)) {
      this.#assertOrder(property, (value as Record<string, unknown>)[name]);
    }
  }
}

/** The keys of a record: all, or all but the optional ones that it does not have. */
function keysFor({ properties = {}, required = [] }: Schema, value: object): string[] {
  return Object.keys(properties).filter((name) => required.includes(name) || Object.hasOwn(value, name));
}
