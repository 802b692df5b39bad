import { Refusal, type ValueReader } from '../imports/refusal.ts';
import { merchant, written } from '../imports/value-readers.ts';
import { fieldReaders, notTime } from '../products/files/read-fields.ts';
import { HIGHEST_RATING } from '../products/record/product.ts';
import { parseTime } from '../shared/timestamps.ts';

/** The highest price, 100,000,000.00, in hundredths: the sum of 900,000 such sales a month is exact. */
const MAX_PRICE = 10 ** 10;
const MAX_RATING = HIGHEST_RATING * 100;
const DECIMAL = /^(\d{1,12})(?:\.(\d{1,2})0*)?$/;
const SCHEDULE_ID = /^[\p{L}\p{N}_.: -]{1,100}$/u;

const notScheduleId = new Refusal(
  'expected 1 to 100 letters, digits, spaces, dashes, underscores, points or colons',
);
const notBoolean = new Refusal('expected true, false, 1 or 0');
const notPrice = new Refusal('expected a price from 0 to 100000000 with at most 2 decimals, such as 1234.50');
const notRating = new Refusal(
  `expected a rating from 0 to ${HIGHEST_RATING} with at most 2 decimals, such as 4.5`,
);

/** The reader of each field of a schedule; prices and ratings come out in hundredths, exactly. */
export const scheduleReaders = new Map<string, ValueReader<string | number | boolean | null>>([
  ['merchant', merchant],
  [
    'schedule_id',
    written((id) => (SCHEDULE_ID.test(id) && id.trim() === id ? id : notScheduleId), notScheduleId),
  ],
  ['product_identifier', fieldReaders.identifier],
  ['scheduled_at', written((time) => parseTime(time) ?? notTime, notTime)],
  [
    'sold',
    {
      fromJson: (value) => (typeof value === 'string' ? notBoolean : readBoolean(value)),
      fromCell: readBoolean,
    },
  ],
  ['sale_price', hundredths(MAX_PRICE, notPrice)],
  ['rating', hundredths(MAX_RATING, notRating)],
]);

function readBoolean(value: unknown): boolean | Refusal {
  const word = String(value).trim().toLowerCase();
  if (word === 'true' || word === '1') return true;
  return word === 'false' || word === '0' ? false : notBoolean;
}

/** Decimal text times a hundred, without going through a binary fraction. */
function hundredths(maximum: number, refusal: Refusal): ValueReader<number | null> {
  const read = (decimal: string): number | Refusal => {
    const match = DECIMAL.exec(decimal);
    if (match === null) return refusal;
    const [, whole, fraction = ''] = match;
    const number = Number(whole) * 100 + Number(fraction.padEnd(2, '0'));
    return number <= maximum ? number : refusal;
  };
  return {
    fromJson: (value) => {
      if (value === null) return null;
      // The shortest decimal text of a JSON number is the one that it was written as, or equal to it.
      return typeof value === 'number' ? read(String(value)) : refusal;
    },
    fromCell: (cell) => (cell.trim() === '' ? null : read(cell.trim())),
  };
}
