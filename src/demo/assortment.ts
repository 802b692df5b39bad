type Words = readonly [string, ...string[]];

/** What the products of a department are generated from. */
export interface Department {
  category: string;
  /** An SVG path in a square of 64, shown in the images. */
  outline: string;
  nouns: Words;
  sizes: Words;
  materials: Words;
  /** The lowest and highest retail price, in the major unit, for example dollars. */
  prices: readonly [number, number];
}

const clothing: Words = ['XS', 'S', 'M', 'L', 'XL'];
const single: Words = ['One size'];

export const departments: Record<'home' | 'outdoors' | 'jewelry', readonly [Department, ...Department[]]> = {
  home: [
    {
      category: 'Home | Kitchen | Cookware',
      outline: 'M14 28h36v18a6 6 0 0 1-6 6H20a6 6 0 0 1-6-6zM9 28h46M22 21h20M32 17v4',
      nouns: ['saucepan', 'skillet', 'stock pot', 'casserole'],
      sizes: ['16 cm', '20 cm', '24 cm'],
      materials: ['steel', 'cast iron', 'copper'],
      prices: [18, 140],
    },
    {
      category: 'Home | Bedroom',
      outline: 'M12 46V20M12 40h40v6M52 40v-7a6 6 0 0 0-6-6H27v13M16 33h7',
      nouns: ['duvet cover', 'pillow case', 'blanket'],
      sizes: ['Single', 'Double', 'King'],
      materials: ['linen', 'cotton', 'wool'],
      prices: [12, 160],
    },
    {
      category: 'Home | Lighting | Lamps',
      outline: 'M24 13h16l8 20H16zM32 33v17M22 51h20',
      nouns: ['table lamp', 'floor lamp', 'lantern'],
      sizes: single,
      materials: ['brass', 'oak', 'ceramic'],
      prices: [25, 220],
    },
    {
      category: 'Garden | Pots',
      outline:
        'M18 34h28l-4 18H22zM32 34V20M32 28c-8 0-11-5-11-11 8 0 11 4 11 11M32 22c0-6 4-9 10-9 0 6-3 9-10 9',
      nouns: ['clay pot', 'planter', 'hanging basket'],
      sizes: ['Small', 'Medium', 'Large'],
      materials: ['clay', 'zinc', 'willow'],
      prices: [5, 60],
    },
  ],
  outdoors: [
    {
      category: 'Clothing | Jackets | Rain',
      outline: 'M24 14l-12 8 4 10 6-3v23h20V29l6 3 4-10-12-8c-2 5-14 5-16 0zM32 18v34',
      nouns: ['rain jacket', 'shell jacket', 'poncho'],
      sizes: clothing,
      materials: ['nylon', 'polyester', 'waxed cotton'],
      prices: [45, 320],
    },
    {
      category: 'Clothing | Knitwear',
      outline: 'M24 15l-12 8 4 10 6-3v21h20V30l6 3 4-10-12-8c-2 6-14 6-16 0zM22 46h20',
      nouns: ['jumper', 'cardigan', 'fleece'],
      sizes: clothing,
      materials: ['merino', 'lambswool', 'recycled polyester'],
      prices: [30, 150],
    },
    {
      category: 'Equipment | Tents',
      outline: 'M32 14L10 50h44zM32 28l-8 22M32 28l8 22',
      nouns: ['ridge tent', 'dome tent', 'tarp'],
      sizes: ['1 person', '2 persons', '4 persons'],
      materials: ['ripstop nylon', 'polycotton'],
      prices: [60, 540],
    },
    {
      category: 'Equipment | Packs',
      outline: 'M20 27a12 12 0 0 1 24 0v24H20zM27 15v-4h10v4M25 37h14v8H25z',
      nouns: ['day pack', 'rucksack', 'dry bag'],
      sizes: ['20 l', '35 l', '60 l'],
      materials: ['nylon', 'canvas'],
      prices: [20, 210],
    },
  ],
  jewelry: [
    {
      category: 'Jewelry | Rings',
      outline: 'M32 24a14 14 0 1 1-.1 0M26 11h12l4 5-10 8-10-8z',
      nouns: ['band', 'signet ring', 'stacking ring'],
      sizes: ['50', '52', '54', '56'],
      materials: ['silver', 'gold vermeil', 'gold'],
      prices: [25, 480],
    },
    {
      category: 'Jewelry | Necklaces | Pendants',
      outline: 'M14 12c2 18 10 24 18 26 8-2 16-8 18-26M32 38l6 7-6 9-6-9z',
      nouns: ['pendant', 'chain', 'locket'],
      sizes: ['42 cm', '50 cm'],
      materials: ['silver', 'gold vermeil', 'steel'],
      prices: [20, 390],
    },
    {
      category: 'Jewelry | Earrings',
      outline: 'M22 12v8M42 12v8M22 20a8 8 0 1 1-.1 0M42 20a8 8 0 1 1-.1 0M22 36v14M42 36v14',
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

export const sentences: Words = [
  'Made in small batches and finished by hand.',
  'It packs flat and weighs less than it looks.',
  'The seams are doubled where they take the strain.',
  'Wipe it clean with a damp cloth and let it dry in the air.',
  'Spare parts are kept for ten years after the last one is sold.',
  'The surface will darken a little with use, which is how it is meant to be.',
  'Measured by hand: a centimeter more or less is possible.',
  'It comes in a box without plastic, with a card that explains its care.',
  'Tested over a long winter before it was offered for sale.',
  'Returned within thirty days, it is refunded without a question.',
];
