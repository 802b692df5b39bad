import type { FastifyInstance } from 'fastify';
import { runVerb } from '../../database/write-context.ts';
import type { Success } from '../../http/endpoint/declaration.ts';
import { text } from '../../http/parameters/types.ts';
import { sendJson } from '../../http/responses/respond.ts';
import { record } from '../../http/schema.ts';
import { type MarketplaceSettings, readMarketplace } from '../../operators/marketplace.ts';
import { registerOperatorEndpoint } from '../endpoint/register.ts';
import type { OperatorWriteServices } from '../endpoint/register-write.ts';
import { marketplaceTag } from '../tags.ts';
import { setMarketplace } from './set-marketplace.ts';

const MAX_LENGTH = 100;

const success: Success = {
  description: 'The marketplace.',
  schema: record<MarketplaceSettings>('MarketplaceSettings', 'The marketplace.', {
    name: {
      type: 'string',
      description: 'The name of the marketplace. The setting `BRAND_NAME` replaces it on pages and in mails.',
    },
    time_zone: { type: 'string', description: 'An IANA name.' },
    currency: { type: 'string', description: 'The ISO 4217 code.' },
    is_set: { type: 'boolean', description: 'Whether an operator has stated them, instead of the defaults.' },
  }),
  examples: {
    marketplace: {
      summary: 'A marketplace',
      value: {
        name: 'Alpine Market',
        time_zone: 'Europe/Vienna',
        currency: 'EUR',
        is_set: true,
      } satisfies MarketplaceSettings,
    },
  },
};

const shared = {
  path: '/marketplace',
  tag: marketplaceTag,
  scope: 'system',
  pathParameters: {},
  success,
} as const;

export function marketplaceEndpoints(app: FastifyInstance, services: OperatorWriteServices): void {
  registerOperatorEndpoint(app, services, {
    ...shared,
    method: 'GET',
    name: 'retrieveMarketplace',
    summary: 'Retrieve the marketplace’s settings',
    description: 'Returns the name, the time zone and the currency of the marketplace.',
    parameters: {},
    statuses: [200, 304],
    handle: async ({ request, reply }) => {
      await sendJson(request, reply, JSON.stringify(await readMarketplace(services.database)));
    },
  });
  registerOperatorEndpoint(app, services, {
    ...shared,
    method: 'PUT',
    name: 'putMarketplace',
    summary: 'Change the marketplace’s settings',
    description:
      'Changes what is sent; the rest keeps its value. Merchants that exist keep their time zone and currency. Repeating it ' +
      'changes nothing.',
    parameters: {
      name: {
        type: text(MAX_LENGTH),
        description:
          'What pages and mails call the marketplace, unless the setting `BRAND_NAME` replaces it.',
        example: 'Alpine Market',
      },
      time_zone: {
        type: text(MAX_LENGTH),
        description:
          'An IANA name. It decides what the overview’s days are, and the screen suggests it for new merchants.',
        example: 'Europe/Vienna',
      },
      currency: {
        type: text(3),
        description: 'An ISO 4217 code, which the screen suggests for new merchants.',
        example: 'EUR',
      },
    },
    statuses: [200],
    handle: async ({ request, reply, caller, input }) => {
      const changed = await runVerb(services, caller, setMarketplace, input);
      await sendJson(request, reply, JSON.stringify(changed));
    },
  });
}
