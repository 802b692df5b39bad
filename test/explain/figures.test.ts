import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { allFigures, type Explanation } from '../../src/explain/explain-figure.ts';
import { lossReasons } from '../../src/placements/decide/loss-reasons.ts';
import { durations } from '../../src/sales/periods.ts';
import { forEachEngine } from '../support/engines.ts';
import { linkOf } from '../support/follow.ts';
import { documentOf, type OpenApiDocument, operationsOf } from '../support/openapi.ts';
import { newRandom } from '../support/seed.ts';
import { useService } from '../support/service.ts';
import { isThorough } from '../support/thorough.ts';
import { evaluators, type Line } from './evaluate.ts';
import { numericFields, type ShownFigure, shownFigures } from './figure-fields.ts';
import { RandomShop } from './random-shop.ts';

/** What calls of these paths return about sales, performance and campaigns. */
const EXPLAINED = /^\/(performance|campaigns)/;
/** The second changes its clocks in the other half of the year, and by half an hour. */
const ZONES = ['America/New_York', 'Australia/Lord_Howe', 'UTC'];
/** Small, so that lists of lines have several pages. */
const PER_PAGE = '7';

/** Numeric fields that are not figures, and why. */
const notFigures: Readonly<Record<string, string>> = {
  'ProductSales.cost_basis': 'a field of the product',
  'ProductSales.scheduling_fees': 'not known yet',
  'ProductSalesTable.cost_basis': 'a field of the product',
  'ProductSalesTable.scheduling_fees': 'not known yet',
  'Campaign.daily_budget': 'set by the merchant',
  'Campaign.bid_amount': 'set by the merchant',
  'Campaign.daily_budget_per_product': 'set by the merchant',
  'Campaign.lifetime_budget': 'set by the merchant',
  'Campaign.lifetime_budget_per_product': 'set by the merchant',
  ...Object.fromEntries(
    [0, 1, 2, 3, 4, 5, 6, 7].map((slot) => [`HourlySchedule.${slot}`, 'set by the merchant']),
  ),
  ...Object.fromEntries(
    ['from', 'to', 'page', 'per_page', 'total_entries'].map((field) => [
      `CampaignPaginationSummary.${field}`,
      'of the page',
    ]),
  ),
  'ChangedCampaignValue.from': 'set by the merchant',
  'ChangedCampaignValue.to': 'set by the merchant',
  ...Object.fromEntries(
    [
      ...['requests', 'won', 'median_winning_price'].map((field) => `CampaignDiagnosis.${field}`),
      ...lossReasons.map((reason) => `LostRequests.${reason}`),
      ...['percent', 'bid'].map((field) => `NeededBid.${field}`),
    ].map((field) => [field, 'counted by hour: there are no lines']),
  ),
};

