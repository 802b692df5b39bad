import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { DatabaseUnavailable } from '../../src/database/database.ts';
import { intercept } from '../../src/database/intercept.ts';
import type { Decision } from '../../src/placements/decide/decide.ts';
import type { Candidate } from '../../src/placements/decide/ranking.ts';
import { deleteOldCounts } from '../../src/placements/diagnosis/delete-old-counts.ts';
import { DiagnosisRecorder } from '../../src/placements/diagnosis/diagnosis-recorder.ts';
import { NeededBids } from '../../src/placements/diagnosis/needed-bids.ts';
import { outcomesOf, SCORE_UNITS, scoreToBeat } from '../../src/placements/diagnosis/outcomes-of.ts';
import { listDemand, listOutcomes } from '../../src/placements/diagnosis/queries.ts';
import { roundBidUp, roundDown, roundToStep, roundUp } from '../../src/placements/diagnosis/rounding.ts';
import { bitOf, countOthers, unionOf } from '../../src/placements/diagnosis/winners.ts';
import { forEachEngine } from '../support/engines.ts';
import { FailingDatabase } from '../support/failing-database.ts';
import { newRandom } from '../support/seed.ts';
import { useService } from '../support/service.ts';

const HOUR_MS = 60 * 60 * 1000;
const DAY_MS = 24 * HOUR_MS;
// The present: the service deletes older counts at its start.
const NOW = Date.now();
const HOUR = Math.floor(NOW / HOUR_MS) * HOUR_MS;
const REQUEST = { currency: 'USD', type: null, category: [], floor: 100, isListed: false };

function candidate(campaignId: string, productId: number, bid = 1000, merchantId = 1): Candidate {
  return {
    ...{ merchantId, campaignId, productId, bid, quality: 1, score: bid / 100 },
    ...{ isCampaignBid: true, merchantTurn: 0, campaignTurn: 0, productTurn: 0, maxDailySchedules: null },
  };
}

function decision(part: Partial<Decision>): Decision {
  return { awards: [], unfilled: 0, losers: {}, refused: [], full: [], considered: [], ...part };
}

describe('rounded amounts', () => {
  it('have steps of 5 to 10 % above 10, and stay whole', () => {
    assert.deepEqual(
      [0, 1, 9.5, 10, 10.2, 19, 20.5, 51, 99.5, 101].map(roundUp),
      [0, 1, 10, 10, 11, 19, 22, 55, 100, 110],
    );
    assert.deepEqual([0.4, 10, 10.2, 51, 54, 109, 1234].map(roundToStep), [0, 10, 10, 50, 55, 110, 1200]);
    assert.deepEqual([0.4, 10.9, 51, 54, 109, 1299].map(roundDown), [0, 10, 50, 50, 100, 1200]);
    const random = newRandom();
    for (let round = 0; round < 5_000; round++) {
      const amount = Math.ceil(2 ** (random.next() * 48));
      const [down, up] = [roundDown(amount), roundUp(amount)];
      assert.ok(down <= amount && amount <= up && up <= amount * 1.1 + 1e-6, `${down} ${amount} ${up}`);
      assert.deepEqual([roundUp(up), roundDown(down), Number.isSafeInteger(up)], [up, down, true]);
    }
  });
});

describe('rounded bids', () => {
  it('are at least the bid, and the same for at least five different ones', () => {
    assert.deepEqual(
      [0, 1, 4, 5, 6, 20, 21, 51, 99, 101, 1234].map(roundBidUp),
      [0, 5, 5, 5, 10, 20, 25, 55, 100, 110, 1300],
    );
    const bids = Array.from({ length: 20_000 }, (_, index) => index + 1);
    for (const [rounded, same] of Map.groupBy(bids, roundBidUp)) {
      assert.ok(same.length >= 5 && same.every((bid) => bid <= rounded), String(rounded));
      assert.ok(rounded <= Math.max(1.1 * (same[0] ?? 0), (same[0] ?? 0) + 4), String(rounded));
    }
  });
});

describe('who had to be beaten', () => {
  it('is counted without the merchant itself, and never too high', () => {
    const union = (ids: readonly number[]): number => ids.map(bitOf).reduce(unionOf, 0);
    assert.deepEqual(
      [[], [7], [7, 8], [7, 8, 8, 9], [8, 61, 114]].map((ids) => countOthers(union(ids), 7)),
      [0, 0, 1, 2, 1],
    );
    const all = union(Array.from({ length: 500 }, (_, index) => index + 1));
    assert.deepEqual([Number.isSafeInteger(all), countOthers(all, 7)], [true, 52]);
  });
});

