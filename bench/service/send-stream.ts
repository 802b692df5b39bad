import { once } from 'node:events';
import { createReadStream, readFileSync } from 'node:fs';
import { request } from 'node:https';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { Settings } from '../engines/engine.ts';
import type { Server } from './servers.ts';

/**
 * Sends a file to a stream of the operator API, such as `merchants/m1/orders`. Resolves to seconds.
 * @throws {Error} unless all of its items are created
 */
export async function sendStream(
  { baseUrl }: Server,
  { DATA_DIR }: Settings,
  { path, token, file, count }: { path: string; token: string; file: string; count: number },
): Promise<number> {
  const { origin } = new URL(baseUrl);
  const sending = request(`${origin}/operator/v1/${path}`, {
    method: 'POST',
    ca: readFileSync(join(DATA_DIR, 'tls-cert.pem')),
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/x-ndjson' },
  });
  const start = performance.now();
  const answered = once(sending, 'response');
  await pipeline(createReadStream(file), sending);
  const [response] = await answered;
  let body = '';
  for await (const chunk of response) body += chunk;
  const seconds = (performance.now() - start) / 1000;
  if (JSON.parse(body).created !== count) throw new Error(body);
  return seconds;
}
