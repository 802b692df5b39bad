import { pino } from 'pino';
import { parseConfig } from '../../src/config.ts';
import type { Connection, Database } from '../../src/database/database.ts';
import { intercept } from '../../src/database/intercept.ts';
import { openDatabase } from '../../src/database/open-database.ts';
import { startService } from '../../src/service.ts';
import type { Settings } from '../engines/engine.ts';
import { send } from '../measuring/client.ts';
import type { ScriptedRequest } from '../measuring/wrk-scripts.ts';
import { NO_LIMITS } from '../service/servers.ts';

/**
 * Counts the SQL statements of one request of each kind. Serves the database in this process. Only the last
 * third counts, when known pages are known, and not the statements that begin and end transactions.
 */
export async function countStatements<Kind extends string>(
  settings: Settings,
  requests: Record<Kind, readonly ScriptedRequest[]>,
): Promise<Record<Kind, number>> {
  const config = parseConfig({ ...settings, ...NO_LIMITS, PORT: '0', METRICS_ADDRESS: 'off' });
  const counter = { statements: 0 };
  const database = counting(await openDatabase(config, Date.now()), counter);
  const service = await startService(config, database, pino({ level: 'silent' }), Date.now);
  try {
    const counts: [string, number][] = [];
    for (const [kind, kindRequests] of Object.entries<readonly ScriptedRequest[]>(requests)) {
      const counted = Math.ceil(kindRequests.length / 3);
      for (const [index, { path, form }] of kindRequests.entries()) {
        if (index === kindRequests.length - counted) counter.statements = 0;
        const { status } = await send(String(new URL(path, service.baseUrl)), form);
        if (status !== 200 && status !== 201) throw new Error(`status ${status} for a ${kind}`);
      }
      counts.push([kind, counter.statements / counted]);
    }
    return Object.fromEntries(counts) as Record<Kind, number>;
  } finally {
    await service.close();
  }
}

function counting(database: Database, counter: { statements: number }): Database {
  const counted = <T>(run: () => T, statements = 1): T => {
    counter.statements += statements;
    return run();
  };
  const countingConnection = (connection: Connection): Connection => ({
    all: (...query) => counted(() => connection.all(...query)),
    allEach: (statement, sets) => counted(() => connection.allEach(statement, sets), sets.length),
    first: (...query) => counted(() => connection.first(...query)),
    run: (...query) => counted(() => connection.run(...query)),
    runEach: (statement, sets) => counted(() => connection.runEach(statement, sets), sets.length),
    send: (statement, sets) => counted(() => connection.send(statement, sets), sets.length),
  });
  return intercept(database, {
    all: (...query) => counted(() => database.all(...query)),
    first: (...query) => counted(() => database.first(...query)),
    firstWithItems: (...query) => counted(() => database.firstWithItems(...query)),
    transaction: (work, options) =>
      database.transaction((connection) => work(countingConnection(connection)), options),
  });
}
