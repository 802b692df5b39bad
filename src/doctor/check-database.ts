import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Config } from '../config.ts';
import type { Database, Reader } from '../database/database.ts';
import { SCHEMA_VERSION, schemaVersion } from '../database/migrations/migrate.ts';
import { openPostgres } from '../database/postgres/open.ts';
import { openSqliteReadOnly, quickCheck } from '../database/sqlite/read-only.ts';
import { checkDatabaseTls } from './check-database-tls.ts';
import { type Finding, findingsOf, reasonOf } from './finding.ts';
import { findLatestTime, findServerTime } from './queries.ts';

const MINUTE_MS = 60_000;
/** Nodes whose clocks are apart by more count requests and expire keys apart by as much. */
const APART_MS = 2_000;

/** The database: whether it can be reached safely and used, its schema, and what its times say of the clock. */
export async function checkDatabase(
  config: Config,
  now: () => number,
  options: { deep: boolean },
): Promise<Finding[]> {
  const tls = config.postgres === null ? [] : checkDatabaseTls(config.postgres);
  return [...tls, ...(await checkUse(config, now, options))];
}

async function checkUse(config: Config, now: () => number, { deep }: { deep: boolean }): Promise<Finding[]> {
  const found = findingsOf('database');
  const file = join(config.dataDirectory, 'tradepost.db');
  if (config.postgres === null && !existsSync(file)) {
    return [found.ok('the first start makes it'), checkClock(now(), { newest: builtAt() })];
  }
  let database: Pick<Database, 'dialect' | 'snapshot' | 'close'>;
  try {
    database =
      config.postgres === null
        ? openSqliteReadOnly(file)
        : await openPostgres(config.postgres, { waitMs: 0, onWaiting: () => {} });
  } catch (error) {
    const advice =
      config.postgres === null ? 'restore a backup' : 'see whether the server runs, and DATABASE_URL';
    return [found.problem(reasonOf(error), advice)];
  }
  try {
    return await database.snapshot(async (reader) => [
      ...(deep && config.postgres === null ? [checkPages(file)] : []),
      ...(await checkContents(reader, database.dialect, now, config.postgres !== null)),
    ]);
  } catch (error) {
    return [found.problem(reasonOf(error), 'see docs/how-to/back-up.md where it does not pass')];
  } finally {
    await database.close();
  }
}

async function checkContents(
  reader: Reader,
  dialect: Database['dialect'],
  now: () => number,
  hasClock: boolean,
): Promise<Finding[]> {
  const found = findingsOf('database');
  const version = await schemaVersion(reader, dialect);
  const findings = [
    version === SCHEMA_VERSION
      ? found.ok(`can be read, and has schema version ${version}`)
      : found.warning(
          `has schema version ${version}, and this program's is ${SCHEMA_VERSION}`,
          'back it up, then run "tradepost migrate", or start the service, which migrates too',
        ),
  ];
  const newest = version === 0 ? 0 : ((await reader.first(findLatestTime))?.latest ?? 0);
  const asked = now();
  const server = hasClock ? await reader.first(findServerTime) : undefined;
  const times = { newest: Math.max(newest, builtAt()), ...(server && { server: server.now }) };
  return [...findings, checkClock((asked + now()) / 2, times)];
}

/** When this program was put here: no clock is right that is before that. */
function builtAt(): number {
  return statSync(join(import.meta.dirname, '..', '..', 'package.json')).mtimeMs;
}

function checkClock(now: number, { newest, server }: { newest: number; server?: number }): Finding {
  const found = findingsOf('clock');
  const advice = 'have it set by NTP, on every machine';
  if (newest - now > MINUTE_MS) {
    return found.problem(`before ${new Date(newest).toISOString()}, when something was done already`, advice);
  }
  if (server === undefined) return found.ok('later than whatever was done before');
  const apart = Math.abs(server - now);
  const message = `${(apart / 1000).toFixed(1)} s from the database server's`;
  if (apart > MINUTE_MS) return found.problem(message, advice);
  return apart > APART_MS ? found.warning(message, advice) : found.ok(message);
}

function checkPages(file: string): Finding {
  const found = findingsOf('database');
  const faults = quickCheck(file);
  if (faults.length === 0) return found.ok('every page is as it should be');
  return found.problem(`${faults.length} faults in its pages, such as: ${faults[0]}`, 'restore a backup');
}
