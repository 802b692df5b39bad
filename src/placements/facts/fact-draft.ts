import { fromText, merchantReader, type ValueReader } from '../../files/value-readers.ts';
import { fieldReaders, notTime } from '../../products/files/read-fields.ts';
import { MAX_UNITS, unitsOf } from '../../shared/amounts.ts';
import { InvalidValue } from '../../shared/invalid-value.ts';
import { JSON_NUMBER } from '../../shared/numbers.ts';
import { parseTime } from '../../shared/timestamps.ts';

/** A placement that an ad server of the operator's own has delivered. */
export interface FactDraft {
  /** The ID or the name of the merchant; null if the row names none. */
  merchant: string | null;
  placement_id: string;
  campaign_id: string;
  product_identifier: string;
  /** Milliseconds since 1970. */
  delivered_at: number;
  /** In units (`amounts.ts`). */
  price: number;
}

const ID = /^[\p{L}\p{N}_.: -]{1,100}$/u;
const notId = new InvalidValue(
  'expected 1 to 100 letters, digits, spaces, dashes, underscores, periods or colons',
);
const notPrice = new InvalidValue('expected a price from 0 to 1000000 with at most 4 decimals, such as 0.75');

const id = fromText((text) => (ID.test(text) && text.trim() === text ? text : notId), notId);

const price: ValueReader<number> = {
  fromJson: (value) => {
    if (typeof value !== 'number' || !(value >= 0)) return notPrice;
    const units = unitsOf(value);
    return units <= MAX_UNITS && units / 10_000 === value ? units : notPrice;
  },
  fromCell: (cell) => (JSON_NUMBER.test(cell.trim()) ? price.fromJson(Number(cell)) : notPrice),
};

/** The fields by their names in streams and files. */
export const factReaders: ReadonlyMap<string, ValueReader<string | number | null>> = new Map<
  string,
  ValueReader<string | number | null>
>([
  ['merchant', merchantReader],
  ['placement_id', id],
  ['campaign_id', id],
  ['product_identifier', fieldReaders.identifier],
  ['delivered_at', fromText((time) => parseTime(time) ?? notTime, notTime)],
  ['price', price],
]);

export const requiredFields = [...factReaders.keys()].filter((name) => name !== 'merchant');
