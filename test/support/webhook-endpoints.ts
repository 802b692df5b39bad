import assert from 'node:assert/strict';
import { type Database, statement } from '../../src/database/database.ts';
import { createEndpoint, type NewEndpoint, rotateSecret } from '../../src/webhooks/manage-endpoints.ts';
import { type EndpointRow, findEndpoint } from '../../src/webhooks/queries.ts';
import type { TestService } from './service.ts';

const setSecrets = statement<{ id: string; secret: string; former: string | null }, never>(
  'UPDATE webhook_endpoints SET secret = :secret, former_secret = :former WHERE id = :id',
);

/** Creates an endpoint for created campaigns. */
export function addEndpoint(service: TestService, merchantId: number, url: string): Promise<NewEndpoint> {
  const fields = { url, types: ['campaign.created'], description: '' } as const;
  return service.database.transaction((connection) =>
    createEndpoint(connection, merchantId, fields, service.endpointChange()),
  );
}

/** Rotates the secret of an endpoint, and returns the new one. */
export async function rotate(service: TestService, row: EndpointRow): Promise<string> {
  const name = { merchantId: row.merchant_id, id: row.id };
  const secret = await service.database.transaction((connection) =>
    rotateSecret(connection, name, service.endpointChange()),
  );
  return secret ?? assert.fail('no endpoint');
}

/** Reads the row of an endpoint. */
export async function readEndpoint(database: Database, row: EndpointRow): Promise<EndpointRow> {
  const name = { merchantId: row.merchant_id, id: row.id };
  return (await database.first(findEndpoint, name)) ?? assert.fail('no endpoint');
}

/** Replaces the secrets of an endpoint by texts, as they are. */
export async function storeSecrets(
  database: Database,
  { id }: { id: string },
  secret: string,
  former: string | null = null,
): Promise<void> {
  await database.transaction((connection) => connection.run(setSecrets, { id, secret, former }));
}
