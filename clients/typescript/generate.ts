import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import openapiTypeScript, { astToString } from 'openapi-typescript';
import { pino } from 'pino';
import { buildApp } from '../../src/app.ts';
import { parseConfig } from '../../src/config.ts';
import { openDatabase } from '../../src/database/open-database.ts';
import { Metrics } from '../../src/observability/metrics.ts';

const HEADER = '// Generated from /openapi.json by `npm run build`.\n\n';

/** Returns the TypeScript source of the types of an OpenAPI document in JSON. */
export async function generateTypes(document: string): Promise<string> {
  return HEADER + astToString(await openapiTypeScript(document));
}

/** Returns the OpenAPI document, in JSON, that the program serves with its default settings. */
export async function readDocument(): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'tradepost-client-'));
  const config = parseConfig({ DATA_DIR: directory, TLS: 'proxy', TRUST_PROXY: '127.0.0.1' });
  const database = await openDatabase(config, Date.now());
  const logger = pino({ level: 'silent' });
  const app = await buildApp({
    config,
    database,
    tls: null,
    logger,
    metrics: new Metrics(),
    now: Date.now,
  });
  try {
    const origin = await app.listen({ host: '127.0.0.1', port: 0 });
    const response = await fetch(`${origin}/openapi.json`, { headers: { 'x-forwarded-proto': 'https' } });
    if (!response.ok) throw new Error(`/openapi.json returned ${response.status}`);
    return await response.text();
  } finally {
    await app.close();
    await database.close();
    await rm(directory, { recursive: true });
  }
}
