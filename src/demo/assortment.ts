type Words = readonly [string, ...string[]];

/** A department of the demo's shops: what is in it, and in which sizes it comes. */
export interface Department {
  category: string;
  nouns: Words;
  sizes: Words;
  materials: Words;
  /** Prices of a usual item, in the currency's unit. */
  prices: readonly [number, number];
}

const clothing: Words = ['XS', 'S', 'M', 'L', 'XL'];
const single: Words = ['One size'];

/** What each of the demo's merchants sells. */
export const departments: Record<'home' | 'outdoors' | 'jewelry', readonly [Department, ...Department[]]> = {
  home: [
    {
      category: 'Home | Kitchen | Cookware',
      nouns: ['saucepan', 'skillet', 'stock pot', 'casserole'],
      sizes: ['16 cm', '20 cm', '24 cm'],
      materials: ['steel', 'cast iron', 'copper'],
      prices: [18, 140],
    },
    {
      category: 'Home | Bedroom',
      nouns: ['duvet cover', 'pillow case', 'blanket'],
      sizes: ['Single', 'Double', 'King'],
      materials: ['linen', 'cotton', 'wool'],
      prices: [12, 160],
    },
    {
      category: 'Home | Lighting | Lamps',
      nouns: ['table lamp', 'floor lamp', 'lantern'],
      sizes: single,
      materials: ['brass', 'oak', 'ceramic'],
      prices: [25, 220],
    },
    {
      category: 'Garden | Pots',
      nouns: ['clay pot', 'planter', 'hanging basket'],
      sizes: ['Small', 'Medium', 'Large'],
      materials: ['clay', 'zinc', 'willow'],
      prices: [5, 60],
    },
  ],
  outdoors: [
    {
      category: 'Clothing | Jackets | Rain',
      nouns: ['rain jacket', 'shell jacket', 'poncho'],
      sizes: clothing,
      materials: ['nylon', 'polyester', 'waxed cotton'],
      prices: [45, 320],
    },
    {
      category: 'Clothing | Knitwear',
      nouns: ['jumper', 'cardigan', 'fleece'],
      sizes: clothing,
      materials: ['merino', 'lambswool', 'recycled polyester'],
      prices: [30, 150],
    },
    {
      category: 'Equipment | Tents',
      nouns: ['ridge tent', 'dome tent', 'tarp'],
      sizes: ['1 person', '2 persons', '4 persons'],
      materials: ['ripstop nylon', 'polycotton'],
      prices: [60, 540],
    },
    {
      category: 'Equipment | Packs',
      nouns: ['day pack', 'rucksack', 'dry bag'],
      sizes: ['20 l', '35 l', '60 l'],
      materials: ['nylon', 'canvas'],
      prices: [20, 210],
    },
  ],
  jewelry: [
    {
      category: 'Jewelry | Rings',
      nouns: ['band', 'signet ring', 'stacking ring'],
      sizes: ['50', '52', '54', '56'],
      materials: ['silver', 'gold vermeil', 'gold'],
      prices: [25, 480],
    },
    {
      category: 'Jewelry | Necklaces | Pendants',
      nouns: ['pendant', 'chain', 'locket'],
      sizes: ['42 cm', '50 cm'],
      materials: ['silver', 'gold vermeil', 'steel'],
      prices: [20, 390],
    },
    {
      category: 'Jewelry | Earrings',
      nouns: ['studs', 'hoops', 'drop earrings'],
      sizes: single,
      materials: ['silver', 'gold', 'titanium'],
      prices: [12, 260],
    },
  ],
};

export const colors: Words = ['Black', 'Sand', 'Moss', 'Navy', 'Rust', 'Ivory', 'Slate', 'Plum'];
export const qualities: Words = [
  'Light',
  'Sturdy',
  'Classic',
  'Everyday',
  'Fine',
  'Compact',
  'Plain',
  'Heritage',
];
export const brands: Words = ['Northfold', 'Ashgrove', 'Tidewater', 'Ironwood', 'Fernhill', 'Saltmarsh'];
export const conditions: Words = ['New', 'New', 'New', 'Refurbished', 'Used'];

/** Sentences that a description is put together from. */
export const sentences: Words = [
  'Made in small batches and finished by hand.',
  'It packs flat and weighs less than it looks.',
  'The seams are doubled where they take the strain.',
  'Wipe it clean with a damp cloth and let it dry in the air.',
  'Spare parts are kept for ten years after the last one is sold.',
  'The surface will darken a little with use, which is how it is meant to be.',
  'Measured by hand: a centimetre more or less is possible.',
  'It comes in a box without plastic, with a card that explains its care.',
  'Tested over a long winter before it was put on sale.',
  'Returned within thirty days, it is refunded without a question.',
];
