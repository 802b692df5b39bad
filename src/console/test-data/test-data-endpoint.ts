import type { FastifyInstance } from 'fastify';
import type { Database } from '../../database/database.ts';
import { liveSideOf } from '../../database/sides.ts';
import { runVerb } from '../../database/write-context.ts';
import { openTestData } from '../../merchants/open-test-data.ts';
import { RenderedJson } from '../../shared/rendered-json.ts';
import type { OpenedTestData } from '../console-api.ts';
import { registerConsoleEndpoint } from '../register-endpoint.ts';

/** Opens a merchant's test data, which a first test key opens too. API calls with a session reset it. */
export function consoleTestDataEndpoint(
  app: FastifyInstance,
  services: { database: Database; now: () => number },
): void {
  registerConsoleEndpoint(app, {
    method: 'POST',
    path: '/test-data',
    parameters: {},
    statuses: [200],
    handle: async ({ caller: { merchantId, who } }) => {
      const merchant = { merchantId: liveSideOf(merchantId), who };
      await runVerb(services, merchant, openTestData, undefined, { everyNode: true });
      return RenderedJson.of<OpenedTestData>({ test_data: true });
    },
  });
}
