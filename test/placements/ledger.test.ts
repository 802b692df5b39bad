import assert from 'node:assert/strict';
import { it } from 'node:test';
import { statement } from '../../src/database/statement.ts';
import { exportPlacements } from '../../src/placements/list/export-placements.ts';
import type { PlacementRecord } from '../../src/placements/list/placement-record.ts';
import { ExpiredPlacements } from '../../src/placements/outcomes/release-expired.ts';
import {
  figureNames,
  figuresOf,
  NOTHING,
  type PlacementFigures,
} from '../../src/placements/record/figures.ts';
import type { Placement } from '../../src/placements/record/placement.ts';
import { placementColumns } from '../../src/placements/record/queries.ts';
import { draft, importDrafts, importFactDrafts } from '../support/catalog.ts';
import { forEachEngine } from '../support/engines.ts';
import { newRandom } from '../support/seed.ts';
import { useService } from '../support/service.ts';
import { runs } from '../support/thorough.ts';
import { type ModelCampaign, ModelLedger } from './model.ts';
import { BID, reservePlaces } from './placements-support.ts';

const DAY_MS = 86_400_000;
const MIN_STEPS = runs(200);
const MAX_STEPS = 10_000;
const PRODUCTS = ['A', 'B', 'C'] as const;
/** Why no place is given while a campaign has a status. */
const lossOfStatus: Readonly<Record<string, string>> = {
  Paused: 'paused',
  'Lifetime Budget Exhausted': 'lifetime_budget',
};
/** What has to happen before the test ends. */
const WANTED = [
  ...['reserved', 'delivered', 'released', 'expired', 'charged late', 'late', 'repeated', 'contradicted'],
  ...['fact', 'fact changed', 'paused', 'max_daily_schedules'],
  ...['daily_budget', 'daily_budget_per_product', 'lifetime_budget', 'lifetime_budget_per_product'],
];

const listPlacements = statement<{ merchantId: number }, Placement>(
  `SELECT ${placementColumns} FROM placements p WHERE p.merchant_id = :merchantId`,
);
const listFigures = statement<
  { merchantId: number },
  PlacementFigures & { campaign_id: string; product_id: number; day: string }
>(
  `SELECT campaign_id, product_id, day, ${figureNames.join(', ')} FROM placement_figures
   WHERE merchant_id = :merchantId`,
);

