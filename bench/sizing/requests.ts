import type { Settings } from '../engines/engine.ts';
import type { ScriptedRequest } from '../measuring/wrk-scripts.ts';
import { type Catalog, PAGE_SIZE, requestKinds } from '../remote/requests.ts';
import { generateDrafts } from '../service/build-database.ts';
import { tokenOf } from '../service/servers.ts';
import { type CallKind, callKinds, type Workload } from './model.ts';

const ALL = { index: 0, of: 1 };
const VARIATIONS_PER_MERCHANT = 100;

/** Endless or long sequences, which take all merchants in turn. */
export type RequestSource = Record<CallKind, Iterator<ScriptedRequest>>;

/** For a database of `databaseOf`. Creates a key for each merchant. */
export async function requestsFor(
  settings: Settings,
  catalogSizes: readonly number[],
): Promise<RequestSource> {
  const catalogs: Catalog[] = [];
  for (const [index, size] of catalogSizes.entries()) {
    const drafts = generateDrafts(Math.min(size, VARIATIONS_PER_MERCHANT), index + 1);
    catalogs.push({
      token: await tokenOf(settings, `m${index + 1}`),
      pages: Math.ceil(size / PAGE_SIZE),
      variations: [...drafts].map(({ identifier }) => `${identifier}-a`),
    });
  }
  const reads = (kind: keyof typeof requestKinds): Iterator<ScriptedRequest> =>
    requestKinds[kind](catalogs, ALL).map((path) => ({ path: `/v1${path}` }));
  return {
    'known page': reads('known page'),
    'new page': reads('new page'),
    variation: reads('variation'),
    campaign: newCampaigns(catalogs),
    'monthly sales': reads('monthly sales'),
  };
}

function* newCampaigns(catalogs: readonly Catalog[]): Generator<ScriptedRequest> {
  for (let turn = 0; ; turn += 1) {
    const token = catalogs[turn % catalogs.length]?.token ?? '';
    const fields = {
      access_token: token,
      name: 'Spring',
      type: 'AuctionCampaign',
      daily_budget: '50',
      bid_amount: '0.35',
    };
    yield { path: '/v1/campaigns.json', form: String(new URLSearchParams(fields)) };
  }
}

/** @throws {Error} if there are fewer requests */
export function take(requests: Iterator<ScriptedRequest>, count: number): ScriptedRequest[] {
  return Array.from({ length: count }, () => {
    const { value, done } = requests.next();
    if (done) throw new Error('the catalogs have too few pages');
    return value;
  });
}

/** Takes requests in the proportions of a mix, evenly spread. */
export function takeMixed(source: RequestSource, mix: Workload['mix'], count: number): ScriptedRequest[] {
  const taken = Object.fromEntries(callKinds.map((kind) => [kind, 0])) as Record<CallKind, number>;
  return Array.from({ length: count }, (_, index) => {
    const [first, ...others] = callKinds;
    // The kind that is furthest behind its share.
    const lag = (kind: CallKind): number => mix[kind] * (index + 1) - taken[kind];
    const kind = others.reduce((most, other) => (lag(other) > lag(most) ? other : most), first as CallKind);
    taken[kind] += 1;
    return take(source[kind], 1)[0] ?? { path: '' };
  });
}
