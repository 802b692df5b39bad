import assert from 'node:assert/strict';
import { cp, mkdir, readFile, realpath, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Owner, type Program, temporaryDirectory } from '../support/process.ts';

const ROOT = join(import.meta.dirname, '../..');
const PASSED_VARIABLES = ['PATH', 'NODE_COMPILE_CACHE', 'NODE_OPTIONS'];

/** A part of a page of the next version, as a path. */
export const NEXT_PART = '/console/assets/next-version.js';

type Change = readonly [file: string, from: string | RegExp, to: string];

/** Ends the list of migrations. */
const LAST_MIGRATION = /(const migrations: readonly Migration\[\] = \[[^;]*?),?\n?\];/;

function addMigrations(...migrations: readonly string[]): Change {
  return ['src/database/migrate.ts', LAST_MIGRATION, `$1,\n${migrations.join(',\n')},\n];`];
}

/**
 * The stock of a product gets columns of its own, which lists could be sorted by. A program of the former
 * version changes the stock without them, so they state the revision of the product that they are of. Each
 * write sets them, each read uses them or else the record, and old rows follow in small transactions.
 */
const expanding: readonly Change[] = [
  ['package.json', /"version": "[^"]*"/, '"version": "90.0.0"'],
  addMigrations(
    `{
      purpose: 'columns for the stock of products',
      usableFrom: USABLE_FROM,
      statements: ({ integer }) => [
        \`ALTER TABLE products ADD COLUMN stock_total \${integer}\`,
        \`ALTER TABLE products ADD COLUMN stock_revision \${integer}\`,
      ],
    }`,
    `{
      purpose: 'an index of the stock of products',
      usableFrom: USABLE_FROM,
      statements: () => [
        'CREATE INDEX products_by_stock_total ON products (merchant_id, stock_total, internal_id)',
      ],
    }`,
  ),
  [
    'src/products/record/queries.ts',
    "  'revision',\n  'history_revision',\n  'record',\n] as const",
    "  'revision',\n  'history_revision',\n  'record',\n  'stock_total',\n  'stock_revision',\n] as const",
  ],
  [
    'src/products/record/queries.ts',
    'END AS record\n     FROM products p WHERE p.merchant_id = :merchantId AND p.identifier = :identifier`',
    `END AS record, CASE WHEN p.stock_revision = p.revision THEN p.stock_total END AS stock_total
     FROM products p WHERE p.merchant_id = :merchantId AND p.identifier = :identifier\``,
  ],
  [
    'src/products/record/product-row.ts',
    '    record: renderProduct(product),\n',
    `    record: renderProduct(product),
    stock_total: product.available_quantity,
    stock_revision: basis.revision,
`,
  ],
  [
    'src/products/retrieve/retrieve-product.ts',
    "  return row === undefined || fields === 'standard'",
    `  if (row !== undefined && fields === 'standard') {
    const stock = row.stock_total ?? JSON.parse(row.record).available_quantity;
    return row.record.replace(/}$/, \`,"stock_total":\${stock}}\`);
  }
  return row === undefined || fields === 'standard'`,
  ],
  [
    'src/background.ts',
    "import type { Acme } from './acme/acme.ts';",
    "import type { Acme } from './acme/acme.ts';\nimport { stockMover } from './stock-mover.ts';",
  ],
  [
    'src/background.ts',
    '  const senderThread = new SenderThread(config.mail);',
    `  const mover = stockMover(database, (error) => logger.warn({ err: error }, 'stock not moved; trying again'));
  const senderThread = new SenderThread(config.mail);`,
  ],
  ['src/background.ts', '      numbering.start();', '      numbering.start();\n      mover.start();'],
  [
    'src/background.ts',
    '      await numbering.close();',
    '      await mover.close();\n      await numbering.close();',
  ],
];

const stockMover = `
import { everySide } from './database/every-merchant.ts';
import { lockMerchant } from './database/merchant-queries.ts';
import { statement, updateIn } from './database/statement.ts';
import { PollingLoop } from './shared/polling-loop.ts';

const ROWS_AT_ONCE = 20;
const findStale = statement(
  \`SELECT internal_id, revision, record FROM products
   WHERE merchant_id = :merchantId AND (stock_revision IS NULL OR stock_revision <> revision)
   ORDER BY internal_id LIMIT \${ROWS_AT_ONCE}\`,
);
const setStock = updateIn('products', ['merchant_id', 'internal_id'], ['stock_total', 'stock_revision']);

export function stockMover(database, onError) {
  const move = async (merchantId) => {
    if ((await database.all(findStale, { merchantId })).length === 0) return false;
    await database.transaction(
      async (connection) => {
        await connection.first(lockMerchant, { merchantId });
        const rows = await connection.all(findStale, { merchantId });
        const moved = rows.map(({ internal_id, revision, record }) => ({
          merchant_id: merchantId,
          internal_id,
          stock_total: JSON.parse(record).available_quantity,
          stock_revision: revision,
        }));
        await connection.runEach(setStock, moved);
      },
      { merchantId },
    );
    return true;
  };
  const step = async () => {
    let hasMoved = false;
    for await (const merchantId of everySide(database)) hasMoved = (await move(merchantId)) || hasMoved;
    return hasMoved;
  };
  return new PollingLoop({ step, pollMs: 100, minPauseMs: () => 5, onError });
}
`;

/** Of the version after that one. Only programs that know it can use the database then. */
const contracting: readonly Change[] = [
  ['package.json', /"version": "[^"]*"/, '"version": "91.0.0"'],
  addMigrations(
    `{
      purpose: 'sales are counted elsewhere',
      statements: () => ['DROP INDEX products_by_sales_count'],
    }`,
  ),
];

/** Programs of two versions that do not exist yet: this version's sources with changes. */
export interface NextVersions {
  /** Extends the schema, and programs of this version can use it afterwards. */
  next: Program;
  /** Changes what `next` uses, so that only this program can use the database afterwards. */
  last: Program;
}

/** `schemaVersion` is the version of the schema that this program knows. */
export async function makeNextVersions(t: Owner, schemaVersion: number): Promise<NextVersions> {
  const directory = await temporaryDirectory(t);
  const isUsableFrom = (text: string): string => text.replaceAll('USABLE_FROM', String(schemaVersion));
  const next = await copyOf(ROOT, join(directory, 'next'));
  for (const [file, from, to] of expanding) await change(next, file, from, isUsableFrom(to));
  await writeFile(join(next, 'src/stock-mover.ts'), stockMover);
  await writeFile(join(next, 'web/dist', NEXT_PART), '// of a page that the former version does not have\n');
  const last = await copyOf(next, join(directory, 'last'));
  for (const [file, from, to] of contracting) await change(last, file, from, to);
  return { next: programIn(next), last: programIn(last) };
}

async function copyOf(root: string, copy: string): Promise<string> {
  await mkdir(copy);
  for (const name of ['bin', 'src', 'web/dist', 'package.json'])
    await cp(join(root, name), join(copy, name), { recursive: true });
  await symlink(await realpath(join(root, 'node_modules')), join(copy, 'node_modules'));
  return copy;
}

async function change(root: string, file: string, from: string | RegExp, to: string): Promise<void> {
  const path = join(root, file);
  const text = await readFile(path, 'utf8');
  const changed = typeof from === 'string' ? text.split(from).join(to) : text.replace(from, to);
  assert.notEqual(changed, text, `${file} does not contain ${from}`);
  await writeFile(path, changed);
}

function programIn(root: string): Program {
  return { command: [process.execPath, join(root, 'bin/tradepost.js')], passedVariables: PASSED_VARIABLES };
}
