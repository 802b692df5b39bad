import assert from 'node:assert/strict';
import type { Upload } from '../../src/console/console-api.ts';
import type { Answer } from './client.ts';
import type { ConsoleClient } from './console.ts';
import { until } from './until.ts';

/** Sends a file as the console's pages do. */
export function sendFile(client: ConsoleClient, name: string, body: Buffer | string): Promise<Answer> {
  const headers = { 'content-type': 'application/octet-stream' };
  return client.request('POST', `/uploads?${new URLSearchParams({ name })}`, { body, headers });
}

/** Imports yield to everything else on the machine: next to other tests they may take minutes. */
export const IMPORT_TIMEOUT_MS = 240_000;

/** Waits until an upload is in a state. @throws if it ends in another one, or does not get there in time */
export async function untilState(
  client: ConsoleClient,
  id: string,
  state: Upload['state'],
  timeoutMs = IMPORT_TIMEOUT_MS,
): Promise<Upload> {
  let upload: Upload | undefined;
  const isReached = async (): Promise<Upload | false> => {
    upload = (await client.get(`/uploads/${id}`)).json<Upload>();
    if (upload.state === state) return upload;
    assert.ok(['checking', 'importing'].includes(upload.state), JSON.stringify(upload));
    return false;
  };
  return await until(isReached, { timeoutMs, intervalMs: 50, message: () => `still ${upload?.state}` });
}

/** Sends a file and waits until it has been checked. */
export async function checkFile(
  client: ConsoleClient,
  name: string,
  body: Buffer | string,
  state: 'ready' | 'failed' = 'ready',
): Promise<Upload> {
  const answer = await sendFile(client, name, body);
  assert.equal(answer.status, 200, answer.text);
  return await untilState(client, answer.json<Upload>().id, state);
}

/** Sends a file, and imports it once it has been checked. */
export async function importFile(
  client: ConsoleClient,
  name: string,
  body: Buffer | string,
): Promise<Upload> {
  const { id } = await checkFile(client, name, body);
  const answer = await client.post(`/uploads/${id}/import`);
  assert.equal(answer.status, 200, answer.text);
  return await untilState(client, id, 'done');
}

/** Generates NDJSON with this many products. */
export function productLines(count: number, prefix = 'P'): string {
  let lines = '';
  for (let number = 1; number <= count; number += 1) {
    lines += `${JSON.stringify({ identifier: `${prefix}-${number}`, title: `Pot no. ${number}`, category: 'Home | Pots' })}\n`;
  }
  return lines;
}
