import type { FastifyInstance } from 'fastify';
import { searchText } from '../../products/search/parameters.ts';
import { RenderedJson } from '../../shared/rendered-json.ts';
import type { Found } from '../catalog-api.ts';
import { registerConsoleEndpoint } from '../register-endpoint.ts';
import { find } from './find.ts';

/**
 * Registers what the console's palette asks. Editors, who also find orders by the customer's name, send the
 * text in the body, because URLs end up in logs. Others cannot find names, and support views send no bodies.
 */
export function consoleFindEndpoints(app: FastifyInstance, services: Parameters<typeof find>[0]): void {
  for (const method of ['GET', 'POST'] as const) {
    registerConsoleEndpoint(app, {
      method,
      path: '/find',
      parameters: { text: { type: searchText, required: true } },
      statuses: [200],
      handle: async ({ caller: { merchantId }, input: { text } }) =>
        RenderedJson.of<Found>(await find(services, { merchantId, text, byName: method === 'POST' })),
    });
  }
}
