import type { FastifyInstance } from 'fastify';
import { merchantUser } from '../../audit/record-audit.ts';
import type { Database, Reader } from '../../database/database.ts';
import { runVerb } from '../../database/write-context.ts';
import { text } from '../../http/parameters/types.ts';
import { changeMerchant } from '../../merchants/change-merchant.ts';
import { findAnySchedule, type MerchantRow } from '../../merchants/queries.ts';
import { RenderedJson } from '../../shared/rendered-json.ts';
import type { ShopSettings } from '../console-api.ts';
import { registerConsoleEndpoint } from '../register-endpoint.ts';

const MAX_NAME_LENGTH = 100;
const CURRENCY_LENGTH = 3;

/** Registers the endpoints for the shop's settings, which change like those that the operator changes. */
export function consoleShopEndpoints(
  app: FastifyInstance,
  { database, now }: { database: Database; now: () => number },
): void {
  registerConsoleEndpoint(app, {
    method: 'GET',
    path: '/shop',
    about: 'shop',
    parameters: {},
    statuses: [200],
    handle: async ({ caller: { merchant } }) =>
      RenderedJson.of<ShopSettings>(await settingsOf(database, merchant)),
  });
  registerConsoleEndpoint(app, {
    method: 'POST',
    path: '/shop',
    about: 'shop',
    role: 'owner',
    parameters: {
      name: { type: text(MAX_NAME_LENGTH) },
      time_zone: { type: text(MAX_NAME_LENGTH) },
      currency: { type: text(CURRENCY_LENGTH) },
    },
    statuses: [200],
    handle: async ({ caller: { merchant, user }, input: { name, time_zone: timeZone, currency } }) => {
      const change = {
        ...(name !== undefined && { name: name.trim() }),
        ...(timeZone !== undefined && { timeZone }),
        ...(currency !== undefined && { currency }),
      };
      const { dialect } = database;
      const by = { merchantId: merchant.id, who: merchantUser(user), dialect };
      const changed = await runVerb({ database, now }, by, changeMerchant, change, { everyNode: true });
      return RenderedJson.of<ShopSettings>(await settingsOf(database, changed));
    },
  });
}

async function settingsOf(
  reader: Pick<Reader, 'first'>,
  { id: merchantId, name, time_zone, currency }: MerchantRow,
): Promise<ShopSettings> {
  const schedule = await reader.first(findAnySchedule, { merchantId });
  return { name, time_zone, time_zone_fixed: schedule !== undefined, currency };
}
