import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { globSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { before, describe, it } from 'node:test';
import { clients } from '../../clients/emit/build.ts';
import { emitPhp } from '../../clients/emit/php.ts';
import { emitPython } from '../../clients/emit/python.ts';
import { readModel } from '../../clients/emit/read-model.ts';
import { Unknown } from '../../clients/emit/types.ts';
import { sqlite } from '../support/engines.ts';
import { useService } from '../support/service.ts';
import { languages, whyNot } from './runner.ts';

const root = join(import.meta.dirname, '..', '..');
const [, php, python] = languages;

describe('the generated files of the clients in PHP and Python', () => {
  const service = useService(sqlite);
  let documents: [unknown, unknown];
  before(async () => {
    const read = async (path: string): Promise<unknown> =>
      (await service().client.request('GET', path)).json();
    documents = [await read('/openapi.json'), await read('/operator/openapi.json')];
  });

  it('were emitted from the documents that the service returns', async () => {
    const model = readModel(...documents);
    for (const { folder, emit } of clients) {
      const files = emit(model);
      const found = globSync('**/*.{php,py}', { cwd: folder });
      assert.deepEqual(found.sort(), [...files.keys()].sort());
      for (const [path, source] of files) {
        const built = await readFile(join(folder, path), 'utf8');
        assert.equal(built, source, `${path}: the document has changed: run npm run build`);
      }
    }
  });

  it('are valid PHP', { skip: php !== undefined && whyNot(php) }, () => {
    const files = globSync('clients/php/{src,generated}/**/*.php', { cwd: root });
    const parse = 'foreach (array_slice($argv, 1) as $f) token_get_all(file_get_contents($f), TOKEN_PARSE);';
    execFileSync('php', ['-r', parse, ...files], { cwd: root, stdio: 'pipe' });
  });

  it('are valid Python 3.9', { skip: python !== undefined && whyNot(python) }, () => {
    const files = globSync('clients/python/src/**/*.py', { cwd: root });
    const parse = 'import ast, sys\nfor f in sys.argv[1:]: ast.parse(open(f).read(), feature_version=(3, 9))';
    execFileSync('python3', ['-c', parse, ...files], { cwd: root, stdio: 'pipe' });
  });
});

it('the clients have the version of the program', async () => {
  const read = (path: string): Promise<string> => readFile(join(root, path), 'utf8');
  const { version } = JSON.parse(await read('package.json'));
  assert.equal(JSON.parse(await read('clients/php/composer.json')).version, version);
  for (const [path, text] of [
    ['clients/php/src/Sender.php', `const VERSION = '${version}';`],
    ['clients/python/pyproject.toml', `version = "${version}"`],
    ['clients/python/src/tradepost/sender.py', `VERSION = "${version}"`],
  ] as const) {
    assert.ok((await read(path)).includes(`${text}\n`), path);
  }
});

const json = (schema: object): object => ({ content: { 'application/json': { schema } } });
const record = { type: 'object', properties: { id: { type: 'string' } }, required: ['id'] };

/** Returns a document with one operation, for which these members replace the default ones. */
function documentWith(operation: object, schemas: object = {}, path = '/things', method = 'get'): object {
  const whole = { operationId: 'listThings', summary: 'List things', responses: { 200: json(record) } };
  return {
    paths: { [path]: { [method]: { ...whole, ...operation } } },
    webhooks: {},
    components: { schemas },
  };
}

const nothing = { paths: {}, webhooks: {}, components: { schemas: {} } };

function emit(...parameters: Parameters<typeof documentWith>): { php: string; python: string } {
  const model = readModel(documentWith(...parameters), nothing);
  const text = (files: Map<string, string>): string => [...files.values()].join('\n');
  return { php: text(emitPhp(model)), python: text(emitPython(model)) };
}

describe('the emitter of the clients', () => {
  it('knows enums, nullable values, lists, maps and objects in results', () => {
    const properties = {
      from: { type: 'integer' },
      state: { type: ['string', 'null'], enum: ['on', 'off', null] },
      names: { type: 'array', items: { type: 'string' } },
      codes: { type: 'object', additionalProperties: { type: 'string' } },
      slots: { type: ['object', 'null'], properties: { 0: { type: 'integer' }, 1: { type: 'integer' } } },
      entries: { anyOf: [{ type: 'array', items: { type: 'string' } }, { type: 'object' }] },
      owner: { oneOf: [{ $ref: '#/components/schemas/Owner' }, { type: 'null' }] },
      parts: { type: 'array', items: { type: 'object', properties: { size: { type: 'number' } } } },
    };
    const schema = { type: 'object', properties, required: Object.keys(properties) };
    const { php, python } = emit({ responses: { 200: json(schema) } }, { Owner: record });
    for (const line of [
      '@property-read int $from',
      "@property-read 'on'|'off'|null $state",
      '@property-read list<string> $names',
      '@property-read array<string, string> $codes',
      '@property-read array<int, int>|null $slots',
      '@property-read list<string>|array<string, mixed> $entries',
      '@property-read Owner|null $owner',
      '@property-read list<ListThingsResultPartsItem> $parts',
      "RECORDS = ['owner' => Owner::class, 'parts' => ListThingsResultPartsItem::class];",
      '@property-read int|float|null $size',
    ])
      assert.ok(php.includes(line), line);
    for (const line of [
      'from_: int',
      '_names = {"from_": "from"}',
      'state: Optional[Literal["on", "off"]]',
      'names: List[str]',
      'codes: Dict[str, str]',
      'slots: Optional[Dict[str, int]]',
      'entries: Union[List[str], Dict[str, Any]]',
      'owner: Optional[Owner]',
      'parts: List[ListThingsResultPartsItem]',
      '_records = {"owner": Owner, "parts": ListThingsResultPartsItem}',
      'size: Optional[float]',
    ])
      assert.ok(python.includes(line), line);
  });

  it('knows results without a body, and results that are not records', () => {
    const empty = emit({ responses: { 204: { description: 'Done' } } });
    assert.match(empty.php, /listThings\(\n\s*\): void \{/);
    assert.match(empty.python, /def list_things\(\s*self,\s*\) -> None:/);
    const names = emit({ responses: { 200: json({ type: 'array', items: { type: 'string' } }) } });
    assert.match(names.php, /@return list<string>/);
    assert.match(names.python, /-> List\[str\]:/);
    const codes = emit({
      responses: {
        200: json({ type: 'object', additionalProperties: { type: 'array', items: { type: 'string' } } }),
      },
    });
    assert.match(codes.php, /@return array<string, list<string>>/);
    assert.match(codes.python, /-> Dict\[str, List\[str\]\]:/);
  });

  it('knows parameters in queries, in paths, and nested in JSON', () => {
    const ids = {
      name: 'ids',
      in: 'query',
      explode: false,
      schema: { type: 'array', items: { type: 'integer' } },
    };
    const inQuery = emit({ parameters: [ids, { name: 'old', in: 'query', deprecated: true, schema: {} }] });
    assert.match(inQuery.php, /ids\?: list<int>,/);
    assert.match(inQuery.python, /ids: List\[int\]/);
    assert.doesNotMatch(inQuery.python, /\bold\b/);
    const inPath = emit({ parameters: [] }, {}, '/owners/{owner_id}/things', 'delete');
    assert.match(
      inPath.php,
      /string \$ownerId,[\s\S]*'\/owners\/' \. rawurlencode\(\$ownerId\) \. '\/things'/,
    );
    assert.match(inPath.python, /owner_id: str,[\s\S]*f"\/owners\/\{quote\(owner_id, safe=''\)\}\/things"/);
    const fees = { type: 'array', items: { type: 'string', enum: ['buyer', 'shipping'] } };
    const line = {
      type: 'object',
      properties: { size: { type: ['string', 'null'] }, fees },
      required: ['fees'],
    };
    const body = {
      type: 'object',
      properties: { lines: { type: 'array', items: { $ref: '#/components/schemas/Line' } } },
    };
    const nested = emit(
      { operationId: 'putThing', requestBody: json(body) },
      { Line: line },
      '/things',
      'put',
    );
    assert.match(
      nested.php,
      /lines\?: list<array\{ size\?: string\|null, fees: list<'buyer'\|'shipping'>, \}>,/,
    );
    assert.match(nested.python, /class Line\(_LineRequired, total=False\):[\s\S]*lines: List\[Line\]/);
  });

  it('tells an object that is sent from the same object that is returned', () => {
    const owner = { $ref: '#/components/schemas/Owner' };
    const body = { type: 'object', properties: { owner }, required: ['owner'] };
    const both = { requestBody: json(body), responses: { 200: json(owner) } };
    const { php, python } = emit(both, { Owner: record }, '/owners', 'put');
    assert.match(php, /owner: array\{ id: string, \},[\s\S]*\): Records\\Owner \{/);
    assert.match(python, /class SentOwner\([\s\S]*owner: SentOwner[\s\S]*-> Owner:/);
  });

  it('knows files and streams', () => {
    const file = { type: 'string', contentMediaType: 'application/octet-stream' };
    const schema = {
      type: 'object',
      properties: { name: { type: 'string' }, photo: file },
      required: ['photo'],
    };
    const upload = emit(
      { requestBody: { content: { 'multipart/form-data': { schema } } } },
      {},
      '/photos',
      'post',
    );
    assert.match(upload.php, /\\CURLFile\|\\CURLStringFile \$photo,[\s\S]*fileField: 'photo',/);
    assert.match(upload.python, /photo: File,[\s\S]*file=photo,\s*file_field="photo",/);
    const lines = { content: { 'application/x-ndjson': { schema: { type: 'string' } } } };
    const stream = emit({ requestBody: lines }, {}, '/things', 'post');
    assert.match(stream.php, /\\Closure \$records,[\s\S]*records: \$records,/);
    assert.match(stream.python, /records: Records,[\s\S]*records=records,/);
  });

  const inQuery = (schema: object): object => ({ parameters: [{ name: 'a', in: 'query', schema }] });
  const returning = (schema: object): object => ({ responses: { 200: json(schema) } });
  const unknown: Record<string, Parameters<typeof documentWith>> = {
    'a keyword': [returning({ type: 'string', not: {} })],
    'a schema without a type': [returning({})],
    'a type': [returning({ type: 'date' })],
    'a format': [returning({ type: 'string', format: 'binary' })],
    'numbers in an enum': [returning({ type: 'integer', enum: [1, 2] })],
    'alternatives that nothing decides': [returning({ oneOf: [{ type: 'string' }, record] })],
    'a result that may be null': [returning({ oneOf: [record, { type: 'null' }] })],
    'a map of records': [returning({ type: 'object', additionalProperties: record })],
    'further members next to fixed ones': [
      returning({ ...record, additionalProperties: { type: 'string' } }),
    ],
    'a reference to nothing': [returning({ $ref: '#/components/schemas/Nothing' })],
    'a list in the query as a repeated parameter': [inQuery({ type: 'array', items: { type: 'string' } })],
    'an object in the query': [inQuery({ type: 'object', properties: {} })],
    'a header': [{ parameters: [{ name: 'X-Magic', in: 'header', schema: { type: 'string' } }] }],
    'a method': [{}, {}, '/things', 'patch'],
    'a member of an operation': [{ callbacks: {} }],
    'a body': [
      { requestBody: { content: { 'text/csv': { schema: { type: 'string' } } } } },
      {},
      '/things',
      'post',
    ],
    'a response that is not JSON': [{ responses: { 200: { content: { 'text/csv': {} } } } }],
    'successes with different bodies': [{ responses: { 200: json(record), 202: json({ type: 'string' }) } }],
    'no success': [{ responses: { 400: json(record) } }],
    'a field that all records have already': [
      returning({ type: 'object', properties: { etag: { type: 'string' } }, required: [] }),
    ],
  };
  for (const [what, parameters] of Object.entries(unknown))
    it(`does not guess: ${what}`, () => {
      assert.throws(() => emit(...parameters), Unknown);
    });

  it('does not guess: an object that both documents have with different types', () => {
    const owner = { $ref: '#/components/schemas/Owner' };
    const other = { ...record, properties: { id: { type: 'integer' } } };
    const one = documentWith(returning(owner), { Owner: record });
    assert.throws(() => readModel(one, documentWith(returning(owner), { Owner: other })), Unknown);
    assert.doesNotThrow(() => readModel(one, one));
  });
});
