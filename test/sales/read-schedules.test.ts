import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { readSchedules } from '../../src/sales/read-schedules.ts';
import { fileWith, flatten, itemsOf, rejectionsOf } from '../files/fake-file.ts';
import { fc } from '../support/seed.ts';

const HEADER = 'schedule_id,product_identifier,scheduled_at,sold,sale_price,rating\n';
const read = async (t: TestContext, contents: string) =>
  flatten((await readSchedules(await fileWith(t, contents))).schedules);
const csv = (t: TestContext, ...rows: string[]) => read(t, `${HEADER}${rows.join('\n')}\n`);

describe('readSchedules', () => {
  it('reads the same from CSV and NDJSON', async (t) => {
    const expected = [
      {
        line: 2,
        item: {
          merchant: null,
          schedule_id: 'a:1.b_c-d e',
          product_identifier: 'P 1',
          variation_identifier: undefined,
          scheduled_at: 1767225599500,
          sold: true,
          sale_price: 1999,
          rating: 450,
          order_id: undefined,
          placement_id: undefined,
        },
      },
      {
        line: 3,
        item: {
          merchant: null,
          schedule_id: '2',
          product_identifier: 'P-2',
          variation_identifier: undefined,
          scheduled_at: 1767225600000,
          sold: false,
          sale_price: null,
          rating: null,
          order_id: undefined,
          placement_id: undefined,
        },
      },
    ];
    assert.deepEqual(
      await csv(
        t,
        'a:1.b_c-d e,P 1,2025-12-31T23:59:59.5Z,TRUE,19.99,4.5',
        '2,P-2,2026-01-01T01:00:00+01:00,0,,',
      ),
      expected,
    );
    assert.deepEqual(
      await read(
        t,
        '\n{"schedule_id":"a:1.b_c-d e","product_identifier":"P 1","scheduled_at":"2025-12-31T23:59:59.5Z","sold":true,"sale_price":19.99,"rating":4.5}\n' +
          '{"schedule_id":"2","product_identifier":"P-2","scheduled_at":"2026-01-01T00:00:00Z","sold":0}\n',
      ),
      expected,
    );
  });

  it('reads an order; blank or null is none, and a missing column or member leaves it open', async (t) => {
    const row = ',P,2026-01-01T00:00:00Z,false,,';
    const header = HEADER.replace('\n', ',order_id\n');
    const cells = ['4711', ' 1 ', '', '2147483647', '0', '-1', '1.5', '2147483648', 'MP-1'];
    const fromCsv = await read(
      t,
      `${header}${cells.map((cell, line) => `${line}${row},${cell}\n`).join('')}`,
    );
    const object = '"product_identifier":"P","scheduled_at":"2026-01-01T00:00:00Z","sold":false';
    const values = ['4711', '1', 'null', '2147483647', '0', '-1', '1.5', '2147483648', '"4711"', 'true'];
    const fromJson = await read(
      t,
      values.map((value) => `{"schedule_id":"1",${object},"order_id":${value}}\n`).join(''),
    );
    for (const parsed of [fromCsv, fromJson]) {
      assert.deepEqual(
        itemsOf(parsed).map((item) => item.order_id),
        [4711, 1, null, 2147483647],
      );
      for (const { column, reason } of rejectionsOf(parsed))
        assert.deepEqual([column, reason], ['order_id', 'expected a whole number from 1 to 2147483647']);
    }
    assert.deepEqual(
      [fromCsv, fromJson].map((parsed) => rejectionsOf(parsed).length),
      [5, 6],
    );
  });

  it('reads a variation; blank or null is none, and a missing column or member leaves it open', async (t) => {
    const row = ',P,2026-01-01T00:00:00Z,false,,';
    const header = HEADER.replace('\n', ',variation_identifier\n');
    const fromCsv = await read(t, `${header}1${row},P S\n2${row},\n3${row}, \n4${row}, P\n`);
    const object = '"product_identifier":"P","scheduled_at":"2026-01-01T00:00:00Z","sold":false';
    const fromJson = await read(
      t,
      ['"P S"', 'null', '""', '" P"', '5']
        .map((value) => `{"schedule_id":"1",${object},"variation_identifier":${value}}\n`)
        .join(''),
    );
    const named = (parsed: typeof fromCsv) => itemsOf(parsed).map((item) => item.variation_identifier);
    assert.deepEqual(named(fromCsv), ['P S', null, null]);
    assert.deepEqual(named(fromJson), ['P S', null]);
    const rejected = [...rejectionsOf(fromCsv), ...rejectionsOf(fromJson)];
    assert.deepEqual(
      rejected.map(({ column, value }) => [column, value]),
      [' P', '', ' P', '5'].map((value) => ['variation_identifier', value]),
    );
  });

  it('reads prices and ratings in hundredths, exactly, from text and from JSON numbers', async (t) => {
    const prices = fc.array(fc.integer({ min: 0, max: 10 ** 10 }), { minLength: 1, maxLength: 50 });
    await fc.assert(
      fc.asyncProperty(prices, async (hundredths) => {
        const texts = hundredths.map(
          (price) => `${Math.floor(price / 100)}.${String(price % 100).padStart(2, '0')}`,
        );
        const fromCsv = await csv(
          t,
          ...texts.map((text, index) => `${index},P,2026-01-01T00:00:00Z,1,${text},`),
        );
        const fromJson = await read(
          t,
          texts
            .map(
              (text, index) =>
                `{"schedule_id":"${index}","product_identifier":"P","scheduled_at":"2026-01-01T00:00:00Z","sold":1,"sale_price":${text}}\n`,
            )
            .join(''),
        );
        for (const parsed of [fromCsv, fromJson]) {
          assert.deepEqual(
            itemsOf(parsed).map(({ sale_price }) => sale_price),
            hundredths,
          );
        }
      }),
      { numRuns: 20 },
    );
  });

  it('accepts trailing zeros, and ignores the price and the rating of unsold schedules', async (t) => {
    const parsed = await csv(
      t,
      '1,P,2026-01-01T00:00:00Z,true,12.5000,5',
      '2,P,2026-01-01T00:00:00Z,false,0.00,3',
    );
    assert.deepEqual(
      itemsOf(parsed).map(({ sale_price, rating }) => [sale_price, rating]),
      [
        [1250, 500],
        [null, null],
      ],
    );
  });

  it('rejects a list or an object for `sold`, whatever it contains', async (t) => {
    const lines = ['[true]', '{"toString":null}', '[{"toString":null}]', 'null', '"true"', 'true'].map(
      (sold) =>
        `{"schedule_id":"1","product_identifier":"P","scheduled_at":"2026-01-01T00:00:00Z","sale_price":1,"sold":${sold}}\n`,
    );
    const parsed = await read(t, lines.join(''));
    assert.deepEqual(
      rejectionsOf(parsed).map(({ line, column }) => [line, column]),
      [1, 2, 3, 4, 5].map((line) => [line, 'sold']),
    );
    assert.equal(itemsOf(parsed).length, 1);
  });

  it('rejects a row with all of its problems, and continues', async (t) => {
    const parsed = await csv(
      t,
      'a/b,P/1,yesterday,yes,"1,000.00",6',
      ',,,,,',
      '1,P,2026-01-01T00:00:00Z,true,,',
      '2,P,2026-01-01T00:00:00Z,true,1.005,4.555',
      '3,P,2026-01-01T00:00:00Z,true,100000000.01,-1',
      '4,P',
      '5,P,2026-01-01T00:00:00Z,true,100000000.00,0',
    );
    assert.deepEqual(
      itemsOf(parsed).map(({ schedule_id, sale_price }) => [schedule_id, sale_price]),
      [['5', 10 ** 10]],
    );
    assert.deepEqual(
      rejectionsOf(parsed).map(({ line, column, value }) => `${line} ${column} ${value}`),
      [
        '2 schedule_id a/b',
        '2 product_identifier P/1',
        '2 scheduled_at yesterday',
        '2 sold yes',
        '2 sale_price 1,000.00',
        '2 rating 6',
        '4 sale_price ',
        '5 sale_price 1.005',
        '5 rating 4.555',
        '6 sale_price 100000000.01',
        '6 rating -1',
        '7 null 4,P',
      ],
    );
    for (const { reason } of rejectionsOf(parsed)) assert.match(reason, /^expected /);
  });

  it('rejects a JSON row that lacks a field or has an unknown one', async (t) => {
    const parsed = await read(t, '{"sold":"true","price":1,"sale_price":"1.00"}\n');
    assert.deepEqual(
      rejectionsOf(parsed)
        .map(({ column }) => column)
        .sort(),
      ['price', 'product_identifier', 'sale_price', 'schedule_id', 'scheduled_at', 'sold'],
    );
  });

  it('names missing and unknown columns', async (t) => {
    await assert.rejects(
      readSchedules(await fileWith(t, 'schedule_id,sold\n')),
      /Missing columns "product_identifier", "scheduled_at", "sale_price"/,
    );
    const file = await readSchedules(
      await fileWith(t, `merchant,note,,${HEADER}7,x,,1,P,2026-01-01T00:00:00Z,1,2,\n`),
    );
    assert.deepEqual(file.ignoredColumns(), ['note']);
    assert.equal(file.format, 'csv');
    assert.deepEqual(
      itemsOf(await flatten(file.schedules)).map(({ merchant }) => merchant),
      ['7'],
    );
  });
});
