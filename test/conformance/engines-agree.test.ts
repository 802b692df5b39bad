import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { OrderDraft } from '../../src/orders/push/order-draft.ts';
import type { ProductDraft } from '../../src/products/record/product-draft.ts';
import { exportSchedules } from '../../src/sales/export-schedules.ts';
import type { ScheduleDraft } from '../../src/sales/schedule-draft.ts';
import { allProducts, importDrafts, importScheduleDrafts } from '../support/catalog.ts';
import type { ClientResponse } from '../support/client.ts';
import { postgres, sqlite } from '../support/engines.ts';
import { importOrderDrafts } from '../support/orders.ts';
import { decompressed } from '../support/response-check.ts';
import { fc } from '../support/seed.ts';
import { type TestMerchant, type TestService, useService } from '../support/service.ts';
import { campaignsOf } from '../support/stored.ts';
import { isThorough } from '../support/thorough.ts';
import { wildDraft, wildOrder, wildSchedule } from '../support/wild-data.ts';
import { type AnyRequest, anyRequest } from './any-request.ts';

/** The other service has the same merchant. */
interface Replica {
  service: TestService;
  merchant: TestMerchant;
}

type Step =
  | { kind: 'products'; drafts: ProductDraft[] }
  | { kind: 'schedules'; drafts: ScheduleDraft[] }
  | { kind: 'orders'; drafts: OrderDraft[] }
  | { kind: 'request'; request: AnyRequest; encoding: string; head: boolean };

const products = (maximum: number): fc.Arbitrary<ProductDraft[]> =>
  fc.array(wildDraft, { maxLength: maximum, size: 'max' });
const anyStep: fc.Arbitrary<Step> = fc.oneof(
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('products'), drafts: products(6) }) },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('schedules'),
      drafts: fc.array(wildSchedule, { size: 'max', maxLength: 12 }),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('orders'),
      drafts: fc.array(wildOrder, { size: 'max', maxLength: 12 }),
    }),
  },
  {
    weight: 14,
    arbitrary: fc.record({
      kind: fc.constant('request'),
      request: anyRequest,
      encoding: fc.constantFrom('identity', 'identity', 'gzip', 'br', 'zstd'),
      head: fc.boolean(),
    }),
  },
);

const withoutId = (json: string): string => json.replace(/"internal_id":"[\da-f-]{36}"/, '');

/** Without the Date header, and the random id of a campaign and what depends on it. */
function comparable(response: ClientResponse): unknown {
  const { date: _, location, etag, ...rest } = response.headers;
  if (location === undefined) {
    return { status: response.status, headers: { ...rest, etag }, body: response.bytes.toString('latin1') };
  }
  const { 'content-length': __, ...others } = rest;
  return {
    status: response.status,
    headers: others,
    body: withoutId(decompressed(response).toString()),
  };
}

async function send(
  { service, merchant }: Replica,
  step: Step & { kind: 'request' },
  etag = '',
): Promise<ClientResponse> {
  const { method, path, query, sent } = step.request;
  const parameters = new URLSearchParams({ access_token: merchant.token, ...query });
  const headers = {
    'accept-encoding': step.encoding,
    'x-request-id': 'same',
    ...(etag !== '' && { 'if-none-match': etag }),
    ...sent.headers,
  };
  const verb = method === 'GET' && step.head ? 'HEAD' : method;
  return await service.request(verb, `${path}?${parameters}`, { ...sent, headers });
}

// `npm run check` names one engine.
const skip = process.env.TEST_ENGINES !== undefined && 'needs both engines';

describe('on sqlite and on postgres', { skip }, () => {
  const services = [useService(sqlite), useService(postgres)];

  async function same<T>(
    replicas: Replica[],
    act: (replica: Replica) => Promise<T>,
    seen: (result: T) => unknown,
  ): Promise<T> {
    const [one, other] = await Promise.all(
      replicas.map(({ service, merchant }) => {
        service.passTime(1);
        return act({ service, merchant });
      }),
    );
    assert(one !== undefined && other !== undefined);
    assert.deepEqual(seen(other), seen(one));
    return one;
  }

  async function newReplicas(timeZone: string): Promise<Replica[]> {
    const running = services.map((service) => service());
    const latest = Math.max(...running.map(({ now }) => now()));
    for (const service of running) service.passTime(latest - service.now());
    return await Promise.all(
      running.map(async (service) => ({ service, merchant: await service.newMerchant(timeZone) })),
    );
  }

  it('returns the same responses, byte for byte, for the same data and requests', async () => {
    const script = fc.record({
      timeZone: fc.constantFrom('UTC', 'America/St_Johns', 'Pacific/Apia'),
      catalog: products(60),
      steps: fc.array(anyStep, { minLength: 20, maxLength: 60, size: 'max' }),
    });
    await fc.assert(
      fc.asyncProperty(script, async ({ timeZone, catalog, steps }) => {
        const replicas = await newReplicas(timeZone);
        await same(
          replicas,
          ({ service, merchant }) => importDrafts(service, merchant, [catalog]),
          (summary) => summary,
        );
        for (const step of steps) {
          if (step.kind === 'products') {
            await same(
              replicas,
              ({ service, merchant }) => importDrafts(service, merchant, [step.drafts]),
              (summary) => summary,
            );
          } else if (step.kind === 'schedules') {
            await same(
              replicas,
              ({ service, merchant }) => importScheduleDrafts(service, merchant, [step.drafts]),
              (summary) => summary,
            );
          } else if (step.kind === 'orders') {
            await same(
              replicas,
              ({ service, merchant }) => importOrderDrafts(service, merchant, [step.drafts]),
              (summary) => summary,
            );
          } else {
            const { headers } = await same(replicas, (replica) => send(replica, step), comparable);
            // The ETag of one engine's response also matches the other's.
            await same(replicas, (replica) => send(replica, step, headers.etag), comparable);
          }
        }
        await same(replicas, ({ service, merchant }) => allProducts(service, merchant), JSON.stringify);
        await same(
          replicas,
          ({ service, merchant }) => Array.fromAsync(exportSchedules(service, merchant.id)),
          JSON.stringify,
        );
        // Campaigns created in the same millisecond may be in either order.
        await same(
          replicas,
          ({ service, merchant }) => campaignsOf(service, merchant),
          (campaigns) => campaigns.map((campaign) => withoutId(JSON.stringify(campaign))).sort(),
        );
      }),
      // Leaves time to report the failing input.
      { numRuns: isThorough ? 40 : 6, interruptAfterTimeLimit: 200_000 },
    );
  });
});