forEachEngine((engine) => {
  const service = useService(engine);
  // Days begin where the service says, and never in SQL: `npm test` tries each zone with one engine.
  const zones = isThorough ? ZONES : engine.name === 'sqlite' ? ZONES.slice(0, 2) : ZONES.slice(2);

  describe('the OpenAPI document', () => {
    it('names the figure of every number of sales, performance and campaigns, or the number is none', async () => {
      const document = await documentOf(service());
      const fields = new Map<string, string | undefined>();
      for (const { path, responses, operationId } of operationsOf(document)) {
        if (!EXPLAINED.test(path)) continue;
        const schema = responses[200]?.content?.['application/json']?.schema;
        assert.ok(schema !== undefined, path);
        for (const [field, of] of numericFields(document, schema, operationId))
          fields.set(field, of['x-figure']);
      }
      const unnamed = [...fields].filter(([, figure]) => figure === undefined).map(([field]) => field);
      assert.deepEqual(unnamed.sort(), Object.keys(notFigures).sort());
      const named = new Set([...fields.values()].filter((figure) => figure !== undefined));
      assert.deepEqual([...named].sort(), [...allFigures.keys()].sort());
      assert.deepEqual(Object.keys(evaluators).sort(), [...allFigures.keys()].sort());
    });
  });

  describe('GET /explain', () => {
    for (const zone of zones) {
      it(`${zone}: what the lines of each figure add up to is its value, here and in the call that shows it`, async () => {
        const shop = await RandomShop.open(service(), newRandom(), zone);
        let compared = new Set<string>();
        for (let round = 0; round < 2 || compared.size < allFigures.size; round += 1) {
          await shop.trade();
          compared = compared.union(await compareAll(shop, zone));
        }
      });
    }
  });

  /** Compares all figures of all calls. Returns the names of those that had a value. */
  async function compareAll(shop: RandomShop, zone: string): Promise<Set<string>> {
    const document = await documentOf(service());
    const compared = new Set<string>();
    const explained = new Map<string, Explanation>();
    const sums = new Map<string, number | null>();
    for (const [{ figure, value, record }, selection] of await shownBy(shop, document)) {
      const query = { figure, ...selectionOf(figure, record), ...selection };
      const key = JSON.stringify(query);
      const explanation = explained.get(key) ?? (await explain(shop, query));
      explained.set(key, explanation);
      const { address } = explanation;
      assert.equal(explanation.value, value, `${figure} ${JSON.stringify([record, explanation])}`);
      assert.equal(explanation.time_zone, zone);
      if (value !== null) compared.add(figure);
      const place = `${figure} ${address}`;
      if (!sums.has(place)) {
        const lines = await linesAt(shop, address);
        assert.equal(explanation.lines, lines.length, place);
        sums.set(place, evaluators[figure]?.(lines) ?? null);
      }
      assert.equal(explanation.value, sums.get(place), place);
    }
    return compared;
  }

  /** All figures that calls show, each with what selects it beyond its record. */
  async function shownBy(
    { merchant, campaigns }: RandomShop,
    document: OpenApiDocument,
  ): Promise<[ShownFigure, Record<string, string>][]> {
    const shown: [ShownFigure, Record<string, string>][] = [];
    const read = async (path: string, query: Record<string, string>, selection: Record<string, string>) => {
      const response = await service().get(path, merchant, query);
      assert.equal(response.status, 200, response.text);
      const schema = document.paths[path]?.get?.responses[200]?.content?.['application/json']?.schema;
      assert.ok(schema !== undefined, path);
      for (const figure of shownFigures(document, schema, response.json())) shown.push([figure, selection]);
    };
    await read('/performance/sales.json', {}, {});
    for (const duration of durations) await read('/performance/auctions.json', { duration }, { duration });
    await read('/campaigns.json', {}, {});
    const today = Temporal.Instant.fromEpochMilliseconds(service().now());
    const ago = (days: number): string =>
      today
        .subtract({ hours: 24 * days })
        .toString()
        .slice(0, 10);
    for (const internal_id of campaigns) {
      await read('/campaigns/retrieve.json', { internal_id }, {});
      for (const range of [{}, { from: ago(3) }, { to: ago(2) }, { from: ago(4), to: ago(1) }]) {
        const selection: Record<string, string> = { internal_id, ...range };
        for (const by of ['total', 'product'])
          await read('/campaigns/performance.json', { ...selection, by }, selection);
      }
      await read('/campaigns/performance.json', { internal_id, by: 'day' }, { internal_id });
    }
    return shown;
  }

  async function explain({ merchant }: RandomShop, query: Record<string, string>): Promise<Explanation> {
    const response = await service().get('/explain', merchant, query);
    assert.equal(response.status, 200, response.text);
    return response.json<Explanation>();
  }

  /** Reads all pages of a list. */
  async function linesAt({ merchant }: RandomShop, address: string): Promise<Line[]> {
    const headers = { authorization: `Bearer ${merchant.token}` };
    const lines: Line[] = [];
    const first = `${service().config.basePath}/${address}&per_page=${PER_PAGE}`;
    for (let next: string | undefined = first; next !== undefined; ) {
      const response = await service().client.request('GET', next, { headers });
      assert.equal(response.status, 200, response.text);
      const page = response.json<Line[] | { results: Line[]; cursor: string; more: boolean }>();
      if (Array.isArray(page)) {
        lines.push(...page);
        next = linkOf(response, 'next');
      } else {
        lines.push(...page.results);
        next = page.more ? `${first}&after=${page.cursor}` : undefined;
      }
    }
    return lines;
  }
});

/** What selects a figure of a record. */
function selectionOf(figure: string, record: Readonly<Record<string, unknown>>): Record<string, string> {
  const [group] = figure.split('.');
  const { month, identifier, internal_id, day, product_identifier } = record;
  const selections: Record<string, Record<string, unknown>> = {
    sales: { month },
    product_sales: { product_identifier: identifier },
    campaigns: { internal_id },
    performance: { from: day, to: day, product_identifier },
  };
  const selected = Object.entries(selections[group ?? ''] ?? {}).filter(([, value]) => value != null);
  return Object.fromEntries(selected.map(([name, value]) => [name, String(value)]));
}
