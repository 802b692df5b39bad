import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { buildApp } from '../src/app.ts';
import { parseConfig } from '../src/config.ts';
import { openDatabase } from '../src/database/open-database.ts';
import { Metrics } from '../src/observability/metrics.ts';

/** The paths of the OpenAPI documents. */
export type DocumentPath = '/openapi.json' | '/operator/openapi.json';

/** Returns the OpenAPI documents that the program serves with its default settings, as JSON, by their paths. */
export async function readDocuments(): Promise<Record<DocumentPath, string>> {
  const directory = await mkdtemp(join(tmpdir(), 'tradepost-client-'));
  const config = parseConfig({ DATA_DIR: directory, TLS: 'proxy', TRUST_PROXY: '127.0.0.1' });
  const database = await openDatabase(config, Date.now());
  const logger = pino({ level: 'silent' });
  const app = await buildApp({
    config,
    database,
    tls: null,
    acme: null,
    logger,
    metrics: new Metrics(),
    now: Date.now,
  });
  try {
    const origin = await app.listen({ host: '127.0.0.1', port: 0 });
    const read = async (path: DocumentPath): Promise<string> => {
      const response = await fetch(`${origin}${path}`, { headers: { 'x-forwarded-proto': 'https' } });
      if (!response.ok) throw new Error(`${path} returned ${response.status}`);
      return await response.text();
    };
    return {
      '/openapi.json': await read('/openapi.json'),
      '/operator/openapi.json': await read('/operator/openapi.json'),
    };
  } finally {
    await app.close();
    await database.close();
    await rm(directory, { recursive: true });
  }
}
