import assert from 'node:assert/strict';
import { globSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { before, describe, it } from 'node:test';
import { createConfig, lintFromString } from '@redocly/openapi-core';
import type { Schema } from '../../src/http/schema.ts';
import { sqlite } from '../support/engines.ts';
import { documentOf, type OpenApiDocument, operationsOf, pointer } from '../support/openapi.ts';
import { RouteWatch } from '../support/route-watch.ts';
import { SchemaCheck } from '../support/schema-check.ts';
import { startTestService, useService } from '../support/service.ts';

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

describe('the OpenAPI document', () => {
  const service = useService(sqlite);
  let document: OpenApiDocument;
  before(async () => {
    document = await documentOf(service());
  });

  it('passes the recommended rules of a public linter', async () => {
    const source = JSON.stringify(document);
    const config = await createConfig({ extends: ['recommended'] });
    const problems = await lintFromString({ source, config });
    assert.deepEqual(
      problems.map(({ ruleId, message, location }) => [ruleId, message, location[0]?.pointer]),
      [],
    );
    const broken = source.replace('"listProducts"', '"createCampaign"');
    assert.notDeepEqual(
      await lintFromString({ source: broken, config }),
      [],
      'the linter finds a known error',
    );
  });

  it('states the versions of the API and of the program', async () => {
    const { version } = JSON.parse(await readFile('package.json', 'utf8')) as { version: string };
    assert.equal(document.info.version, `1.0.0+tradepost.${version}`);
  });

  it('has only values of parameters that occur literally in src, so that a search finds them', async () => {
    const values = operationsOf(document).flatMap(({ parameters }) =>
      parameters.flatMap(({ schema }) => (schema.enum ?? []).map(String)),
    );
    assert.ok(values.includes('sales_descending') && values.length > 20);
    const texts = await Promise.all(globSync('src/**/*.ts').map((file) => readFile(file, 'utf8')));
    const text = texts.join('\n');
    assert.deepEqual(
      values.filter((value) => !new RegExp(`(?<!\\w)${RegExp.escape(value)}(?!\\w)`).test(text)),
      [],
    );
  });

  it('has no nested parameters in queries and one type of body for a file, so that generated clients compile', () => {
    const operations = operationsOf(document);
    const inQueries = operations.flatMap(({ parameters }) =>
      parameters.filter((each) => each.in === 'query'),
    );
    assert.deepEqual(
      inQueries.filter(({ schema }) => schema.type === 'array' || schema.$ref !== undefined),
      [],
    );
    const importFile = operations.find(({ operationId }) => operationId === 'importFile');
    assert.deepEqual(Object.keys(importFile?.requestBody?.content ?? {}), ['multipart/form-data']);
  });

  it('describes each field of a product and a variation, amounts with their currency and an example', () => {
    const { Product, VariationChange, CreateProductRequest, UpdateProductRequest } =
      document.components.schemas;
    for (const schema of [Product, VariationChange, CreateProductRequest, UpdateProductRequest])
      for (const [name, { description = '' }] of Object.entries(schema?.properties ?? {})) {
        assert.match(description, /^[A-Z].{8,}\.$/s, name);
        assert.doesNotMatch(description, /^The field `|Expects (text|an identifier)\./, name);
        if (/_(price|basis|amount)$|^scheduling_fee_bid$/.test(name))
          assert.match(description, /in the merchant’s currency, such as \d/, name);
      }
    const create = operationsOf(document).find(({ operationId }) => operationId === 'createProduct');
    const examples = create?.parameters.filter(({ example }) => example !== undefined) ?? [];
    assert.ok(examples.length > 20, `${examples.length} examples`);
  });

  it('marks the parameters that are not supported as deprecated, and no others', () => {
    let found = 0;
    for (const { parameters, requestBody } of operationsOf(document)) {
      const inQuery = parameters.map(({ deprecated, schema, description }) => ({
        isDeprecated: deprecated === true && schema.deprecated === true,
        description,
      }));
      const { $ref = '' } = Object.values(requestBody?.content ?? {})[0]?.schema ?? {};
      const { properties = {} } = document.components.schemas[$ref.split('/').at(-1) ?? ''] ?? {};
      const inBody = Object.values(properties).map(({ deprecated, description }) => ({
        isDeprecated: deprecated === true,
        description,
      }));
      for (const { isDeprecated, description = '' } of [...inQuery, ...inBody]) {
        assert.equal(isDeprecated, description.startsWith('Not supported: '), description);
        if (isDeprecated) found += 1;
      }
    }
    assert.ok(found > 20);
  });

  it('has only patterns that validators read with and without the flag u', async () => {
    for (const path of ['/openapi.json', '/operator/openapi.json']) {
      const { text } = await service().client.request('GET', path);
      const patterns: string[] = [];
      JSON.parse(text, (key, value) => {
        if (key === 'pattern' && typeof value === 'string') patterns.push(value);
        return value;
      });
      assert.ok(patterns.length > 3, path);
      for (const pattern of patterns) {
        assert.ok(new RegExp(pattern, 'u').source === new RegExp(pattern).source);
        assert.doesNotMatch(pattern, /\\[pPu]\{/);
      }
    }
  });

  it('says wherever a category is written that > does not separate its levels', () => {
    const posted = operationsOf(document).flatMap(({ method, parameters }) =>
      method === 'POST' ? parameters.filter(({ name }) => name === 'category') : [],
    );
    const inBodies = Object.values(document.components.schemas).flatMap(({ properties = {} }) =>
      properties.category?.maxLength === undefined ? [] : [properties.category],
    );
    assert.equal(posted.length, 2);
    assert.equal(inBodies.length, 3);
    for (const { description = '' } of [...posted, ...inBodies])
      assert.match(description, /separated by `>`.* is refused/);
  });

  it('has only examples that match their schemas', () => {
    const check = new SchemaCheck(document);
    let checked = 0;
    const assertValid = (schema: string, value: unknown): void => {
      if (value === undefined) return;
      check.assertValid(schema, value);
      checked += 1;
    };
    for (const operation of operationsOf(document)) {
      for (const [index, { example }] of operation.parameters.entries()) {
        assertValid(`${operation.pointer}/parameters/${index}/schema`, example);
      }
      for (const [type, { example }] of Object.entries(operation.requestBody?.content ?? {})) {
        const at = `${operation.pointer}${pointer('requestBody', 'content', type, 'schema').slice(1)}`;
        assert.ok(check.isValid(at, example), at);
      }
      for (const status of Object.keys(operation.responses)) {
        const response = check.resolve(`${operation.pointer}/responses/${status}`);
        const { content = {} } = check.at<{ content?: Record<string, { examples?: object }> }>(response);
        for (const [type, { examples = {} }] of Object.entries(content)) {
          const at = `${response}${pointer('content', type, 'schema').slice(1)}`;
          for (const { value } of Object.values(examples)) assertValid(at, value);
          assert.notDeepEqual(examples, {}, `${at} has examples`);
        }
      }
    }
    for (const [name, { example }] of Object.entries(document.components.headers)) {
      assertValid(pointer('components', 'headers', name, 'schema'), example);
    }
    assert.ok(checked > 30);
  });

  describe('has descriptions that', () => {
    let all: Described[];
    before(() => {
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
});

describe('the OpenAPI document and the routes', () => {
  for (const basePath of ['/v1', '/merchant_api/v1']) {
    it(`list exactly the same operations below ${basePath}`, async () => {
      const watch = new RouteWatch();
      await using service = await startTestService(sqlite, { environment: { BASE_PATH: basePath } });
      watch.stop();
      const document = await documentOf(service);
      assert.deepEqual(
        document.servers.map(({ url }) => url),
        [basePath],
      );
      const documented = operationsOf(document)
        .flatMap(({ method, path, 'x-alias': alias }) => [
          { method, path: path.replaceAll(/\{(\w+)\}/g, ':$1') },
          ...(alias === undefined ? [] : [{ method, path: alias }]),
        ])
        .flatMap(({ method, path }) =>
          (method === 'GET' ? ['GET', 'HEAD'] : [method]).flatMap((each) => [
            `${each} ${basePath}${path}`,
            `${each} ${basePath}${path.replace(/\.json$/, '')}`,
          ]),
        );
      const below = [...watch.routes].filter((route) => route.includes(` ${basePath}/`));
      assert.deepEqual(documented.sort(), below.sort());
      assert.equal(below.length, 262);
    });
  }
});

describe('the OpenAPI document of a service with settings', () => {
  const environment = { PUBLIC_URL: 'https://shop.example', CAMPAIGN_TYPES: 'AuctionCampaign, Banner' };
  const service = useService(sqlite, { environment });

  it('names the public address as the server of both APIs', async () => {
    for (const [path, base] of [
      ['/openapi.json', '/v1'],
      ['/operator/openapi.json', '/operator/v1'],
    ] as const) {
      const { servers } = (await service().client.request('GET', path)).json<OpenApiDocument>();
      assert.deepEqual(
        servers.map(({ url }) => url),
        [`https://shop.example${base}`],
      );
    }
  });

  it('lists the configured campaign types', async () => {
    const create = operationsOf(await documentOf(service())).find(
      ({ operationId }) => operationId === 'createCampaign',
    );
    const type = create?.parameters.find(({ name }) => name === 'type');
    assert.deepEqual(type?.schema.enum, ['AuctionCampaign', 'Banner']);
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
