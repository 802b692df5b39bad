import assert from 'node:assert/strict';
import { readdir } from 'node:fs/promises';
import { it } from 'node:test';
import { SCHEMA_VERSION } from '../../src/database/migrate.ts';
import { statement } from '../../src/database/statement.ts';
import { type Engine, forEachEngine, sqlite } from '../support/engines.ts';
import { expectStartFailure } from '../support/expect.ts';
import { type Owner, temporaryDirectory } from '../support/process.ts';
import { execute, newMerchant, onDatabaseAsItIs } from '../support/stored.ts';
import { runCommand } from './run-command.ts';

type Environment = Record<string, string> & { DATA_DIR: string };

const UP_TO_DATE = 'The schema is up to date.\n';
const listIndexes = {
  sqlite: "SELECT sql AS definition FROM sqlite_schema WHERE type = 'index' AND sql IS NOT NULL ORDER BY 1",
  postgres: "SELECT indexdef AS definition FROM pg_indexes WHERE schemaname = 'public' ORDER BY 1",
};

const emptyEnvironment = async (t: Owner, engine: Engine): Promise<Environment> => ({
  DATA_DIR: await temporaryDirectory(t),
  ...(await engine.environment({ empty: true })),
});

async function dryRun(environment: Environment): Promise<string> {
  const { status, stdout, stderr } = await runCommand(['migrate', '--dry-run'], environment);
  assert.deepEqual([status, stderr], [0, '']);
  return stdout;
}

function parse(output: string): { statements: string[]; text: string[] } {
  const isText = (line: string): boolean => line.startsWith('-- ') || line.endsWith(':');
  const lines = output.trimEnd().split('\n');
  const sql = lines.filter((line) => !isText(line)).join('\n');
  const statements = sql.split(';').map((each) => each.trim());
  return { statements: statements.filter((each) => each !== ''), text: lines.filter(isText) };
}

/** The columns of every table, and the indexes. */
async function schema(environment: Environment, engine: Engine): Promise<Record<string, unknown[]>> {
  return await onDatabaseAsItIs(environment, async (database) => {
    const found: Record<string, unknown[]> = {};
    for (const { name } of await database.all(database.dialect.listTables))
      found[name] = await database.all(database.dialect.listColumns, { table: name });
    const indexes = statement<unknown, { definition: string }>(
      engine === sqlite ? listIndexes.sqlite : listIndexes.postgres,
    );
    const definitions = (await database.all(indexes)).map(({ definition }) => definition);
    return { ...found, indexes: definitions.map((definition) => definition.replaceAll(/\s+/g, ' ')) };
  });
}

forEachEngine((engine) => {
  it('--dry-run prints the whole schema for an empty database, and creates nothing', async (t) => {
    const environment = await emptyEnvironment(t, engine);
    const { statements, text } = parse(await dryRun(environment));
    assert.match(text[0] ?? '', /^The database is empty\. "tradepost migrate" would create the schema/);
    assert.deepEqual(
      text.slice(1).map((line) => Number(/^-- (\d+): \S/.exec(line)?.[1])),
      Array.from({ length: SCHEMA_VERSION }, (_, index) => index + 1),
    );
    assert.deepEqual(await readdir(environment.DATA_DIR), []);
    if (engine !== sqlite) assert.deepEqual(await execute(environment), []);

    const migrated = await emptyEnvironment(t, engine);
    assert.equal((await runCommand(['migrate'], migrated)).status, 0);
    await execute(environment, ...statements);
    assert.deepEqual(await schema(environment, engine), await schema(migrated, engine));
  });

  it('--dry-run says so if nothing would run', async (t) => {
    const environment = { DATA_DIR: await temporaryDirectory(t), ...(await engine.environment()) };
    await newMerchant(environment);
    assert.equal(await dryRun(environment), UP_TO_DATE);
  });

  const unusable: [name: string, sql: string, message: RegExp][] = [
    ['of another program', 'CREATE TABLE users (name text)', /belongs to another program/],
    [
      'of a newer version',
      'INSERT INTO tradepost_migrations VALUES (999, 0, 999)',
      /schema version 999, but this program supports only \d+/,
    ],
    ['with an unfinished copy', 'CREATE TABLE tradepost_copy (run text)', /contains an unfinished copy/],
  ];
  for (const [name, sql, message] of unusable) {
    it(`fails for a database ${name}, with and without --dry-run`, async (t) => {
      const environment = await emptyEnvironment(t, engine);
      if (!name.includes('another')) await runCommand(['migrate'], environment);
      await execute(environment, sql);
      const migrating = await runCommand(['migrate'], environment);
      expectStartFailure(migrating, message);
      assert.deepEqual(await runCommand(['migrate', '--dry-run'], environment), migrating);
    });
  }
});
