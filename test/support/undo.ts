import assert from 'node:assert/strict';
import type { Import } from '../../src/imports/import-record.ts';
import type { ClientResponse } from './client.ts';
import { untilEnded } from './imports.ts';
import type { TestService } from './service.ts';

/** A value that an undo has left alone, as `GET imports/rejects` lists it. */
export interface Left {
  identifier: string | null;
  name: string | null;
  value: string;
  reason: string;
}

export function startUndo(
  service: TestService,
  { token }: { token: string },
  json: object,
  headers: Record<string, string> = {},
): Promise<ClientResponse> {
  const all = { authorization: `Bearer ${token}`, ...headers };
  return service.request('POST', '/imports/undo', { json, headers: all });
}

/** Waits until the import of an undo is done. */
export async function untilUndone(
  service: TestService,
  key: { token: string },
  response: ClientResponse,
): Promise<Import> {
  assert.equal(response.status, 202, response.text);
  const undo = await untilEnded(service, key, response.json<Import>().id);
  assert.equal(undo.status, 'done', JSON.stringify(undo));
  return undo;
}

export async function leftAlone(service: TestService, key: { token: string }, id: string): Promise<Left[]> {
  return (await service.get('/imports/rejects', key, { id, per_page: '1000' })).json<Left[]>();
}
