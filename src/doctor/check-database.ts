import { statSync } from 'node:fs';
import { join } from 'node:path';
import { isSea } from 'node:sea';
import type { Config } from '../config.ts';
import type { Database, Reader } from '../database/database.ts';
import { SCHEMA_VERSION, schemaVersion } from '../database/migrate.ts';
import { openDatabaseReadOnly, type ReadOnlyDatabase, sqliteFile } from '../database/open-database.ts';
import { quickCheck } from '../database/sqlite/read-only.ts';
import { checkAcme } from './check-acme.ts';
import { checkDatabaseTls } from './check-database-tls.ts';
import { checkEncryption } from './check-encryption.ts';
import { checkEvents } from './check-events.ts';
import { checkRelease } from './check-release.ts';
import { checkWebhooks } from './check-webhooks.ts';
import { type Finding, findingsOf, messageWithoutPeriod } from './finding.ts';
import { findLatestTime, findServerTime } from './queries.ts';

const MINUTE_MS = 60_000;
/** With more, nodes differ noticeably in rate limits and expiration times. */
const MAX_CLOCK_DIFFERENCE_MS = 2_000;

/** Checks the connection, the schema, the contents, and the clock against the database's times. */
export async function checkDatabase(
  config: Config,
  now: () => number,
  options: { deep: boolean },
): Promise<Finding[]> {
  const tls = config.postgres === null ? [] : checkDatabaseTls(config.postgres);
  return [...tls, ...(await checkContents(config, now, options))];
}

async function checkContents(
  config: Config,
  now: () => number,
  { deep }: { deep: boolean },
): Promise<Finding[]> {
  const found = findingsOf('database');
  let database: ReadOnlyDatabase | null;
  try {
    database = await openDatabaseReadOnly({ ...config, databaseWaitMs: 0 });
  } catch (error) {
    const advice =
      config.postgres === null ? 'restore a backup' : 'check that the server is running, and DATABASE_URL';
    return [found.problem(messageWithoutPeriod(error), advice)];
  }
  if (database === null) {
    return [found.ok('the first start creates it'), checkClock(now(), { latest: installedAt() })];
  }
  const { dialect } = database;
  try {
    return await database.snapshot(async (reader) => [
      ...(deep && config.postgres === null ? [checkPages(sqliteFile(config.dataDirectory))] : []),
      ...(await checkSchema(reader, dialect, now, config)),
    ]);
  } catch (error) {
    return [found.problem(messageWithoutPeriod(error), 'if it happens again, see docs/how-to/back-up.md')];
  } finally {
    await database.close();
  }
}

async function checkSchema(
  reader: Reader,
  dialect: Database['dialect'],
  now: () => number,
  config: Config,
): Promise<Finding[]> {
  const found = findingsOf('database');
  const version = await schemaVersion(reader, dialect);
  const findings = [
    version >= SCHEMA_VERSION
      ? found.ok(
          `readable, with schema version ${version}${version > SCHEMA_VERSION ? ' of a newer program' : ''}`,
        )
      : found.warning(
          `has schema version ${version}, but this program needs ${SCHEMA_VERSION}`,
          'back it up, then run "tradepost migrate" or start the service, which also migrates it',
        ),
  ];
  const latest = version === 0 ? 0 : ((await reader.first(findLatestTime))?.latest ?? 0);
  const before = now();
  const server = config.postgres !== null ? await reader.first(findServerTime) : undefined;
  const times = { latest: Math.max(latest, installedAt()), ...(server && { server: server.now }) };
  findings.push(checkClock((before + now()) / 2, times));
  if (version >= SCHEMA_VERSION) {
    findings.push(
      await checkEvents(reader, dialect),
      await checkWebhooks(reader, dialect, now()),
      ...(await checkEncryption(reader, config)),
      ...(await checkAcme(reader, config, now())),
      ...(await checkRelease(reader, config)),
    );
  }
  return findings;
}

/** Compares this machine's clock with the clock of a PostgreSQL server. */
export async function checkServerClock(reader: Pick<Reader, 'first'>, now: () => number): Promise<Finding> {
  const before = now();
  const server = await reader.first(findServerTime);
  return checkClock((before + now()) / 2, { latest: 0, ...(server && { server: server.now }) });
}

/** A correct clock cannot be earlier. */
function installedAt(): number {
  const file = isSea() ? process.execPath : join(import.meta.dirname, '..', '..', 'package.json');
  return statSync(file).mtimeMs;
}

function checkClock(now: number, { latest, server }: { latest: number; server?: number }): Finding {
  const found = findingsOf('clock');
  const advice = 'synchronize the clocks of all machines with NTP';
  if (latest - now > MINUTE_MS) {
    return found.problem(
      `earlier than ${new Date(latest).toISOString()}, the time of an existing record`,
      advice,
    );
  }
  if (server === undefined) return found.ok('consistent with existing records');
  const difference = Math.abs(server - now);
  const message = `${(difference / 1000).toFixed(1)} s from the database server's`;
  if (difference > MINUTE_MS) return found.problem(message, advice);
  return difference > MAX_CLOCK_DIFFERENCE_MS ? found.warning(message, advice) : found.ok(message);
}

function checkPages(file: string): Finding {
  const found = findingsOf('database');
  const faults = quickCheck(file);
  if (faults.length === 0) return found.ok('no corrupt pages');
  return found.problem(`${faults.length} faults in its pages, such as: ${faults[0]}`, 'restore a backup');
}
