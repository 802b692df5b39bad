import assert from 'node:assert/strict';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import type { Schema } from '../../src/http/schema.ts';
import { normalizeTime } from '../../src/shared/timestamps.ts';
import type { OpenApiDocument } from './openapi.ts';

const DOCUMENT = 'openapi.json';

/** Checks values against the schemas of a document, where they stand in it. */
export class SchemaCheck {
  readonly #ajv = new Ajv2020({ allowUnionTypes: true });
  readonly #document: OpenApiDocument;

  constructor(document: OpenApiDocument) {
    this.#document = document;
    for (const format of ['int32', 'double']) this.#ajv.addFormat(format, true);
    this.#ajv.addFormat('date-time', (text) => normalizeTime(text) === text);
    this.#ajv.addVocabulary(Object.keys(document));
    this.#ajv.addSchema({ ...document, $id: DOCUMENT });
  }

  /** Whether a value is as the schema at the pointer says. */
  isValid(pointer: string, value: unknown): boolean {
    return this.#validator(pointer)(value);
  }

  /** @throws where a value is not as the schema at the pointer says, or a record’s keys are in another order */
  assertValid(pointer: string, value: unknown): void {
    const validate = this.#validator(pointer);
    assert.ok(validate(value), `${pointer}: ${this.#ajv.errorsText(validate.errors)}`);
    this.#assertOrder(this.at<Schema>(pointer), value);
  }

  /** What stands at a pointer, or where the reference that stands there leads. */
  at<Shape>(pointer: string): Shape {
    return this.#find(this.resolve(pointer)) as Shape;
  }

  /** The pointer to what the one given leads to. */
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

  #assertOrder(schema: Schema, value: unknown): void {
    if (schema.$ref !== undefined) this.#assertOrder(this.at<Schema>(schema.$ref), value);
    for (const one of schema.oneOf ?? []) this.#assertOrder(one, value);
    if (schema.items !== undefined && Array.isArray(value)) {
      for (const item of value) this.#assertOrder(schema.items, item);
    }
    if (schema.properties === undefined || typeof value !== 'object' || value === null) return;
    if (Array.isArray(value)) return;
    assert.deepEqual(Object.keys(value), Object.keys(schema.properties));
    for (const [name, property] of Object.entries(schema.properties)) {
      this.#assertOrder(property, (value as Record<string, unknown>)[name]);
    }
  }
}
