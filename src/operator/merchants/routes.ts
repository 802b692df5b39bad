import type { FastifyInstance } from 'fastify';
import { errors } from '../../errors/errors.ts';
import { clearable, int32, oneOf, text } from '../../http/parameters/types.ts';
import { sendCreated, sendJson } from '../../http/responses/respond.ts';
import { merchantStates, putMerchant } from '../../merchants/change-merchant.ts';
import { summarizeMerchant } from '../../merchants/list-merchants.ts';
import { findMerchantByExternalId, listMerchantsAfter } from '../../merchants/queries.ts';
import { registerOperatorEndpoint } from '../endpoint/register.ts';
import type { OperatorWriteServices } from '../endpoint/register-write.ts';
import { externalId, merchantInPath, requireMerchant } from './merchant-parameters.ts';
import { listMerchantsReference, putMerchantReference, retrieveMerchantReference } from './references.ts';

const DEFAULT_LIMIT = 100;
const MAX_LIMIT = 1_000;
const MAX_NAME_LENGTH = 100;
const MAX_EMAIL_LENGTH = 254;

export function operatorMerchantRoutes(app: FastifyInstance, services: OperatorWriteServices): void {
  const { database, now } = services;
  registerOperatorEndpoint(app, services, {
    method: 'PUT',
    path: '/merchants/{external_id}',
    pathParameters: merchantInPath,
    parameters: {
      name: { type: text(MAX_NAME_LENGTH) },
      email: clearable(text(MAX_EMAIL_LENGTH)),
      time_zone: { type: text(MAX_NAME_LENGTH) },
      currency: { type: text(3) },
      state: { type: oneOf(merchantStates) },
    },
    scope: 'merchants',
    statuses: [200, 201],
    reference: putMerchantReference,
    handle: async ({ request, reply, path, input }) => {
      const { name, email, time_zone: timeZone, currency, state } = input;
      const change = {
        externalId: path.external_id,
        ...(name !== undefined && { name }),
        ...(email !== undefined && { email }),
        ...(timeZone !== undefined && { timeZone }),
        ...(currency !== undefined && { currency }),
        ...(state !== undefined && { state }),
      };
      const { merchant, isNew } = await database.transaction(
        (connection) => putMerchant(connection, database.dialect, change, now()),
        { everyNode: true },
      );
      const send = isNew ? sendCreated : sendJson;
      await send(request, reply, JSON.stringify(summarizeMerchant(merchant)));
    },
  });
  registerOperatorEndpoint(app, services, {
    method: 'GET',
    path: '/merchants/{external_id}',
    pathParameters: merchantInPath,
    parameters: {},
    scope: 'merchants',
    statuses: [200, 304, 404],
    reference: retrieveMerchantReference,
    handle: async ({ request, reply, path }) => {
      const merchant = await requireMerchant(database, path);
      await sendJson(request, reply, JSON.stringify(summarizeMerchant(merchant)));
    },
  });
  registerOperatorEndpoint(app, services, {
    method: 'GET',
    path: '/merchants',
    pathParameters: {},
    parameters: { after: { type: externalId }, limit: { type: int32(1, MAX_LIMIT) } },
    scope: 'merchants',
    statuses: [200, 304],
    reference: listMerchantsReference(DEFAULT_LIMIT),
    handle: async ({ request, reply, input: { after, limit = DEFAULT_LIMIT } }) => {
      const rows = await database.all(listMerchantsAfter, {
        after: after === undefined ? 0 : await idOf(after),
        limit: limit + 1,
      });
      const results = rows.slice(0, limit).map(summarizeMerchant);
      const next = rows.length > limit ? (results.at(-1)?.external_id ?? null) : null;
      await sendJson(request, reply, JSON.stringify({ results, next }));
    },
  });

  async function idOf(after: string): Promise<number> {
    const merchant = await database.first(findMerchantByExternalId, { externalId: after });
    if (merchant !== undefined) return merchant.id;
    const reason = `there is no merchant with the external ID ${after}, expected the external ID of a merchant`;
    throw errors.invalid_parameters([{ field: 'after', reason }]);
  }
}