const OTHERS = [2, 3, 4].map(bitOf).reduce(unionOf);

describe('bids that would have won', () => {
  it('cover at least their part of the requests, and no more than rounding adds', () => {
    const random = newRandom();
    for (let round = 0; round < 50; round++) {
      const quality = random.pick([1, 0.25, 0.037]);
      const bids = new NeededBids({ merchantId: 1, minorUnit: 100, quality });
      const needed = Array.from({ length: random.whole(50, 200) }, () => {
        const minorUnits = random.whole(1, 5_000);
        const score = roundUp(minorUnits * quality * SCORE_UNITS);
        const floor = 100 * random.whole(1, 300);
        bids.addScore({ score, floor, requests: 1, winners: OTHERS });
        return { score: minorUnits * quality, floor };
      });
      for (const { percent, bid } of bids.result() ?? assert.fail('no bids')) {
        const covered = (minorUnits: number): number =>
          needed.filter(({ score, floor }) => minorUnits * quality > score && minorUnits * 100 >= floor)
            .length;
        const minorUnits = Math.round(bid * 100);
        assert.ok(covered(minorUnits) * 100 >= percent * needed.length, `${percent} % with ${bid}`);
        assert.ok(covered(minorUnits / 1.22 - 6) * 100 < percent * needed.length, `${percent} % with ${bid}`);
      }
    }
  });

  it('are the floor where a place was left, and the price where it won', () => {
    const bids = new NeededBids({ merchantId: 1, minorUnit: 100, quality: 1 });
    bids.addScore({ score: 0, floor: 500, requests: 60, winners: OTHERS });
    bids.addPrice(1200, 40);
    assert.deepEqual(
      bids.result()?.map(({ bid }) => bid),
      [0.05, 0.05, 0.15, 0.15],
    );
  });

  it('are told only if at least three other merchants had to be beaten', () => {
    const told = (...rows: [merchantId: number, requests: number][]): boolean => {
      const bids = new NeededBids({ merchantId: 1, minorUnit: 100, quality: 1 });
      for (const [winner, requests] of rows)
        bids.addScore({ score: 12 * SCORE_UNITS, floor: 100, requests, winners: bitOf(winner) });
      return bids.result() !== null;
    };
    assert.deepEqual(
      [told([2, 90]), told([2, 90], [3, 90]), told([1, 90], [2, 90], [3, 90])],
      [false, false, false],
    );
    assert.deepEqual([told([2, 90], [3, 90], [4, 0]), told([2, 20], [3, 16], [4, 14])], [false, true]);
  });

  it('never tell the bid of one merchant that had to be beaten in more than half of its requests', () => {
    const bidsWith = (often: number): number[] | undefined => {
      const bids = new NeededBids({ merchantId: 1, minorUnit: 100, quality: 1 });
      const add = (minorUnits: number, winner: number, requests: number): void =>
        bids.addScore({
          ...{ score: (minorUnits - 1) * SCORE_UNITS, floor: 100, requests, winners: bitOf(winner) },
        });
      for (const winner of [2, 3, 4]) add(10, winner, 30);
      add(25, 5, often);
      for (const winner of [2, 3, 4]) add(40, winner, 5);
      return bids.result()?.map(({ bid }) => bid);
    };
    assert.deepEqual(bidsWith(1_000), undefined);
    assert.deepEqual(bidsWith(80), [0.4, 0.4, 0.4, 0.4]);
    assert.deepEqual(bidsWith(2), [0.1, 0.1, 0.1, 0.4]);
  });
});