forEachEngine((engine) => {
  const service = useService(engine);

  it('reservations, outcomes and facts do what the model does: no budget is exceeded, and every figure is the sum of its lines', async () => {
    const zone = 'Pacific/Auckland';
    const merchant = await service().newMerchant(zone);
    const operator = await service().newOperatorToken();
    const random = newRandom();
    const setMax = async (identifier: string, max_daily_schedules: number): Promise<void> => {
      const fields = { campaign_name: 'Sale', available_quantity: 9, max_daily_schedules, ...BID };
      await importDrafts(service(), merchant, [[draft(identifier, fields)]]);
    };
    const most = new Map(PRODUCTS.map((identifier) => [identifier, 1_000]));
    for (const [identifier, max] of most) await setMax(identifier, max);
    const ledger = new ModelLedger();
    const seen = new Set<string>();
    const note = (...outcomes: (string | false | undefined)[]): void => {
      for (const outcome of outcomes) if (outcome) seen.add(outcome);
    };
    const post = async (path: string, json: object): Promise<{ internal_id: string; status: string }> => {
      const headers = { authorization: `Bearer ${merchant.token}` };
      const response = await service().request('POST', path, { json, headers });
      assert.equal(response.status, 200, response.text);
      return response.json();
    };
    const dayOf = (time: number): string =>
      Temporal.Instant.fromEpochMilliseconds(time).toZonedDateTimeISO(zone).toPlainDate().toString();

    const dollars = (cents: number | null): number | null => (cents === null ? null : cents / 100);
    const budget = (most: number): number | null => (random.chance(0.3) ? null : random.whole(1, most));
    const budgets = ({
      daily,
      dailyPerProduct,
      lifetime,
      lifetimePerProduct,
    }: Omit<ModelCampaign, 'id'>) => ({
      daily_budget: dollars(daily) ?? undefined,
      daily_budget_per_product: dollars(dailyPerProduct) ?? undefined,
      lifetime_budget: dollars(lifetime) ?? undefined,
      lifetime_budget_per_product: dollars(lifetimePerProduct) ?? undefined,
    });
    const create = async (): Promise<ModelCampaign> => {
      const amounts = {
        daily: budget(400),
        dailyPerProduct: budget(300),
        lifetime: budget(2_000),
        lifetimePerProduct: random.whole(1, 900),
      };
      const { internal_id: id } = await post('/campaigns', {
        name: 'Sale',
        type: 'AuctionCampaign',
        ...budgets({ ...amounts, daily: amounts.daily ?? 500 }),
      });
      return { id, ...amounts, daily: amounts.daily ?? 500 };
    };
    const campaigns = [await create(), await create(), await create()] as const;

    async function statuses(): Promise<Map<string, string>> {
      const listed = await service().get('/campaigns', merchant);
      return new Map(
        listed
          .json<{ internal_id: string; status: string }[]>()
          .map(({ internal_id, status }) => [internal_id, status]),
      );
    }

    async function reserveSome(): Promise<void> {
      const today = dayOf(service().now());
      const holdMs = random.whole(1, 3) * 20 * 60_000;
      const current = await statuses();
      const asked = Array.from({ length: random.whole(1, 6) }, () => {
        const campaign = random.pick(campaigns);
        const product = random.pick(PRODUCTS);
        return { campaign, product, price: random.whole(1, 90) };
      });
      if (random.chance(0.3)) {
        const [product, max] = [random.pick(PRODUCTS), random.pick([random.whole(0, 6), 1_000])];
        most.set(product, max);
        await setMax(product, max);
      }
      const won = asked.map(({ campaign, product, price }) => ({
        ...{ campaign: campaign.id, product: PRODUCTS.indexOf(product) + 1, price },
      }));
      const results = await reservePlaces(service(), merchant, won, { holdMs });
      for (const [index, { campaign, product, price }] of asked.entries()) {
        const max = most.get(product) ?? 0;
        const placed = ledger.of({ product, day: today }).filter(({ state }) => state !== 'released').length;
        const status = current.get(campaign.id) ?? '';
        const expected: string | undefined =
          lossOfStatus[status] ??
          (placed >= max ? 'max_daily_schedules' : ledger.exceeded(campaign, { product, day: today, price }));
        const result = results[index];
        assert.ok(result !== undefined);
        assert.equal(typeof result === 'string' ? undefined : result.loss, expected);
        note(expected ?? 'reserved');
        if (typeof result !== 'string') continue;
        const reserved = { id: result, campaign: campaign.id, product, day: today, price };
        const expiresAt = service().now() + holdMs;
        const state = 'reserved';
        ledger.placements.set(result, { ...reserved, state, expiresAt, late: false, isFact: false });
      }
    }

    async function report(): Promise<void> {
      const placements = ledger.of({ isFact: false });
      const [first] = placements;
      if (first === undefined) return;
      const lines = Array.from({ length: random.whole(1, 5) }, () => ({
        placement_id: (placements[random.whole(0, placements.length - 1)] ?? first).id,
        outcome: random.pick(['delivered', 'delivered', 'released'] as const),
      }));
      const response = await service().operator('POST', '/placements/outcomes', operator, { json: lines });
      assert.equal(response.status, 200, response.text);
      const { results } = response.json<{ results: { result: string }[] }>();
      for (const [index, { placement_id, outcome }] of lines.entries()) {
        const placement = ledger.placements.get(placement_id);
        const campaign = campaigns.find(({ id }) => id === placement?.campaign);
        assert.ok(placement !== undefined && campaign !== undefined);
        let expected = 'updated';
        if (placement.state === outcome) expected = 'unchanged';
        else if (placement.state === 'delivered') expected = 'rejected';
        else if (outcome === 'delivered' && placement.state === 'released') {
          const isCovered = ledger.exceeded(campaign, placement) === undefined;
          placement.late = !isCovered;
          if (!isCovered) placement.price = 0;
          note(isCovered ? 'charged late' : 'late');
        }
        assert.equal(results[index]?.result, expected, response.text);
        if (expected === 'updated') placement.state = outcome;
        note({ updated: outcome, unchanged: 'repeated', rejected: 'contradicted' }[expected]);
      }
    }

    async function state(): Promise<void> {
      const campaign = random.pick(campaigns);
      const product = random.pick(PRODUCTS);
      const id = `fact ${random.whole(1, 12)}`;
      const at = service().now() - random.whole(0, 2) * DAY_MS;
      const price = random.whole(0, 60);
      const fact = { placement_id: id, campaign_id: campaign.id, product_identifier: product };
      // Not as a stream, which would start a process each time.
      const { rejections } = await importFactDrafts(service(), merchant, [
        [{ ...fact, merchant: null, delivered_at: at, price: price * 100 }],
      ]);
      assert.deepEqual(rejections, []);
      note(ledger.placements.has(id) ? 'fact changed' : 'fact');
      ledger.placements.set(id, {
        id,
        campaign: campaign.id,
        product,
        day: dayOf(at),
        state: 'delivered',
        price,
        expiresAt: 0,
        late: false,
        isFact: true,
      });
    }

    async function passTime(): Promise<void> {
      service().passTime(random.pick([60_000, 20 * 60_000, DAY_MS / 3]));
      await new ExpiredPlacements({ ...service(), lowBudget: 80 }).release(() => false);
      for (const placement of ledger.of({ state: 'reserved' }))
        if (placement.expiresAt <= service().now()) {
          placement.state = 'released';
          note('expired');
        }
    }

    /** Any budget, so that each is the one that stops the campaign at times. */
    async function changeBudget(): Promise<void> {
      const campaign = random.pick(campaigns);
      const name = random.pick(['daily', 'dailyPerProduct', 'lifetime', 'lifetimePerProduct'] as const);
      const used = ledger.used({
        campaign: campaign.id,
        ...(name.startsWith('daily') && { day: dayOf(service().now()) }),
        ...(name.endsWith('Product') && { product: random.pick(PRODUCTS) }),
      });
      campaign[name] = Math.max(1, used) + random.whole(0, random.pick([60, 3_000]));
      await post('/campaigns/update', { internal_id: campaign.id, ...budgets(campaign) });
    }

    async function pauseOrResume(): Promise<void> {
      const { id: internal_id } = random.pick(campaigns);
      const status = (await statuses()).get(internal_id);
      if (status === 'Active') await post('/campaigns/pause', { internal_id });
      else if (status === 'Paused') await post('/campaigns/resume', { internal_id });
    }

    /** Everything that is stored adds up, and is what the model has. */
    async function check(): Promise<void> {
      const stored = await service().database.all(listPlacements, { merchantId: merchant.id });
      assert.deepEqual(
        stored
          .map(({ placement_id, state, price, day, late }) => [placement_id, state, price, day, late === 1])
          .toSorted(),
        [...ledger.placements.values()]
          .map(({ id, state, price, day, late }) => [id, state, price * 100, day, late])
          .toSorted(),
      );
      const expected = new Map<string, PlacementFigures>();
      for (const placement of stored) {
        const { campaign_id: campaign, product_id: product, day } = placement;
        for (const key of [
          `${campaign} 0 `,
          `${campaign} 0 ${day}`,
          `${campaign} ${product} `,
          `${campaign} ${product} ${day}`,
          ` ${product} ${day}`,
        ]) {
          const sum = { ...(expected.get(key) ?? NOTHING) };
          for (const name of figureNames) sum[name] += figuresOf(placement)[name];
          expected.set(key, sum);
        }
      }
      for (const row of await service().database.all(listFigures, { merchantId: merchant.id })) {
        const { campaign_id, product_id, day, ...figures } = row;
        const key = `${campaign_id} ${product_id} ${day}`;
        assert.deepEqual({ ...figures }, expected.get(key) ?? NOTHING, key);
        expected.delete(key);
      }
      for (const [key, sum] of expected) assert.deepEqual(sum, NOTHING, key);
    }

    /** Reports of the API have the model's sums, and the lists have their lines. */
    async function checkReports(): Promise<void> {
      const exported = (await Array.fromAsync(exportPlacements(service(), merchant.id))).flat();
      for (const campaign of [...campaigns, undefined]) {
        const named = campaign === undefined ? {} : { internal_id: campaign.id };
        const report = async (query: Record<string, string>) =>
          (await service().get('/campaigns/performance', merchant, { ...named, ...query })).json<{
            results: { day: string; product_identifier: string; spend: number; placements: number }[];
          }>().results;
        const of = campaign === undefined ? {} : { campaign: campaign.id };
        const [total] = await report({});
        assert.equal(total?.spend, ledger.spent(of) / 100);
        const delivered = ledger.of({ ...of, state: 'delivered' });
        const days = [...new Set(delivered.map(({ day }) => day))].toSorted();
        assert.deepEqual(
          (await report({ by: 'day' })).map(({ day, spend }) => [day, spend]),
          days.map((day) => [day, ledger.spent({ ...of, day }) / 100]),
        );
        for (const range of [{}, { from: days[0] ?? '2020-01-01', to: days[1] ?? days[0] ?? '2020-01-01' }]) {
          const [from = '', to = '~'] = Object.values(range);
          const inRange = delivered.filter(({ day }) => day >= from && day <= to);
          assert.deepEqual(
            new Map(
              (await report({ by: 'product', ...range })).map((row) => [
                row.product_identifier,
                row.placements,
              ]),
            ),
            new Map(
              [...Map.groupBy(inRange, ({ product }) => product)].map(([product, list]) => [
                product,
                list.length,
              ]),
            ),
          );
        }
        if (campaign === undefined) continue;
        const lines: PlacementRecord[] = [];
        for (let after: string | undefined, more = true; more; ) {
          const page = await service().get('/placements', merchant, {
            campaign: campaign.id,
            per_page: '7',
            ...(after !== undefined && { after }),
          });
          const list = page.json<{ results: typeof lines; cursor: string; more: boolean }>();
          lines.push(...list.results);
          ({ cursor: after, more } = list);
        }
        assert.equal(lines.length, ledger.of(of).length);
        const ofCampaign = exported.filter(({ campaign_id }) => campaign_id === campaign.id);
        const inOrder = (some: PlacementRecord[]) =>
          some.toSorted((one, other) => (one.placement_id < other.placement_id ? -1 : 1));
        assert.deepEqual(inOrder(lines), inOrder(ofCampaign), 'the export has the same lines');
        const spent = lines
          .filter(({ state }) => state === 'delivered')
          .map(({ price }) => Math.round(price * 100));
        assert.equal(
          spent.reduce((sum, price) => sum + price, 0),
          ledger.spent(of),
        );
      }
    }

    let cursor = 'start';
    const mirror = new Map<string, string>();
    async function follow(): Promise<void> {
      for (let more = true; more; ) {
        const page = await service().get('/placements', merchant, { changed_since: cursor, per_page: '20' });
        const list = page.json<{
          results: { placement_id: string; state: string }[];
          cursor: string;
          more: boolean;
        }>();
        for (const { placement_id, state } of list.results) mirror.set(placement_id, state);
        ({ cursor, more } = list);
      }
      assert.deepEqual(mirror, new Map([...ledger.placements.values()].map(({ id, state }) => [id, state])));
    }

    for (let step = 0; step < MIN_STEPS || WANTED.some((outcome) => !seen.has(outcome)); step += 1) {
      assert.ok(step < MAX_STEPS, `never: ${WANTED.filter((outcome) => !seen.has(outcome)).join(', ')}`);
      const action = random.pick([
        reserveSome,
        reserveSome,
        report,
        report,
        state,
        passTime,
        changeBudget,
        pauseOrResume,
      ]);
      await action();
      if (step % 10 === 0) await check();
      if (step % 20 === 0) await follow();
      if (step % 50 === 0) await checkReports();
    }
    await check();
    await follow();
    await checkReports();
  });
});
