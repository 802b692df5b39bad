import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { exampleOrder } from '../../src/orders/record/example-order.ts';
import type { Order } from '../../web/orders/order.ts';
import { checkLines } from '../../web/ship/check-lines.ts';
import { parseLines } from '../../web/ship/parse-lines.ts';

const cellsOf = (text: string): (string | undefined)[][] =>
  parseLines(text).lines.map(({ fields }) => [fields.order_id, fields.carrier, fields.tracking_number]);

describe('lines of orders to ship', () => {
  it('have tabs, commas or semicolons between cells, and quotes around some', () => {
    const expected = [
      ['4711', 'DHL Express', '123'],
      ['4712', 'UPS', '1Z9'],
    ];
    for (const text of [
      '4711\tDHL Express\t123\r\n4712\tUPS\t1Z9\r\n',
      '4711, DHL Express, 123\n\n4712, UPS, 1Z9',
      '\uFEFF4711;DHL Express;123\r4712;UPS;1Z9',
      '"4711","DHL Express","123"\n#4712,"UPS","1Z9"',
    ])
      assert.deepEqual(cellsOf(text), expected, JSON.stringify(text));
    assert.deepEqual(cellsOf('1,"Smith, ""Sons""",2'), [['1', 'Smith, "Sons"', '2']]);
  });

  it('can have a header, with columns in any order and under other names', () => {
    const parsed = parseLines('Tracking Number,Notes,Order,carrier,Units\n1Z9,fragile,4711,UPS,2\n');
    assert.equal(parsed.header, 'Tracking Number,Notes,Order,carrier,Units');
    assert.deepEqual(parsed.lines, [
      {
        number: 2,
        text: '1Z9,fragile,4711,UPS,2',
        fields: { tracking_number: '1Z9', order_id: '4711', carrier: 'UPS', quantity: '2' },
      },
    ]);
    const [line] = parseLines('constructor,order,tracking\nx,4711,1Z9').lines;
    assert.deepEqual(line?.fields, { order_id: '4711', tracking_number: '1Z9' });
    assert.deepEqual(parseLines(' \n'), { header: undefined, lines: [] });
  });

  it('are checked before they are sent', () => {
    const order = (fields: Partial<Order>): Order => ({
      ...exampleOrder,
      status: 'paid',
      can_fulfill: true,
      product_quantity: 2,
      shipped_quantity: 0,
      packages: [],
      ...fields,
    });
    const orders = new Map(
      [
        order({ order_id: 1 }),
        order({ order_id: 2, status: 'pending_verification', can_fulfill: false }),
        order({ order_id: 3, status: 'shipped', can_fulfill: false, packages: exampleOrder.packages }),
      ].map((each) => [each.order_id, each]),
    );
    const problemsOf = (text: string): (string | undefined)[] =>
      checkLines(parseLines(text).lines, orders, { UPS: 'ups' }).map(({ problem }) => problem);
    const [first] = exampleOrder.packages;
    assert.deepEqual(problemsOf(`1,ups,A\n3,UPS,${first?.tracking_number}`), [undefined, undefined]);
    for (const [line, expected] of [
      [',UPS,A', /number is missing/],
      ['4711x,UPS,A', /“4711x” isn’t the number of an order/],
      ['9,UPS,A', /no order 9/],
      ['1,,A', /carrier is missing/],
      ['1,Pigeon,A', /“Pigeon” isn’t a known carrier/],
      ['1,other,A', /needs its name/],
      ['1,UPS,', /tracking number is missing/],
      ['1,UPS,9.4E+21', /shortened by a spreadsheet/],
      ['2,UPS,A', /can’t be shipped: on hold/],
      ['3,UPS,other', /can’t be shipped: shipped/],
    ] as const)
      assert.match(problemsOf(line)[0] ?? '', expected, line);
    const header = 'order_id,carrier,tracking_number,quantity\n';
    assert.deepEqual(problemsOf(`${header}1,UPS,A,1\n1,UPS,B,1\n1,UPS,C,1\n1,UPS,D,3`), [
      undefined,
      undefined,
      'Lines above ship all units of this order.',
      'Lines above ship all units of this order.',
    ]);
    assert.deepEqual(problemsOf(`${header}1,UPS,A,3\n1,UPS,A,0\n1,UPS,A,x`), [
      'Only 2 of 2 units are left to ship.',
      '“0” isn’t a number of units.',
      '“x” isn’t a number of units.',
    ]);
  });
});
