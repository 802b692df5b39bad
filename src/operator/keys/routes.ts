import type { FastifyInstance } from 'fastify';
import { addKey, createKeyIn } from '../../api-keys/create-key.ts';
import { type KeyNumbers, parseKeyId } from '../../api-keys/key-id.ts';
import { summarizeKey } from '../../api-keys/list-keys.ts';
import { revokeKeyIn } from '../../api-keys/revoke-key.ts';
import type { Reader } from '../../database/database.ts';
import { liveSideOf } from '../../database/sides.ts';
import { errors } from '../../errors/errors.ts';
import type { PathParameter } from '../../http/endpoint/declaration.ts';
import { text } from '../../http/parameters/types.ts';
import { addTestKey } from '../../merchants/open-test-side.ts';
import { type OperatorWriteServices, registerOperatorWrite } from '../endpoint/register-write.ts';
import { merchantInPath, requireMerchant } from '../merchants/merchant-parameters.ts';
import { createKeyReference, keyParameters, type MerchantKey, revokeKeyReference } from './references.ts';

const MAX_ID_LENGTH = 40;

const keyInPath = {
  ...merchantInPath,
  key: {
    type: text(MAX_ID_LENGTH),
    description: 'The ID of the key.',
    example: '12-3',
  } satisfies PathParameter<string>,
};

export function operatorKeyRoutes(app: FastifyInstance, services: OperatorWriteServices): void {
  const { now } = services;
  registerOperatorWrite(app, services, {
    method: 'POST',
    path: '/merchants/{external_id}/keys',
    pathParameters: merchantInPath,
    parameters: keyParameters,
    scope: 'merchants',
    statuses: [201, 404, 409],
    reference: createKeyReference,
    write: async (connection, { path, input }) => {
      const { id: merchantId } = await requireMerchant(connection, path);
      const { name, scopes: granted, expires_in: lifetime, mode = 'live' } = input;
      const expiresAt = lifetime === undefined ? null : now() + lifetime;
      const key = { merchantId, name, expiresAt, ...(granted !== undefined && { scopes: granted }) };
      const add = mode === 'test' ? addTestKey : addKey;
      const { id, token } = await createKeyIn(connection, key, add, now());
      return { ...(await describe(connection, id)), access_token: token };
    },
  });
  registerOperatorWrite(app, services, {
    method: 'DELETE',
    path: '/merchants/{external_id}/keys/{key}',
    pathParameters: keyInPath,
    parameters: {},
    scope: 'merchants',
    statuses: [200, 404, 409],
    reference: revokeKeyReference,
    write: async (connection, { path }) => {
      const { id: merchantId } = await requireMerchant(connection, path);
      const key = parseKeyId(path.key);
      const isOwn = key !== undefined && liveSideOf(key.merchantId) === merchantId;
      if (!isOwn || !(await revokeKeyIn(connection, key, now()))) throw errors.key_not_found(path.key);
      return await describe(connection, path.key);
    },
  });

  async function describe(reader: Reader, keyId: string): Promise<MerchantKey> {
    const key = await summarizeKey({ database: reader, now }, parseKeyId(keyId) as KeyNumbers);
    if (key === undefined) throw errors.key_not_found(keyId);
    const { id, name, state, mode, scopes, created_at, expires_at } = key;
    return { id, name, state, mode, scopes, created_at, expires_at };
  }
}
