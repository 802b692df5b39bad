import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { ProductDraft } from '../../src/products/record/product-draft.ts';
import { exportSchedules } from '../../src/sales/export-schedules.ts';
import type { ScheduleDraft } from '../../src/sales/schedule-draft.ts';
import { type AnyRequest, anyRequest } from '../support/any-request.ts';
import { campaignsOf } from '../support/campaigns.ts';
import { allProducts, importDrafts, importScheduleDrafts } from '../support/catalog.ts';
import type { Answer } from '../support/client.ts';
import { postgres, sqlite } from '../support/engines.ts';
import { fc } from '../support/seed.ts';
import { type TestMerchant, type TestService, useService } from '../support/service.ts';
import { wildDraft, wildSchedule } from '../support/wild-data.ts';

/** One merchant on one of the services, or the same one on the other. */
interface Place {
  service: TestService;
  merchant: TestMerchant;
}

type Step =
  | { kind: 'products'; drafts: ProductDraft[] }
  | { kind: 'schedules'; drafts: ScheduleDraft[] }
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
    weight: 12,
    arbitrary: fc.record({
      kind: fc.constant('request'),
      request: anyRequest,
      encoding: fc.constantFrom('identity', 'identity', 'gzip', 'br', 'zstd'),
      head: fc.boolean(),
    }),
  },
);

/** Everything that came back, but the time of day on this machine. */
function whole({ status, headers, bytes }: Answer): unknown {
  const { date: _, ...rest } = headers;
  return { status, headers: rest, body: bytes.toString('latin1') };
}

async function send(
  { service, merchant }: Place,
  step: Step & { kind: 'request' },
  etag = '',
): Promise<Answer> {
  const { method, path, query, sent } = step.request;
  const parameters = new URLSearchParams({ access_token: merchant.token, ...query });
  const headers = {
    'accept-encoding': step.encoding,
    'x-request-id': 'same',
    ...(etag !== '' && { 'if-none-match': etag }),
    ...sent.headers,
  };
  const asked = method === 'GET' && step.head ? 'HEAD' : method;
  return await service.request(asked, `${path}?${parameters}`, { ...sent, headers });
}

describe('on sqlite and on postgres', () => {
  const services = [useService(sqlite), useService(postgres)];

  /** Does the same in both places, a millisecond later, and checks that it came to the same. */
  async function same<T>(
    places: Place[],
    act: (place: Place) => Promise<T>,
    seen: (result: T) => unknown,
  ): Promise<T> {
    const [one, other] = await Promise.all(
      places.map(({ service, merchant }) => {
        service.passTime(1);
        return act({ service, merchant });
      }),
    );
    assert(one !== undefined && other !== undefined);
    assert.deepEqual(seen(other), seen(one));
    return one;
  }

  async function newPlaces(timeZone: string): Promise<Place[]> {
    const running = services.map((service) => service());
    const latest = Math.max(...running.map(({ now }) => now()));
    for (const service of running) service.passTime(latest - service.now());
    return await Promise.all(
      running.map(async (service) => ({ service, merchant: await service.newMerchant(timeZone) })),
    );
  }

  it('the same data and the same requests get the same answers, byte for byte', async () => {
    const script = fc.record({
      timeZone: fc.constantFrom('UTC', 'America/St_Johns', 'Pacific/Apia'),
      catalog: products(60),
      steps: fc.array(anyStep, { minLength: 20, maxLength: 60, size: 'max' }),
    });
    await fc.assert(
      fc.asyncProperty(script, async ({ timeZone, catalog, steps }) => {
        const places = await newPlaces(timeZone);
        await same(
          places,
          ({ service, merchant }) => importDrafts(service, merchant, [catalog]),
          (told) => told,
        );
        for (const step of steps) {
          if (step.kind === 'products') {
            await same(
              places,
              ({ service, merchant }) => importDrafts(service, merchant, [step.drafts]),
              (told) => told,
            );
          } else if (step.kind === 'schedules') {
            await same(
              places,
              ({ service, merchant }) => importScheduleDrafts(service, merchant, [step.drafts]),
              (told) => told,
            );
          } else {
            const { headers } = await same(places, (place) => send(place, step), whole);
            // What one engine's answer is known by, the other's is too.
            await same(places, (place) => send(place, step, headers.etag), whole);
          }
        }
        await same(places, ({ service, merchant }) => allProducts(service, merchant), JSON.stringify);
        await same(
          places,
          ({ service, merchant }) => Array.fromAsync(exportSchedules(service, merchant.id)),
          JSON.stringify,
        );
        // Of campaigns made in one millisecond, either may come first.
        await same(
          places,
          ({ service, merchant }) => campaignsOf(service, merchant),
          (campaigns) => campaigns.map((campaign) => JSON.stringify(campaign)).sort(),
        );
      }),
      // Once it has failed, there has to be time left to say with what.
      { numRuns: 40, interruptAfterTimeLimit: 200_000 },
    );
  });
});
