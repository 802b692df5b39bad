import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import type { Schema } from '../../src/http/schema.ts';
import { sqlite } from '../support/engines.ts';
import { documentOf, type OpenApiDocument, operationsOf } from '../support/openapi.ts';
import { useService } from '../support/service.ts';

/** What the description of a number says it is. */
const units = {
  money: /in the merchant’s currency/,
  'a count': /\bnumber of\b|\bhow many\b|\bunits\b/i,
  'a length of time': /\b(milli)?seconds\b/,
  'a size': /\bin bytes\b/,
  'a share': /\b(from 0 to 1|in percent)\b|÷/,
  'a rating': /from 0 to 5/,
  'a place in a list': /\b(position|place) of\b|\bpage to return\b|\bfrom 1\b/i,
  'an ID':
    /`\w*id`|\bAssigned by the service\b|\bIdentifies\b|\b(ID|internal ID)\b|\binstead of its identifier\b/,
  'a status of HTTP': /HTTP status/,
  'one of two': /^1 if/,
  'a unit of the marketplace': /in the unit that/,
  'the value of another field':
    /older name of|same as|value (before|after) the change|current value|accepted and ignored|^Ignored/,
} as const;

interface Described {
  at: string;
  schema: Schema;
  description: string | undefined;
}

describe('the descriptions of the OpenAPI document', () => {
  const service = useService(sqlite);
  let document: OpenApiDocument;
  let all: Described[];
  before(async () => {
    document = await documentOf(service());
    const parameters = operationsOf(document).flatMap(({ operationId, parameters }) =>
      parameters.map(
        ({ name, schema, description }): Described => ({
          at: `${operationId}: ${name}`,
          schema,
          description,
        }),
      ),
    );
    const fields = Object.entries(document.components.schemas).flatMap(([name, schema]) =>
      fieldsOf(schema, name),
    );
    all = [...parameters, ...fields];
    assert.ok(all.length > 1_000, String(all.length));
  });

  it('are sentences, of every parameter and every field', () => {
    const isRecord = ({ $ref, items, oneOf, properties }: Schema): boolean =>
      $ref !== undefined || items?.$ref !== undefined || oneOf !== undefined || properties !== undefined;
    const missing = all.filter(({ description, schema }) => description === undefined && !isRecord(schema));
    assert.deepEqual(
      missing.map(({ at }) => at),
      [],
    );
    for (const { at, description } of all)
      if (description !== undefined) {
        assert.match(description, /^[A-Z`\d].{8,}[.]$/s, at);
        assert.doesNotMatch(description, /^The field `|\bExpects\b/, at);
      }
  });

  it('say what each number is: its unit, or that it is a count', () => {
    const isNumber = ({ type = [] }: Schema): boolean =>
      [type].flat().some((one) => one === 'number' || one === 'integer');
    const numbers = all.filter(({ schema }) => isNumber(schema) || isNumber(schema.items ?? {}));
    assert.ok(numbers.length > 300, String(numbers.length));
    const unclear = numbers.filter(
      ({ description = '' }) => !Object.values(units).some((unit) => unit.test(description)),
    );
    assert.deepEqual(
      unclear.map(({ at, description }) => `${at}: ${description}`),
      [],
    );
  });
});

/** The fields of a record, and of the records in it that have no name. */
function fieldsOf(schema: Schema, at: string): Described[] {
  const own = Object.entries(schema.properties ?? {}).flatMap(([name, field]) => [
    { at: `${at}.${name}`, schema: field, description: field.description },
    ...fieldsOf(field, `${at}.${name}`),
  ]);
  return schema.items === undefined ? own : [...own, ...fieldsOf(schema.items, at)];
}