describe('the outcomes of a request', () => {
  const of = (part: Partial<Decision>, isListed = false): string[] =>
    outcomesOf(decision(part), { isListed, floor: 100 }).map(
      ({ merchantId, campaignId, productId, outcome, value }) =>
        `${merchantId} ${campaignId} ${productId}: ${outcome} ${value}`,
    );

  it('are one of the campaign and one of each product that was looked at', () => {
    const [first, second, third] = [candidate('a', 1), candidate('a', 2), candidate('b', 3, 500)];
    const found = of({
      awards: [{ candidate: second, price: 730 }],
      refused: [
        { candidate: first, reason: 'max_daily_schedules', isWholeCampaign: false },
        { candidate: third, reason: 'paced', isWholeCampaign: true },
      ],
      considered: [first, second, third],
    });
    assert.deepEqual(found, [
      '1 a 0: won 750',
      '1 a 2: won 750',
      '1 a 1: max_daily_schedules 0',
      '1 b 0: paced 0',
      '1 a 0: beaten 100 10000000',
      '1 a 2: beaten 100 10000000',
      '1 b 0: all paced 100',
    ]);
  });

  it('name the merchant once if it has all places that it may have', () => {
    const won = candidate('a', 1);
    const full = [
      { merchantId: 1, campaignId: null },
      { merchantId: 1, campaignId: 'a' },
    ];
    assert.deepEqual(of({ awards: [{ candidate: won, price: 100 }], full }), [
      '1 a 0: won 100',
      '1 a 1: won 100',
      '1 a 0: beaten 100 10000000',
      '1 a 1: beaten 100 10000000',
      '1  0: all over_max_per_merchant 100',
      '1 a 0: spared by merchant 100',
      '1 a 1: spared by merchant 100',
    ]);
  });

  it('are of all that were looked at if the request names products', () => {
    const [won, lost, same] = [candidate('a', 1), candidate('c', 9, 700, 2), candidate('a', 2)];
    const full = [{ merchantId: 1, campaignId: 'a' }];
    const part = { awards: [{ candidate: won, price: 710 }], full, considered: [won, lost, same] };
    assert.deepEqual(of(part, true), [
      '1 a 0: won 700',
      '1 a 1: won 700',
      '1 a 2: over_max_per_merchant 1',
      '1 a 0: listed -1',
      '1 a 1: listed -1',
      '2 c 0: listed 10000000',
      '2 c 9: listed 10000000',
      '1 a 2: listed 10000000',
    ]);
  });

  it('have no score to beat if a place was left', () => {
    const awards = [{ candidate: candidate('a', 1), price: 100 }];
    assert.equal(scoreToBeat(decision({ awards, unfilled: 1 })), 0);
    assert.equal(scoreToBeat(decision({ awards })), 10 * SCORE_UNITS);
  });
});

