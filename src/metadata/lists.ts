import { conditions } from '../products/record/product.ts';
import { carriers } from './defaults/carriers.ts';
import { countryCodes } from './defaults/countries.ts';
import { colors, gemstones, materials, sizes } from './defaults/product-values.ts';
import { provinces, states, territories } from './defaults/regions.ts';

/** An array of texts, an object of codes by name, or an object of arrays by group. */
export type ListShape = 'names' | 'codes' | 'groups';

export type Entries = EntriesOf[ListShape];

type EntriesOf = {
  names: readonly string[];
  codes: Readonly<Record<string, string>>;
  groups: Readonly<Record<string, readonly string[]>>;
};

/** `initial` is the list until the operator sets another one. */
type ListDefinition = {
  [Shape in ListShape]: {
    readonly shape: Shape;
    readonly description: string;
    readonly initial: EntriesOf[Shape];
    readonly example: EntriesOf[Shape];
  };
}[ListShape];

/** The lists that the operator can set. The first twelve are the record `metadata`, in its order. */
export const lists = {
  categories: {
    shape: 'names',
    description:
      'The marketplace’s categories, with ` | ` between levels. Empty until the operator sets them.',
    initial: [],
    example: ['Home | Decoration', 'Home | Kitchen'],
  },
  conditions: {
    shape: 'names',
    description: 'The values of `condition`.',
    initial: conditions,
    example: ['New', 'Used - Good'],
  },
  brands: {
    shape: 'groups',
    description: 'Usual values of `brand`, by group. Empty until the operator sets them.',
    initial: {},
    example: { Ceramics: ['Northwind', 'Fabrikam'] },
  },
  materials: {
    shape: 'groups',
    description: 'Usual values of `material`, by group.',
    initial: materials,
    example: { Fabrics: ['Cotton', 'Linen'], Metals: ['Brass'] },
  },
  sizes: {
    shape: 'groups',
    description: 'Usual values of a variation’s `size`, by group.',
    initial: sizes,
    example: { General: ['Small', 'Large'], Clothing: ['S', 'M', 'L'] },
  },
  colors: {
    shape: 'names',
    description: 'Usual values of a variation’s `color`.',
    initial: colors,
    example: ['Black', 'White'],
  },
  countries: {
    shape: 'names',
    description: 'The names of countries.',
    initial: Object.keys(countryCodes),
    example: ['Austria', 'Canada'],
  },
  country_codes: {
    shape: 'codes',
    description: 'The ISO 3166-1 alpha-3 codes of countries, by name.',
    initial: countryCodes,
    example: { Austria: 'AUT', Canada: 'CAN' },
  },
  states: {
    shape: 'codes',
    description: 'The postal codes of the states of the US and of its federal district, by name.',
    initial: states,
    example: { California: 'CA', Texas: 'TX' },
  },
  provinces: {
    shape: 'codes',
    description: 'The postal codes of the provinces and territories of Canada, by name.',
    initial: provinces,
    example: { Ontario: 'ON', Quebec: 'QC' },
  },
  territories: {
    shape: 'codes',
    description: 'The postal codes of US territories, freely associated states and armed forces, by name.',
    initial: territories,
    example: { Guam: 'GU', 'Puerto Rico': 'PR' },
  },
  carriers: {
    shape: 'codes',
    description: 'The codes of carriers, by the names that people see.',
    initial: carriers,
    example: { 'DHL Express': 'dhl_express', UPS: 'ups' },
  },
  gemstones: {
    shape: 'names',
    description: 'Usual names of gemstones.',
    initial: gemstones,
    example: ['Amethyst', 'Ruby'],
  },
  refund_reasons: {
    shape: 'names',
    description: 'The reasons that a refund can have.',
    initial: [
      'no_buyer_communication_regarding_size',
      'incorrect_buyers_address',
      'buyer_requested_through_ticket',
      'buyer_requested_through_resolution_center',
      'buyer_requested_a_return',
      'delay_in_shipping',
      'out_of_stock',
      'in_stock_items_damaged',
      'untrackable',
      'order_cancelled',
      'other',
    ],
    example: ['out_of_stock', 'other'],
  },
  moderation_reasons: {
    shape: 'codes',
    description:
      'The usual reasons of a moderation: the code of each by its message. Only the operator sees the list.',
    initial: {
      'The product needs a picture that shows it from the front.': 'image_missing',
      'The pictures show another product, or texts and logos that do not belong to it.': 'image_wrong',
      'The title or the description does not say what the product is.': 'description_unclear',
      'The product is in the wrong category.': 'category_wrong',
      'The price seems to be a mistake.': 'price_wrong',
      'The product may not be by the brand that it names.': 'counterfeit',
      'Products of this kind may not be sold here.': 'prohibited',
    },
    example: { 'The product is in the wrong category.': 'category_wrong' },
  },
} as const satisfies Record<string, ListDefinition>;

export type ListName = keyof typeof lists;

export const listNames = Object.keys(lists) as ListName[];

/** The lists that merchants see. */
export const merchantLists = listNames.filter(
  (name): name is Exclude<ListName, 'moderation_reasons'> => name !== 'moderation_reasons',
);

/** The lists of the record `metadata`, in its order. */
export const recordLists = merchantLists.filter(
  (name): name is Exclude<(typeof merchantLists)[number], 'gemstones' | 'refund_reasons'> =>
    name !== 'gemstones' && name !== 'refund_reasons',
);
