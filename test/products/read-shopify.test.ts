import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { csvLine } from '../../src/files/write-csv.ts';
import { readShopify } from '../../src/products/files/read-shopify.ts';
import type { ProductDraft } from '../../src/products/record/product-draft.ts';
import { flatten, itemsOf, openText, rejectionsOf } from '../files/fake-file.ts';

type Cells = Record<string, string | number>;

const HEADER = [
  'Handle',
  'Title',
  'Body (HTML)',
  'Vendor',
  'Product Category',
  'Type',
  'Tags',
  'Published',
  'Option1 Name',
  'Option1 Value',
  'Option2 Name',
  'Option2 Value',
  'Option3 Name',
  'Option3 Value',
  'Variant SKU',
  'Variant Grams',
  'Variant Inventory Tracker',
  'Variant Inventory Qty',
  'Variant Price',
  'Variant Compare At Price',
  'Image Src',
  'Image Position',
  'Google Shopping / Condition',
  'Status',
  'Material (product.metafields.custom.material)',
];

const fileOf = (rows: Cells[], header = HEADER, pieceBytes = 100) =>
  openText(csvLine(header) + rows.map((row) => csvLine(header.map((name) => row[name] ?? null))).join(''), [
    pieceBytes,
  ]);
const read = (...rows: Cells[]) => flatten(readShopify(fileOf(rows)).products);
const readOne = async (...rows: Cells[]): Promise<ProductDraft> => {
  const parsed = await read(...rows);
  assert.deepEqual(rejectionsOf(parsed), []);
  const [item] = itemsOf(parsed);
  assert.ok(item !== undefined && parsed.length === 1);
  return item;
};
const lamp: Cells = { Handle: 'desk-lamp', Title: 'Desk lamp' };