forEachEngine((engine) => {
  const service = useService(engine);
  const demandOf = async (currency: string): Promise<{ requests: number; floor: number }[]> =>
    await service().database.all(listDemand, { since: HOUR, currency, type: '' });
  const newRecorder = (database = service().database): DiagnosisRecorder =>
    new DiagnosisRecorder(database, () => {});

  it('loses no count when the database is away for a while', async () => {
    const failing = new FailingDatabase();
    const recorder = newRecorder(failing.wrap(service().database));
    const awards = [{ candidate: candidate('x', 1, 1000, 7), price: 100 }];
    const record = (): void => recorder.record({ ...REQUEST, currency: 'SEK' }, decision({ awards }), NOW);
    record();
    failing.failure = new DatabaseUnavailable('away');
    await recorder.flush();
    record();
    failing.failure = undefined;
    await recorder.flush();
    assert.deepEqual(
      (await demandOf('SEK')).map(({ requests }) => requests),
      [2],
    );
    const key = { merchantId: 7, campaignId: 'x', productId: 1, hours: [HOUR] };
    const outcomes = await service().database.all(listOutcomes, key);
    assert.deepEqual([...new Set(outcomes.map(({ requests }) => requests))], [2]);
    assert.equal(recorder.dropped, 0);
  });

  it('loses no count, and counts nothing twice, when a write fails', async () => {
    const { database } = service();
    let failures = 0;
    const failing = intercept(database, {
      transaction: (work, options) =>
        ++failures % 2 === 1
          ? Promise.reject(new DatabaseUnavailable('failed'))
          : database.transaction(work, options),
    });
    const recorder = newRecorder(failing);
    for (let request = 0; request < 3; request++) {
      recorder.record({ ...REQUEST, currency: 'CZK' }, decision({}), NOW);
      await recorder.flush();
    }
    await recorder.flush();
    assert.deepEqual(
      (await demandOf('CZK')).map(({ requests }) => requests),
      [3],
    );
  });

  it('drops what can never be written, says so, and counts on', async () => {
    const { database } = service();
    const failure = new Error('value out of range');
    let fails = true;
    const failing = intercept(database, {
      transaction: (work, options) => (fails ? Promise.reject(failure) : database.transaction(work, options)),
    });
    const errors: unknown[] = [];
    const recorder = new DiagnosisRecorder(failing, (error) => errors.push(error));
    const record = (): void => recorder.record({ ...REQUEST, currency: 'HUF' }, decision({}), NOW);
    for (let request = 0; request < 3; request++) record();
    await recorder.flush();
    assert.deepEqual([errors, recorder.dropped], [[failure], 3]);
    fails = false;
    record();
    await recorder.flush();
    assert.deepEqual(
      (await demandOf('HUF')).map(({ requests }) => requests),
      [1],
    );
  });

  it('remembers who had to be beaten, whichever process counted it', async () => {
    const ids = [51, 52, 53, 105, 4];
    for (const merchantId of ids) {
      const awards = [{ candidate: candidate('x', 1, 1000, merchantId), price: 100 }];
      const recorder = newRecorder();
      const considered = [candidate('y', 2, 500, 9)];
      recorder.record({ ...REQUEST, currency: 'CHF' }, decision({ awards }), NOW);
      recorder.record({ ...REQUEST, currency: 'CHF' }, decision({ awards, unfilled: 1 }), NOW);
      recorder.record({ ...REQUEST, isListed: true }, decision({ awards, considered }), NOW);
      await recorder.flush();
    }
    const winners = ids.map(bitOf).reduce(unionOf);
    const demand = await service().database.all(listDemand, { since: HOUR, currency: 'CHF', type: '' });
    assert.deepEqual(demand.map((row) => [row.score > 0, row.requests, row.winners]).sort(), [
      [false, ids.length, 0],
      [true, ids.length, winners],
    ]);
    const key = { merchantId: 9, campaignId: 'y', productId: 2, hours: [HOUR] };
    const outcomes = await service().database.all(listOutcomes, key);
    assert.deepEqual(
      outcomes.map((row) => [row.outcome, row.winners]),
      [
        ['listed', winners],
        ['listed', winners],
      ],
    );
  });

  it('keeps a bounded number of kinds and of least prices, and loses no request', async () => {
    const recorder = newRecorder();
    const count = 2_000;
    for (let request = 0; request < count; request++) {
      const category = [`level ${request % 700}`, `below ${request}`];
      recorder.record({ ...REQUEST, currency: 'NOK', category, floor: 1000 + request }, decision({}), NOW);
    }
    await recorder.flush();
    const demand = await service().database.all(listDemand, { since: HOUR, currency: 'NOK', type: '' });
    assert.equal(
      demand.reduce((sum, { requests }) => sum + requests, 0),
      count,
    );
    const kinds = new Set(demand.map((row) => `${row.category_1} ${row.category_2}`));
    assert.equal(kinds.size, 601);
    assert.ok(new Set(demand.map(({ floor }) => floor)).size <= 100);
  });

  it('drops what exceeds its memory, and says how much', async () => {
    const recorder = newRecorder();
    for (let campaign = 0; campaign < 30_000; campaign++) {
      const refused = [
        {
          candidate: candidate(`c${campaign}`, 1, 1000, 8),
          reason: 'max_daily_schedules',
          isWholeCampaign: false,
        },
      ] as const;
      recorder.record({ ...REQUEST, currency: 'DKK' }, decision({ refused: [...refused] }), NOW);
    }
    assert.equal(recorder.dropped, 10_001);
    await recorder.flush();
  });

  it('deletes counts after two days', async () => {
    const { id: merchantId } = await service().newMerchant();
    const recorder = newRecorder();
    const awards = [{ candidate: candidate('x', 1, 1000, merchantId), price: 100 }];
    recorder.record({ ...REQUEST, currency: 'PLN' }, decision({ awards }), NOW);
    await recorder.flush();
    const kept = async (): Promise<number[]> => [
      (await demandOf('PLN')).length,
      (
        await service().database.all(listOutcomes, {
          merchantId,
          campaignId: 'x',
          productId: 0,
          hours: [HOUR],
        })
      ).length,
    ];
    await deleteOldCounts(service().database, HOUR + 2 * DAY_MS);
    assert.deepEqual(await kept(), [1, 2]);
    await deleteOldCounts(service().database, HOUR + 2 * DAY_MS + 1);
    assert.deepEqual(await kept(), [0, 0]);
  });
});
