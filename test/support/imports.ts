import assert from 'node:assert/strict';
import type { ClientRequest } from 'node:http';
import { request } from 'node:https';
import type { Import } from '../../src/imports/import-record.ts';
import type { ClientResponse } from './client.ts';
import { IMPORT_TIMEOUT_MS } from './console-imports.ts';
import type { TestService } from './service.ts';
import { until } from './until.ts';

type Query = Record<string, string>;

export function postFile(
  service: TestService,
  { token }: { token: string },
  body: string | Buffer,
  {
    query = {},
    headers = {},
    path = '/imports.json',
  }: { query?: Query; headers?: Query; path?: string } = {},
): Promise<ClientResponse> {
  const parameters = new URLSearchParams({ access_token: token, ...query });
  return service.request('POST', `${path}?${parameters}`, {
    body,
    headers: { 'content-type': 'text/csv', ...headers },
  });
}

export function multipartFile(
  fields: readonly [name: string, value: string][],
  file: { name?: string; content: string | Buffer; field?: string },
  after: readonly [name: string, value: string][] = [],
): { body: Buffer; headers: Query } {
  const field = ([name, value]: readonly [string, string]): string =>
    `--limit\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`;
  const named = file.name === undefined ? '' : `; filename="${file.name}"`;
  const start = `--limit\r\nContent-Disposition: form-data; name="${file.field ?? 'file'}"${named}\r\nContent-Type: text/csv\r\n\r\n`;
  return {
    body: Buffer.concat([
      Buffer.from(fields.map(field).join('') + start),
      Buffer.from(file.content),
      Buffer.from(`\r\n${after.map(field).join('')}--limit--\r\n`),
    ]),
    headers: { 'content-type': 'multipart/form-data; boundary=limit' },
  };
}

export async function retrieveImport(
  service: TestService,
  key: { token: string },
  id: string,
): Promise<Import> {
  const response = await service.get('/imports/retrieve', key, { id });
  assert.equal(response.status, 200, response.text);
  return response.json<Import>();
}

export async function untilEnded(service: TestService, key: { token: string }, id: string): Promise<Import> {
  let record: Import | undefined;
  const isEnded = async (): Promise<Import | false> => {
    record = await retrieveImport(service, key, id);
    return record.status !== 'checking' && record.status !== 'importing' && record;
  };
  return await until(isEnded, {
    timeoutMs: IMPORT_TIMEOUT_MS,
    intervalMs: 50,
    message: () => `still ${record?.status}`,
  });
}

/** Sends a file and waits until its import has ended. */
export async function importFileByApi(
  service: TestService,
  key: { token: string },
  body: string | Buffer,
  options?: Parameters<typeof postFile>[3],
): Promise<Import> {
  const response = await postFile(service, key, body, options);
  assert.equal(response.status, 202, response.text);
  return await untilEnded(service, key, response.json<Import>().id);
}

/** The body does not end. */
export function startFile(
  service: TestService,
  { token }: { token: string },
  headers: Query = { 'content-type': 'text/csv', 'content-length': String(1024 * 1024) },
): ClientRequest {
  const { hostname, port } = service.client.origin;
  const path = `${service.config.basePath}/imports.json?access_token=${token}`;
  const sending = request({ host: hostname, port, method: 'POST', path, rejectUnauthorized: false, headers });
  sending.on('error', () => {});
  return sending;
}