describe('readShopify', () => {
  it('maps a product with variants and images', async () => {
    const item = await readOne(
      {
        ...lamp,
        'Body (HTML)': '<p>Bright &amp; small.</p>',
        Vendor: 'Lumen',
        Type: 'Lamps',
        Tags: 'x, y',
        Published: 'true',
        'Option1 Name': 'Size',
        'Option1 Value': 'Small',
        'Option2 Name': 'Colour',
        'Option2 Value': 'Red',
        'Variant SKU': 'L-1',
        'Variant Grams': 350,
        'Variant Inventory Tracker': 'shopify',
        'Variant Inventory Qty': 4,
        'Variant Price': '19.90',
        'Variant Compare At Price': '25.00',
        'Image Src': 'https://img.example/2.jpg',
        'Image Position': 2,
        'Google Shopping / Condition': 'new',
        Status: 'active',
        'Material (product.metafields.custom.material)': 'Steel',
      },
      {
        Handle: 'desk-lamp',
        'Option1 Value': 'Large',
        'Option2 Value': 'Red',
        'Variant SKU': "'0012",
        'Variant Inventory Qty': -3,
        'Variant Price': 29,
        'Image Src': 'https://img.example/10.jpg',
        'Image Position': 10,
      },
      {
        Handle: 'desk-lamp',
        'Option1 Value': 'Large',
        'Option2 Value': 'Sea green',
        'Variant SKU': 'L/3',
        'Variant Price': 29,
      },
      { Handle: 'desk-lamp', 'Image Src': 'https://img.example/1.jpg', 'Image Position': 1 },
      { Handle: 'desk-lamp', 'Image Src': 'https://img.example/2.jpg', 'Image Position': 4 },
    );
    assert.deepEqual(item, {
      merchant: null,
      identifier: 'desk-lamp',
      fields: {
        status: null,
        category: 'Lamps',
        title: 'Desk lamp',
        description: 'Bright & small.',
        condition: 'new',
        brand: 'Lumen',
        material: 'Steel',
        retail_price: 25,
        buy_now_price: 19.9,
        weight: 350,
        primary_image: 'https://img.example/1.jpg',
        extra_images: 'https://img.example/2.jpg|https://img.example/10.jpg',
      },
      variations: [
        { identifier: 'L-1', size: 'Small', color: 'Red', quantity: 4 },
        { identifier: '0012', size: 'Large', color: 'Red', quantity: 0 },
        { identifier: 'desk-lamp-large-sea-green', size: 'Large', color: 'Sea green', quantity: null },
      ],
    });
  });

  it('creates one variation, named after the handle, for a product without options', async () => {
    const item = await readOne({
      ...lamp,
      'Option1 Name': 'Title',
      'Option1 Value': 'Default Title',
      'Variant Price': 5,
      'Variant Grams': 0,
    });
    assert.deepEqual(item.variations, [{ identifier: 'desk-lamp', size: null, color: null, quantity: null }]);
    assert.equal(item.fields.retail_price, 5);
    assert.equal(item.fields.weight, null);
    assert.equal((await readOne(lamp)).variations?.length, 1);
  });

  it('keeps options other than size and color in the size, or after the color if there is a size', async () => {
    const options = (names: string[], values: string[]): Cells => {
      const cells = names.flatMap((name, index) => [
        [`Option${index + 1} Name`, name],
        [`Option${index + 1} Value`, values[index] ?? ''],
      ]);
      return { ...lamp, ...Object.fromEntries(cells) };
    };
    const cases: [string[], string[], string | null, string | null][] = [
      [['Taille', 'Couleur'], ['M', 'Bleu'], 'M', 'Bleu'],
      [['Ring Size'], ['52'], '52', null],
      [['Farbe', 'Größe'], ['Rot', 'L'], 'L', 'Rot'],
      [['Scent', 'Wick'], ['Rose', 'Cotton'], 'Rose / Cotton', null],
      [['Scent', 'Color'], ['Rose', 'Pink'], 'Rose', 'Pink'],
      [['Size', 'Scent', 'Color'], ['S', 'Rose', 'Pink'], 'S', 'Pink / Rose'],
      [['Size', 'Scent'], ['S', 'Rose'], 'S', 'Rose'],
      [['Material'], ['Oak'], 'Oak', null],
    ];
    for (const [names, values, size, color] of cases) {
      const [variation] = (await readOne(options(names, values))).variations ?? [];
      assert.deepEqual([variation?.size, variation?.color], [size, color], names.join());
    }
    assert.equal((await readOne(options(['Material'], ['Oak']))).fields.material, 'Oak');
  });

  it('creates a unique and valid identifier of bounded length for each variation of a product', async () => {
    const variants = ['★', '½', 'M / L', 'm l', 'x'.repeat(150), `${'x'.repeat(150)}y`];
    const rows = variants.map((value, index) => ({
      Handle: 'h',
      ...(index === 0 ? { Title: 't', 'Option1 Name': 'Style' } : {}),
      'Option1 Value': value,
    }));
    const skus = ['S-1', 'S-1'].map((sku) => ({ Handle: 'h', 'Option1 Value': 'z', 'Variant SKU': sku }));
    const ids = (await readOne(...rows, ...skus)).variations?.map(({ identifier }) => identifier) ?? [];
    const long = `h-${'x'.repeat(98)}`;
    assert.deepEqual(ids, ['h', 'h-½', 'h-m-l', 'h-m-l-2', long, `${long.slice(0, -2)}-2`, 'S-1', 'h-z']);
  });

  it('converts HTML to readable plain text', async () => {
    const html =
      '<h2>Care</h2><p>Wash at 30&nbsp;&deg;C, see <a href="https://x.example">the\n guide</a>.</p>' +
      '<ul><li>Light</li><li>Strong</li></ul><ol><li>Open</li></ol><img src="a.jpg" alt="pic">' +
      '<table><tr><th>Size</th><td>M</td></tr></table><script>alert(1)</script><style>p{}</style>' +
      `<p>${'long '.repeat(60)}</p>`;
    const { description } = (await readOne({ ...lamp, 'Body (HTML)': html })).fields;
    assert.equal(
      description,
      `Care\n\nWash at 30\u00a0°C, see the guide.\n\n- Light\n- Strong\n\n 1. Open\n\nSize M\n\n${'long '.repeat(60).trim()}`,
    );
    assert.equal((await readOne({ ...lamp, 'Body (HTML)': '<p> </p>' })).fields.description, null);
  });

  it('reads malicious HTML up to the size limit', async () => {
    const readHtml = (html: string) => readOne({ ...lamp, 'Body (HTML)': html });
    assert.ok(await readHtml('<div>'.repeat(60_000)));
    assert.ok(await readHtml(`<pre>${' '.repeat(290_000)}x</pre>`));
    const tooMuch = await read({ ...lamp, 'Body (HTML)': '<b>'.repeat(100_001) });
    assert.match(rejectionsOf(tooMuch)[0]?.reason ?? '', /at most 300000 characters of HTML/);
  });

  it('uses the Google product category if the product has no type', async () => {
    const category = async (cells: Cells) => (await readOne({ ...lamp, ...cells })).fields.category;
    assert.equal(
      await category({ 'Product Category': 'Home & Garden > Lighting > Lamps' }),
      'Home & Garden | Lighting | Lamps',
    );
    assert.equal(await category({ 'Product Category': 'Home > Lamps', Type: 'Lamp' }), 'Lamp');
    assert.equal(await category({}), null);
  });

  it('disables products that are drafts, archived or unpublished, and derives other statuses', async () => {
    const status = async (cells: Cells) => (await readOne({ ...lamp, ...cells })).fields.status;
    for (const cells of [
      { Status: 'draft' },
      { Status: 'archived' },
      { Published: 'FALSE' },
      { Published: 'false', Status: 'active' },
    ]) {
      assert.equal(await status(cells), 'disabled');
    }
    for (const cells of [{}, { Status: 'active' }, { Status: 'unlisted' }, { Published: 'TRUE' }])
      assert.equal(await status(cells), null);
  });

  it('rejects only the invalid product, with all of its problems', async () => {
    const parsed = await read(
      {
        ...lamp,
        'Variant Price': '1,999.00',
        'Variant Grams': 'heavy',
        Status: 'gone',
        Published: 'maybe',
        Type: 'A||B',
      },
      { Handle: 'desk-lamp', 'Option1 Value': 'x', 'Variant Price': -5, 'Variant Inventory Qty': '1.5' },
      { Handle: 'ok', Title: 'Fine' },
      { Handle: 'a/b', Title: 'Forbidden letter' },
    );
    assert.deepEqual(
      itemsOf(parsed).map(({ identifier }) => identifier),
      ['ok'],
    );
    const problems = rejectionsOf(parsed).map(({ line, column, value }) => `${line} ${column} ${value}`);
    assert.deepEqual(problems.sort(), [
      '2 Published maybe',
      '2 Status gone',
      '2 Type A||B',
      '2 Variant Grams heavy',
      '2 Variant Price 1,999.00',
      '3 Variant Inventory Qty 1.5',
      '3 Variant Price -5',
      '5 Handle a/b',
    ]);
    for (const { column, reason, identifier } of rejectionsOf(parsed)) {
      assert.equal(identifier, column === 'Handle' ? undefined : 'desk-lamp');
      assert.match(reason, /^expected /);
      if (column === 'Handle') assert.match(reason, /found "\/"$/);
    }
  });

  const option = (value: string): Cells[] => [{ ...lamp, 'Option1 Name': 'Size', 'Option1 Value': value }];
  const tooLong: [string, Cells[]][] = [
    ['dashes', option(`x${'-'.repeat(99_000)}x`)],
    ['spaces', option(`x${' '.repeat(99_000)}x`)],
  ];
  for (const [name, rows] of tooLong) {
    it(`rejects a product with a cell of ${name} in less than 3 seconds of CPU time`, async () => {
      const file = fileOf(rows, HEADER, 65_536);
      const before = process.cpuUsage();
      const parsed = await flatten(readShopify(file).products);
      const { user, system } = process.cpuUsage(before);
      assert.equal(itemsOf(parsed).length, 0);
      assert.deepEqual(
        rejectionsOf(parsed).map(({ column }) => column),
        ['Option1 Value'],
      );
      assert.ok(user + system < 3_000_000, `${(user + system) / 1000} ms`);
    });
  }

  it('names the column of an option that is not valid', async () => {
    const options = { 'Option1 Name': 'Size', 'Option1 Value': 'S', 'Option2 Name': 'Color' };
    const parsed = await flatten(
      readShopify(fileOf([{ ...lamp, ...options, 'Option2 Value': 'x'.repeat(10_000) }])).products,
    );
    assert.deepEqual(
      rejectionsOf(parsed).map(({ column }) => column),
      ['Option2 Value'],
    );
  });

  const long: [string, Cells[]][] = [
    ['variants of one SKU', Array.from({ length: 10_000 }, () => ({ ...lamp, 'Variant SKU': 'SAME' }))],
    ['variants of one option', Array.from({ length: 10_000 }, () => ({ ...lamp, 'Option1 Value': 'x' }))],
    ['HTML', [{ ...lamp, 'Body (HTML)': '<x>'.repeat(50_000) + '</u>'.repeat(37_500) }]],
  ];
  for (const [name, rows] of long) {
    it(`reads a product with ${name} in less than 3 seconds of CPU time`, async () => {
      const file = fileOf(rows, HEADER, 65_536);
      const before = process.cpuUsage();
      assert.equal(itemsOf(await flatten(readShopify(file).products)).length, 1);
      const { user, system } = process.cpuUsage(before);
      assert.ok(user + system < 3_000_000, `${(user + system) / 1000} ms`);
    });
  }

  it('reads the cost of the first variant as cost_basis, and omits it without that column', async () => {
    const header = [...HEADER, 'Cost per item'];
    const costOf = async (...costs: (string | number)[]) => {
      const rows = costs.map((cost, index) => ({
        ...lamp,
        'Variant SKU': `L-${index}`,
        'Cost per item': cost,
      }));
      const file = readShopify(fileOf(rows, header));
      assert.equal(file.ignoredColumns.includes('Cost per item'), false);
      return await flatten(file.products);
    };
    assert.equal(itemsOf(await costOf('12.50', 13))[0]?.fields.cost_basis, 12.5);
    assert.equal(itemsOf(await costOf(''))[0]?.fields.cost_basis, null);
    assert.deepEqual(
      rejectionsOf(await costOf(12, 'cheap')).map(({ line, column }) => [line, column]),
      [[3, 'Cost per item']],
    );
    assert.equal('cost_basis' in (await readOne(lamp)).fields, false);
  });

  it('requires Handle and Title, and names the ignored columns', () => {
    assert.throws(() => readShopify(fileOf([], ['Handle', 'Vendor'])), /Missing column "Title"/);
    assert.throws(() => readShopify(fileOf([], ['Title'])), /Missing column "Handle"/);
    assert.deepEqual(readShopify(fileOf([])).ignoredColumns, ['Tags', 'Variant Inventory Tracker']);
  });
});
