import { fromText, merchantReader, type ValueReader, wholeUpTo } from '../files/value-readers.ts';
import { checkIdentifier, fieldReaders, notTime } from '../products/files/read-fields.ts';
import { MAX_RATING } from '../products/record/product.ts';
import { InvalidValue } from '../shared/invalid-value.ts';
import { parseTime } from '../shared/timestamps.ts';

/** 100,000,000.00, in hundredths. The sum of 900,000 sales a month at this price is exact. */
export const MAX_PRICE = 10 ** 10;
export const MAX_ORDER_ID = 2 ** 31 - 1;
const DECIMAL = /^(\d{1,12})(?:\.(\d{1,2})0*)?$/;
const SCHEDULE_ID = /^[\p{L}\p{N}_.: -]{1,100}$/u;

const notScheduleId = new InvalidValue(
  'expected 1 to 100 letters, digits, spaces, dashes, underscores, periods or colons',
);
const notBoolean = new InvalidValue('expected true, false, 1 or 0');
export const notPrice = new InvalidValue(
  'expected a price from 0 to 100000000 with at most 2 decimals, such as 1234.50',
);
const notRating = new InvalidValue(
  `expected a rating from 0 to ${MAX_RATING} with at most 2 decimals, such as 4.5`,
);

/** Prices and ratings are read as hundredths, without rounding. */
export const scheduleReaders = new Map<string, ValueReader<string | number | boolean | null>>([
  ['merchant', merchantReader],
  [
    'schedule_id',
    fromText((id) => (SCHEDULE_ID.test(id) && id.trim() === id ? id : notScheduleId), notScheduleId),
  ],
  ['product_identifier', fieldReaders.identifier],
  [
    'variation_identifier',
    {
      fromJson: fromText<string | null>(checkIdentifier, null).fromJson,
      fromCell: (cell) => (cell.trim() === '' ? null : checkIdentifier(cell)),
    },
  ],
  ['scheduled_at', fromText((time) => parseTime(time) ?? notTime, notTime)],
  [
    'sold',
    {
      fromJson: (value) =>
        typeof value === 'boolean' || typeof value === 'number' ? readBoolean(String(value)) : notBoolean,
      fromCell: readBoolean,
    },
  ],
  ['sale_price', hundredths(MAX_PRICE, notPrice)],
  ['rating', hundredths(MAX_RATING * 100, notRating)],
  ['order_id', wholeUpTo(MAX_ORDER_ID)],
  [
    'placement_id',
    fromText<string | null>((id) => (SCHEDULE_ID.test(id) && id.trim() === id ? id : notScheduleId), null),
  ],
]);

function readBoolean(text: string): boolean | InvalidValue {
  const word = text.trim().toLowerCase();
  if (word === 'true' || word === '1') return true;
  return word === 'false' || word === '0' ? false : notBoolean;
}

/** Reads decimals as hundredths without rounding, because it never uses a binary fraction. */
export function hundredths(maximum: number, notDecimal: InvalidValue): ValueReader<number | null> {
  const read = (decimal: string): number | InvalidValue => {
    const match = DECIMAL.exec(decimal);
    if (match === null) return notDecimal;
    const [, whole, fraction = ''] = match;
    const number = Number(whole) * 100 + Number(fraction.padEnd(2, '0'));
    return number <= maximum ? number : notDecimal;
  };
  return {
    fromJson: (value) => {
      if (value === null) return null;
      // The shortest decimal text of a JSON number equals the number in the file.
      return typeof value === 'number' ? read(String(value)) : notDecimal;
    },
    fromCell: (cell) => (cell.trim() === '' ? null : read(cell.trim())),
  };
}
