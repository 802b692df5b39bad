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

/** The types of an OpenAPI document, given as JSON, as TypeScript's source. */
export async function generateTypes(document: string): Promise<string> {
  return HEADER + astToString(await openapiTypeScript(document));
}

/** The OpenAPI document as this program serves it with default settings, as JSON. */
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
    const headers = { 'x-forwarded-proto': 'https' };
    const { statusCode, body } = await app.inject({ url: '/openapi.json', headers });
    if (statusCode !== 200) throw new Error(`/openapi.json was answered with ${statusCode}`);
    return body;
  } finally {
    await app.close();
    await database.close();
    await rm(directory, { recursive: true });
  }
}
