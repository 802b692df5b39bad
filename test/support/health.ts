import assert from 'node:assert/strict';
import type { Health } from '../../src/observability/health.ts';
import { serveHealth } from '../../src/observability/serve-health.ts';
import type { Owner } from './process.ts';

export interface HealthResponse {
  status: number;
  type: string | null;
  text: string;
}

const logger = { warn: () => {}, error: () => {} };

/** Serves until the test ends. Resolves to a function that requests a path. */
export async function startHealthServer(
  t: Owner,
  health: Health,
): Promise<(path: string) => Promise<HealthResponse>> {
  const server = await serveHealth(
    { metrics: { host: '127.0.0.1', port: 0, isDefault: false } },
    health,
    logger,
  );
  t.after(() => server.close());
  return (path) => fetchHealth(`${server.url}${path}`);
}

export async function fetchHealth(url: string): Promise<HealthResponse> {
  const response = await fetch(url);
  return {
    status: response.status,
    type: response.headers.get('content-type'),
    text: await response.text(),
  };
}

/** Prometheus's text format, by name with labels. @throws on a malformed line */
export function parseSamples(text: string): Map<string, number> {
  const samples = new Map<string, number>();
  for (const line of text.split('\n')) {
    if (line === '' || line.startsWith('#')) continue;
    const [, name, value] = /^([a-z_0-9]+(?:\{.*\})?) (\S+)$/i.exec(line) ?? [];
    assert.ok(name !== undefined && !Number.isNaN(Number(value)), line);
    samples.set(name, Number(value));
  }
  return samples;
}
