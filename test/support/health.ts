import assert from 'node:assert/strict';
import type { Health } from '../../src/observability/health.ts';
import { serveHealth } from '../../src/observability/serve-health.ts';
import type { Owner } from './process.ts';

/** What the address for operators tells. */
export interface Told {
  status: number;
  type: string | null;
  text: string;
}

const logger = { warn: () => {}, error: () => {} };

/** Serves health for the length of a test, as production does; what it gives asks for a path. */
export async function tellVitals(t: Owner, health: Health): Promise<(path: string) => Promise<Told>> {
  const server = await serveHealth(
    { metrics: { host: '127.0.0.1', port: 0, isDefault: false } },
    health,
    logger,
  );
  t.after(() => server.close());
  return (path) => ask(`${server.url}${path}`);
}

export async function ask(url: string): Promise<Told> {
  const answer = await fetch(url);
  return {
    status: answer.status,
    type: answer.headers.get('content-type'),
    text: await answer.text(),
  };
}

/** The samples of Prometheus's text format, by name with labels. @throws where a line is none */
export function samplesIn(text: string): Map<string, number> {
  const samples = new Map<string, number>();
  for (const line of text.split('\n')) {
    if (line === '' || line.startsWith('#')) continue;
    const [, name, value] = /^([a-z_0-9]+(?:\{.*\})?) (\S+)$/i.exec(line) ?? [];
    assert.ok(name !== undefined && !Number.isNaN(Number(value)), line);
    samples.set(name, Number(value));
  }
  return samples;
}
