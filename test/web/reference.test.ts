import assert from 'node:assert/strict';
import { it } from 'node:test';
import { groupsOf } from '../../web/reference/groups.ts';
import { highlight } from '../../web/reference/highlight.ts';
import type { OpenApi } from '../../web/reference/open-api.ts';
import { literal, type Syntax } from '../../web/reference/samples/literal.ts';
import { entriesOf, search } from '../../web/reference/search-reference.ts';
import { typeLabel } from '../../web/reference/type-label.ts';

const pot = { $ref: '#/components/schemas/Pot' };
const header = (name: string) => ({ name, in: 'header' as const, schema: { type: 'string' } });
const document: OpenApi = {
  info: { title: 'Pots', version: '1' },
  tags: [{ name: 'Pots and pans', description: 'What is sold.' }],
  paths: {
    '/pots/find.json': {
      get: {
        operationId: 'findPots',
        tags: ['Pots and pans'],
        summary: 'Find pots',
        parameters: [{ name: 'price', in: 'query', schema: { type: 'number' } }, header('X-Name')],
        responses: {
          200: {
            description: 'The pots.',
            content: { 'application/json': { schema: { type: 'array', items: pot } } },
          },
        },
      },
    },
    '/pans.json': {
      get: {
        operationId: 'listPans',
        tags: ['Pans'],
        summary: 'List pans',
        parameters: [header('X-Name')],
        responses: { 200: { description: 'A pot.', content: { 'application/json': { schema: pot } } } },
      },
    },
  },
  components: {
    schemas: {
      Pot: {
        type: 'object',
        properties: { price: { type: 'number' }, lid: { $ref: '#/components/schemas/Lid' } },
      },
      Lid: { type: 'object', properties: { size: { type: ['string', 'null'] } } },
    },
  },
};

it('a record is described with the first group that has it', () => {
  assert.deepEqual(
    groupsOf(document).map(({ slug, records, endpoints }) => [
      slug,
      records,
      endpoints.map(({ path }) => path),
    ]),
    [
      ['pots-and-pans', ['Pot', 'Lid'], ['/pots/find']],
      ['pans', [], ['/pans']],
    ],
  );
});

it('the search finds calls, paths, parameters, fields and records, the best ones first', () => {
  const entries = entriesOf(document, groupsOf(document));
  const found = (query: string) => search(entries, query).map(({ kind, hash }) => `${kind} ${hash}`);
  assert.deepEqual(found('price'), ['field Pot.price', 'parameter findPots.price']);
  assert.deepEqual(found('pot'), ['record Pot', 'call findPots']);
  assert.deepEqual(found('pots/find.json'), ['call findPots']);
  assert.deepEqual(found('pans LIST'), ['call listPans']);
  assert.deepEqual(found('saucer'), []);
  assert.deepEqual(found('  '), []);
});

it('a type is described in words', () => {
  assert.equal(typeLabel(document, { type: 'array', items: pot }), 'array of Pot');
  assert.equal(typeLabel(document, { oneOf: [pot, { type: 'null' }] }), 'Pot or null');
  assert.equal(typeLabel(document, { type: ['string', 'null'], format: 'date-time' }), 'time or null');
});

it('highlighting colors texts, names, words and numbers, and changes no character', () => {
  const program = `const a = { "b": 12, c: 'x // y' }; // "d"\ncurl 'https://e/f-1'`;
  const tokens = highlight(program);
  assert.equal(tokens.map(({ text }) => text).join(''), program);
  assert.deepEqual(
    tokens.flatMap(({ text, kind }) => (kind === undefined ? [] : [[kind, text]])),
    [
      ['word', 'const'],
      ['key', '"b"'],
      ['number', '12'],
      ['text', "'x // y'"],
      ['comment', '// "d"'],
      ['word', 'curl'],
      ['text', "'https://e/f-1'"],
    ],
  );
});

it('a short value is on one line, and a long one has a line for each entry', () => {
  const syntax: Syntax = {
    object: ['{ ', ' }'],
    list: ['[', ']'],
    entry: (name, value) => `${name}: ${value}`,
    text: (text) => `'${text}'`,
    words: ['yes', 'no', 'nothing'],
    indent: '  ',
  };
  assert.equal(literal({ a: [true, false, null], b: 1 }, syntax), '{ a: [yes, no, nothing], b: 1 }');
  assert.equal(
    literal({ first: 'x'.repeat(30), second: ['y'.repeat(60)] }, syntax),
    `{\n  first: '${'x'.repeat(30)}',\n  second: [\n    '${'y'.repeat(60)}',\n  ],\n}`,
  );
});
