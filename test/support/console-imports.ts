import assert from 'node:assert/strict';
import type { ConsoleImport } from '../../src/console/catalog-api.ts';
import type { ClientResponse } from './client.ts';
import type { ConsoleClient } from './console.ts';
import { until } from './until.ts';

/** Sends a file like the console's pages. */
export function sendFile(
  client: ConsoleClient,
  name: string,
  body: Buffer | string,
): Promise<ClientResponse> {
  const headers = { 'content-type': 'application/octet-stream' };
  return client.request('POST', `/imports?${new URLSearchParams({ name })}`, { body, headers });
}

/** Imports run at low priority, so they may take minutes while other tests run. */
export const IMPORT_TIMEOUT_MS = 240_000;

/** @throws if the import ends in another state, or does not reach this one in time */
export async function untilState(
  client: ConsoleClient,
  id: string,
  state: ConsoleImport['state'],
  timeoutMs = IMPORT_TIMEOUT_MS,
): Promise<ConsoleImport> {
  let upload: ConsoleImport | undefined;
  const isReached = async (): Promise<ConsoleImport | false> => {
    upload = (await client.get(`/imports/${id}`)).json<ConsoleImport>();
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
  state: 'checked' | 'failed' = 'checked',
): Promise<ConsoleImport> {
  const response = await sendFile(client, name, body);
  assert.equal(response.status, 200, response.text);
  return await untilState(client, response.json<ConsoleImport>().id, state);
}

/** Sends a file, and imports it once it has been checked. */
export async function importFile(
  client: ConsoleClient,
  name: string,
  body: Buffer | string,
): Promise<ConsoleImport> {
  const { id } = await checkFile(client, name, body);
  const response = await client.post(`/imports/${id}/import`);
  assert.equal(response.status, 200, response.text);
  return await untilState(client, id, 'done');
}

export function productLines(count: number, prefix = 'P'): string {
  let lines = '';
  for (let number = 1; number <= count; number += 1) {
    lines += `${JSON.stringify({ identifier: `${prefix}-${number}`, title: `Pot no. ${number}`, category: 'Home | Pots' })}\n`;
  }
  return lines;
}
