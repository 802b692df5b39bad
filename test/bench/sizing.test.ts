import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { assumptions, type Costs, callKinds, peakOf, predict } from '../../bench/sizing/model.ts';
import { takeMixed } from '../../bench/sizing/requests.ts';

const costs: Costs = {
  calls: {
    'known page': { service: 1, database: 0 },
    'new page': { service: 2, database: 1 },
    variation: { service: 3, database: 0 },
    campaign: { service: 4, database: 2 },
    'monthly sales': { service: 5, database: 0 },
  },
  importedRow: 10,
  bytesPerProduct: 5_000,
  emptyBytes: 100,
};

describe('the sizing model', () => {
  it('adds up the costs of all calls, imported rows and products', () => {
    const mix = { 'known page': 0.5, 'new page': 0.5, variation: 0, campaign: 0, 'monthly sales': 0 };
    const load = { callsPerSecond: 200, importedRowsPerSecond: 30, mix };
    const needs = predict(costs, { merchants: 2, productsPerMerchant: 10, ...load });
    assert.ok(Math.abs(needs.service - (0.2 * 1.5 + 0.3)) < 1e-9, String(needs.service));
    assert.ok(Math.abs(needs.database - 0.2 * 0.5) < 1e-9, String(needs.database));
    assert.equal(needs.bytes, 100 + 20 * 5_000);
  });

  it('grows with the number of merchants', () => {
    const [few, many] = [10, 1_000].map((merchants) => peakOf(merchants, assumptions));
    assert.ok(Math.abs((many?.callsPerSecond ?? 0) / (few?.callsPerSecond ?? 1) - 100) < 1e-9);
    assert.ok(Math.abs((many?.importedRowsPerSecond ?? 0) / (few?.importedRowsPerSecond ?? 1) - 100) < 1e-9);
  });

  it('assumes shares of calls that add up to 1', () => {
    const sum = callKinds.reduce((total, kind) => total + assumptions.mix[kind], 0);
    assert.ok(Math.abs(sum - 1) < 1e-9, String(sum));
  });

  it('mixes requests in the assumed proportions, evenly spread', () => {
    const forever = function* (path: string) {
      for (;;) yield { path };
    };
    const sources = {
      'known page': forever('known page'),
      'new page': forever('new page'),
      variation: forever('variation'),
      campaign: forever('campaign'),
      'monthly sales': forever('monthly sales'),
    };
    const taken = takeMixed(sources, assumptions.mix, 2_000);
    for (const part of [taken.slice(0, 200), taken]) {
      for (const kind of callKinds) {
        const share = part.filter(({ path }) => path === kind).length / part.length;
        assert.ok(Math.abs(share - assumptions.mix[kind]) < 0.01, `${kind}: ${share}`);
      }
    }
  });
});
