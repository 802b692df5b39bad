import { importFieldGroups, isImportField, isSpecialColumn } from './import-fields.ts';

/** Other words for fields, the most certain first, as `plain` writes them. */
const synonyms: Readonly<Record<string, readonly string[]>> = {
  identifier: [
    'sku',
    'productid',
    'productcode',
    'productsku',
    'itemnumber',
    'itemno',
    'itemid',
    'itemcode',
    'articlenumber',
    'articleno',
    'partnumber',
    'handle',
    'article',
    'item',
    'code',
    'id',
  ],
  title: ['name', 'producttitle', 'productname', 'itemname', 'itemtitle', 'product'],
  description: ['productdescription', 'longdescription', 'body', 'bodyhtml', 'details'],
  category: ['productcategory', 'categories', 'producttype', 'type', 'department', 'collection'],
  condition: ['itemcondition', 'productcondition'],
  brand: ['vendor', 'manufacturer', 'make', 'brandname'],
  material: ['materials', 'fabric'],
  available_quantity: [
    'quantity',
    'qty',
    'stock',
    'instock',
    'inventory',
    'onhand',
    'available',
    'units',
    'stockquantity',
    'inventoryquantity',
  ],
  variation_identifier: ['variantsku', 'variationsku', 'variantid', 'variationid', 'childsku'],
  variation_size: ['size', 'variantsize'],
  variation_color: ['color', 'colour', 'variantcolor', 'variationcolour'],
  variation_quantity: ['variantquantity', 'variantinventoryqty', 'variantstock', 'variationstock'],
  buy_now_price: [
    'price',
    'sellingprice',
    'saleprice',
    'salesprice',
    'unitprice',
    'currentprice',
    'ourprice',
  ],
  retail_price: [
    'msrp',
    'rrp',
    'listprice',
    'compareatprice',
    'regularprice',
    'originalprice',
    'recommendedretailprice',
  ],
  cost_basis: ['cost', 'costprice', 'unitcost', 'costperitem', 'purchaseprice', 'wholesaleprice'],
  minimum_bid_amount: ['minimumbid', 'minbid', 'startingbid', 'startbid', 'openingbid'],
  reserve_price: ['reserve'],
  buy_one_get_one_price: ['bogo'],
  primary_image: [
    'image',
    'imageurl',
    'imagelink',
    'imagesrc',
    'mainimageurl',
    'picture',
    'pictureurl',
    'photo',
  ],
  extra_images: ['images', 'additionalimages', 'imageurls', 'pictures', 'photos', 'otherimages'],
  campaign_name: ['campaign'],
  shipping_price: ['shipping', 'shippingcost', 'postage', 'deliveryprice'],
  shipping_origin: ['origin', 'countryoforigin', 'shipsfromcountry'],
  days_to_fulfill: ['handlingtime', 'daystofulfil', 'leadtime'],
  days_to_deliver: ['deliverytime', 'shippingdays'],
  weight: ['weightg', 'weightgrams', 'grams', 'itemweight', 'shippingweight'],
};

/** Only possible in a file with a column for the identifier of variations. */
const VARIATION = 'variation_';

/**
 * Guesses which field each column is, by its header: names and labels of fields, and other words for them, in
 * any case and with any separators. No field is guessed twice. '' is a column that is left out.
 */
export function guessColumns(headers: readonly string[]): Map<string, string> {
  const guesses = new Map(headers.map((header) => [header, isImportField(header) ? header : '']));
  const taken = new Set([...guesses.values()].filter((name) => name !== ''));
  const open = headers.filter((header) => guesses.get(header) === '' && !isSpecialColumn(header));
  for (const words of certainties()) {
    for (const header of open) {
      const field = guesses.get(header) === '' ? words.get(plain(header)) : undefined;
      if (field === undefined || taken.has(field)) continue;
      guesses.set(header, field);
      taken.add(field);
    }
  }
  if (taken.has(`${VARIATION}identifier`)) return guesses;
  for (const [header, field] of guesses)
    if (field.startsWith(VARIATION) && header !== field) guesses.set(header, '');
  return guesses;
}

/** Words by how certain they are: names, labels, then synonyms in their order. */
function certainties(): ReadonlyMap<string, string>[] {
  const fields = importFieldGroups.flatMap(({ fields }) => fields);
  const ranks = [
    new Map(fields.map(({ name }) => [plain(name), name])),
    new Map(fields.map(({ name, label }) => [plain(label), name])),
  ];
  const longest = Math.max(...Object.values(synonyms).map(({ length }) => length));
  for (let rank = 0; rank < longest; rank += 1) {
    ranks.push(
      new Map(
        Object.entries(synonyms).flatMap(([name, words]) => {
          const word = words[rank];
          return word === undefined ? [] : [[word, name] as const];
        }),
      ),
    );
  }
  return ranks;
}

/** Without case, accents, spaces, underscores and what is in brackets, such as a currency. */
export function plain(header: string): string {
  const text = header.replaceAll(/\([^)]*\)|\[[^\]]*\]/g, '');
  return (text.trim() === '' ? header : text)
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]/gu, '');
}
