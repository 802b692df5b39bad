import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { it } from 'node:test';
import { eventTypes, isForMerchants } from '../src/events/event-types.ts';
import { apiStatuses, type ErrorName } from '../src/http/responses/statuses.ts';
import { errorReferences } from '../src/openapi/errors/error-references.ts';
import { eventReferences } from '../src/openapi/events/event-references.ts';
import { exampleEvent } from '../src/openapi/events/event-schema.ts';
import { type Field, productFields, variationFields } from '../src/products/record/product.ts';

const reference = join(import.meta.dirname, '..', 'docs', 'reference');

/** Returns the names in backquotes in the first cells of a page's tables. */
async function namesIn(page: string): Promise<string[]> {
  const text = await readFile(join(reference, page), 'utf8');
  const rows = text.split('\n').filter((line) => line.startsWith('| `'));
  return rows.flatMap((row) =>
    [...(row.split('|')[1] ?? '').matchAll(/`(\w+)`/g)].map(([, name]) => name ?? ''),
  );
}

it('the error reference lists exactly the errors of the registry, and describes each as GET /errors does', async () => {
  assert.deepEqual(Object.keys(errorReferences).sort(), Object.keys(apiStatuses).sort());
  const described = Object.entries(errorReferences).map(
    ([name, { statuses, cause, remedy }]) =>
      `| \`${name}\` | ${statuses.join(', ')} | ${cause} | ${remedy}${remedy === '' ? '' : ' '}|`,
  );
  for (const [name, status] of Object.entries(apiStatuses))
    assert.equal(errorReferences[name as ErrorName].statuses[0], status, name);
  const text = await readFile(join(reference, 'errors.md'), 'utf8');
  assert.deepEqual(
    text.split('\n').filter((line) => line.startsWith('| `')),
    described,
  );
});

it('the settings reference lists exactly the settings that are read', async () => {
  const source = await readFile(join(import.meta.dirname, '..', 'src', 'config.ts'), 'utf8');
  const read = new Set([...source.matchAll(/text\('([A-Z_]+)'/g)].map(([, name]) => name));
  assert.deepEqual((await namesIn('settings.md')).sort(), [...read].sort());
});

/** Returns the cells of a table's rows, keyed by the first cell. */
async function tableIn(page: string, header: string): Promise<Map<string, string[]>> {
  const text = await readFile(join(reference, page), 'utf8');
  const [, rows = ''] = text.split(`${header}\n`);
  const cells = rows
    .slice(0, rows.indexOf('\n\n'))
    .split('\n')
    .slice(1)
    .map((row) => row.split('|').map((cell) => cell.trim()));
  return new Map(cells.map(([, first = '', ...others]) => [first, others]));
}

const quoted = (text: string): string[] => [...text.matchAll(/`(\w+)`/g)].map(([, name = '']) => name).sort();

it('the import reference names the owner of each field', async () => {
  const table = await tableIn('import-formats.md', '| owner | product fields | variation fields |');
  for (const owner of ['operator', 'derived']) {
    for (const [index, fields] of [productFields, variationFields].entries()) {
      const owned = Object.entries<Field>(fields).filter(([, field]) => field.owner === owner);
      assert.deepEqual(quoted(table.get(owner)?.[index] ?? ''), owned.map(([name]) => name).sort());
    }
  }
});

it('the import reference states the limit of each text', async () => {
  const table = await tableIn('import-formats.md', '| field | characters |');
  const stated = [...table].flatMap(([names, [limit]]) => quoted(names).map((name) => [name, Number(limit)]));
  const declared = Object.entries<Field>({ ...productFields, ...variationFields }).flatMap(([name, field]) =>
    field.kind === 'text' ? [[name, field.maxLength]] : [],
  );
  assert.deepEqual(Object.fromEntries(stated), Object.fromEntries(declared));
});

it('the event reference describes every type as the OpenAPI documents do, each with its example', async () => {
  const text = await readFile(join(reference, 'events.md'), 'utf8');
  const sections = [...text.matchAll(/^### `([\w.]+)`\n\n(.*)\n\n```json\n([^`]*)```$/gm)];
  assert.deepEqual(
    sections.map(([, type]) => type),
    eventTypes,
  );
  for (const [index, [, , description, example = '']] of sections.entries()) {
    const type = eventTypes[index] ?? assert.fail();
    const note = isForMerchants(type) ? '' : ' Only the operator gets it.';
    assert.equal(description, `${eventReferences[type].description.replaceAll('’', "'")}${note}`);
    assert.deepEqual(JSON.parse(example), exampleEvent(type));
  }
});
