import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseConfig } from '../../src/config.ts';
import { openDatabase } from '../../src/database/open-database.ts';
import { Client } from '../../test/support/client.ts';
import type { ConsoleClient } from '../../test/support/console.ts';
import { signedInOperator } from '../../test/support/operators.ts';
import type { Settings } from '../engines/engine.ts';

/** Creates an admin of the operator's screen. */
export async function signInOperator(settings: Settings, baseUrl: string): Promise<ConsoleClient> {
  const certificate = await readFile(join(settings.DATA_DIR, 'tls-cert.pem'), 'utf8');
  const client = new Client(new URL(baseUrl).origin, certificate);
  const database = await openDatabase(parseConfig(settings), Date.now());
  try {
    const email = `bench-${Date.now()}@example.com`;
    return (await signedInOperator({ database, now: Date.now, client, baseUrl }, 'admin', email)).client;
  } finally {
    await database.close();
  }
}
