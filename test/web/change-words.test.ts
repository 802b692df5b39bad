import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { ChangedOrderValue, ChangedValue } from '../../src/console/activity-api.ts';
import {
  type ReadableChange,
  readCampaignChanges,
  readProductChanges,
} from '../../web/activity/change-words.ts';
import { readOrderChanges } from '../../web/activity/order-words.ts';
import { Formats } from '../../web/format/formats.ts';

const formats = new Formats('UTC', 'USD');

function inWords({ label, from, to }: ReadableChange): string {
  return label === undefined ? to : `${label}: ${from} → ${to}`;
}

it('changes of a product are in the words and formats of its page, without what follows from others', () => {
  const change = (field: string, values: [ChangedValue['from'], ChangedValue['to']], variation?: string) => ({
    field,
    variation: variation ?? null,
    from: values[0],
    to: values[1],
  });
  const read = (...changes: ChangedValue[]): string[] => readProductChanges(changes, formats).map(inWords);
  assert.deepEqual(
    read(
      change('title', [null, 'Vase']),
      change('buy_now_price', [45, 39.5]),
      change('status', ['in_stock', 'problematic']),
      change('moderation', ['ok', 'problematic']),
      change('available_quantity', [1200, 1199]),
      change('updated_at', ['2026-01-01T00:00:00Z', null]),
      change('quantity', [4, 3], 'VASE-M'),
      change('identifier', [null, 'VASE-L'], 'VASE-L'),
      change('disabled_at', [null, '2026-01-01T00:00:00Z'], 'VASE-S'),
    ),
    [
      'Title: none → Vase',
      `Buy-now price: ${formats.money(45)} → ${formats.money(39.5)}`,
      'Status: In stock → Needs attention',
      'Moderation: OK → Needs attention',
      'Stock of VASE-M: 4 → 3',
      'Variation VASE-L added',
      'VASE-S: disabled',
    ],
  );
  assert.deepEqual(read(change('available_quantity', [1200, 1199])), [
    `Units in stock: ${formats.whole(1200)} → ${formats.whole(1199)}`,
  ]);
  const [long] = readProductChanges([change('description', ['x'.repeat(1000), null])], formats);
  assert.equal(long?.from, `${'x'.repeat(160)}…`);
});

it('changes of a campaign are in the words and formats of its page', () => {
  const changes = [
    { field: 'status', from: 'Active', to: 'Paused' },
    { field: 'lifetime_budget', from: null, to: 100 },
  ];
  assert.deepEqual(readCampaignChanges(changes, formats).map(inWords), [
    'Status: Active → Paused',
    `Lifetime budget: none → ${formats.money(100)}`,
  ]);
});

it('changes of an order are in the words and formats of its page, and a new package is one of them', () => {
  const change = (
    field: string,
    [from, to]: [ChangedOrderValue['from'], ChangedOrderValue['to']],
    item: Partial<Pick<ChangedOrderValue, 'package' | 'refund'>> = {},
  ): ChangedOrderValue => ({ field, package: null, refund: null, ...item, from, to });
  const time = '2026-03-04T08:00:00Z';
  const changes = [
    change('status', ['paid', 'shipped']),
    change('acknowledged_at', [null, time]),
    change('fees.buyer_fee', [30, 31.5]),
    change('carrier', [null, 'ups'], { package: 1 }),
    change('quantity', [null, 1], { package: 1 }),
    change('state', [null, 'shipped'], { package: 1 }),
    change('state', ['shipped', 'delivered'], { package: 2 }),
    change('carrier', ['ups', null], { package: 3 }),
    change('type', [null, 'partial'], { refund: 1 }),
    change('amount', [null, 5], { refund: 1 }),
  ];
  assert.deepEqual(readOrderChanges(changes, formats).map(inWords), [
    'Status: To ship → Shipped',
    'Acknowledged',
    `Paid by the customer, buyer fee: ${formats.money(30)} → ${formats.money(31.5)}`,
    'Package 1: ups, 1 unit, Shipped',
    'Package 2, state: Shipped → Delivered',
    'Package 3 removed',
    `Refund 1: partial, ${formats.money(5)}`,
  ]);
});
