import { isJsonObject } from '../../files/read-ndjson.ts';
import {
  checkText,
  fromText,
  merchantReader,
  textUpTo,
  type ValueReader,
  wholeUpTo,
} from '../../files/value-readers.ts';
import { fieldReaders, notTime } from '../../products/files/read-fields.ts';
import { hundredths, MAX_PRICE, notPrice } from '../../sales/schedule-fields.ts';
import { InvalidValue } from '../../shared/invalid-value.ts';
import { parseTime } from '../../shared/timestamps.ts';
import { MAX_ORDER_ID, type OrderUpsell, orderStatuses, type SellerFee } from '../record/order.ts';
import type { OrderDraft } from './order-draft.ts';

/** In characters. */
const MAX_TEXT = 255;
const MAX_NAME = 1_000;
const MAX_ITEMS = 100;
const FEE = /^[a-z][a-z0-9_]{0,49}$/;
const COUNTRY = /^[A-Z]{3}$/;
/** Paths have it, in which `.` and `..` have another meaning. */
const EXTERNAL_ID = /^(?!\.+$)[\p{L}\p{N}_.: -]{1,100}$/u;

const notFees = new InvalidValue(
  'expected an object of amounts by the names of fees, such as {"buyer_fee": 34.95}',
);
const notSellerFees = new InvalidValue(
  `expected a list of at most ${MAX_ITEMS} objects such as {"type": "commission", "amount": 5.95}`,
);
const notUpsells = new InvalidValue(
  `expected a list of at most ${MAX_ITEMS} objects such as {"type_description": "Gift wrap", "amount": 3, "description": null}`,
);
const notIds = new InvalidValue(`expected a list of at most ${MAX_ITEMS} order IDs, such as [4711, 4712]`);
const notJson = new InvalidValue('expected JSON');
export const externalIdRule =
  '1 to 100 letters, digits, spaces, dashes, underscores, periods or colons, not all periods, without spaces at either end';
const notExternalId = new InvalidValue(`expected ${externalIdRule}`);
const notStatus = new InvalidValue(`expected one of ${orderStatuses.join(', ')}`);
const notCountry = new InvalidValue('expected an ISO 3166-1 alpha-3 code, such as USA');
const notStock = new InvalidValue('expected reserve or none');

export function isExternalId(text: string): boolean {
  return EXTERNAL_ID.test(text) && text.trim() === text;
}

const text = textUpTo(MAX_TEXT);
const time = fromText<number | null>((sent) => parseTime(sent) ?? notTime, null);
const amount = hundredths(MAX_PRICE, notPrice);
const whole = wholeUpTo(MAX_ORDER_ID);

/** The fields of an order that the operator states, by their names in calls, streams and files. */
export const draftFields = {
  external_id: fromText((id) => (isExternalId(id) ? id : notExternalId), notExternalId),
  order_id: whole,
  status: fromText(
    (word) => orderStatuses.find((status) => status === word) ?? notStatus,
    undefined as OrderDraft['status'] | InvalidValue,
  ),
  product_identifier: fieldReaders.identifier,
  variation_identifier: fromText<string | null>((id) => fieldReaders.identifier.fromCell(id), null),
  product_name: textUpTo(MAX_NAME),
  product_quantity: whole,
  customer_id: text,
  customer_name: text,
  address1: text,
  address2: text,
  city: text,
  state: text,
  postal_code: text,
  country: fromText<string | null>((code) => (COUNTRY.test(code) ? code : notCountry), null),
  available_refunds: ofJson<Record<string, number>>(readFees),
  disbursement_amount: amount,
  seller_fees: ofJson<SellerFee[]>(readSellerFees),
  upsells: ofJson<OrderUpsell[]>(readUpsells),
  related_order_ids: ofJson<number[]>(readIds),
  service_type: text,
  fulfillment_partner: text,
  fulfillment_due_date: time,
  created_at: time,
  paid_at: time,
  placement_id: text,
  carrier: text,
  tracking_number: text,
  stock: fromText(
    (word) => (word === 'reserve' || word === 'none' ? word : notStock),
    undefined as OrderDraft['stock'] | InvalidValue,
  ),
} as const satisfies {
  [Name in Exclude<keyof OrderDraft, 'merchant' | 'has_refunds'>]-?: ValueReader<OrderDraft[Name]>;
};

/** Fields of records that a stream or a file may have, and that follow from other fields and from calls. */
const ignored = [
  ...['product_internal_id', 'variation_internal_id', 'refund_amount', 'seller_fees_amount', 'annotation'],
  ...['updated_at', 'refunded_at', 'canceled_at', 'merchant_order_id', 'acknowledged_at', 'can_fulfill'],
  ...['can_cancel', 'can_refund', 'shipped_quantity', 'packages', 'hold_reason', 'redacted_at'],
];

/** An order as a stream or a file has it. */
export interface ReadOrder extends OrderDraft {
  /** Whether an export has left out the customer's data, which then stays as it is. */
  customer_hidden?: boolean | undefined;
  /** Whether the order has refunds, of which an export does not say how much each fee returned. */
  refunds?: boolean | undefined;
}

type DraftValue = ReadOrder[keyof ReadOrder];

/** Readers by the names of fields; null for fields that are ignored. */
export const draftReaders: ReadonlyMap<string, ValueReader<DraftValue> | null> = new Map<
  string,
  ValueReader<DraftValue> | null
>([
  ['merchant', merchantReader],
  ['customer_hidden', { fromJson: isTrue, fromCell: isTrue }],
  ['refunds', { fromJson: isFilled, fromCell: (cell) => !['', '[]'].includes(cell.trim()) }],
  ...Object.entries(draftFields),
  ...ignored.map((name): [string, null] => [name, null]),
]);

function isTrue(value: unknown): boolean {
  return value === true || value === 'true';
}

function isFilled(value: unknown): boolean {
  return Array.isArray(value) && value.length > 0;
}

/** A JSON value, which is text in a cell. Null and a blank cell keep the stored value. */
function ofJson<T>(read: (value: unknown) => T | InvalidValue): ValueReader<T | undefined> {
  return {
    fromJson: (value) => (value === null || value === undefined ? undefined : read(value)),
    fromCell: (cell) => {
      if (cell.trim() === '') return undefined;
      try {
        return read(JSON.parse(cell));
      } catch {
        return notJson;
      }
    },
  };
}

function readFees(value: unknown): Record<string, number> | InvalidValue {
  if (!isJsonObject(value)) return notFees;
  const fees: Record<string, number> = {};
  for (const [name, sent] of Object.entries(value)) {
    const read = FEE.test(name) && sent !== null ? amount.fromJson(sent) : notFees;
    if (read === null || read instanceof InvalidValue) return read ?? notFees;
    fees[name] = read;
  }
  return Object.keys(fees).length > MAX_ITEMS ? notFees : fees;
}

function readSellerFees(value: unknown): SellerFee[] | InvalidValue {
  return readItems(value, notSellerFees, ({ type, ...others }, read) =>
    isText(type, MAX_TEXT) && type !== '' && hasOnly(others, ['amount']) ? { type, amount: read } : undefined,
  );
}

function readUpsells(value: unknown): OrderUpsell[] | InvalidValue {
  return readItems(value, notUpsells, ({ type_description, description = null, ...others }, read) => {
    if (!isText(type_description, MAX_TEXT) || !hasOnly(others, ['amount'])) return undefined;
    if (description !== null && !isText(description, MAX_NAME)) return undefined;
    return { type_description, amount: read, description };
  });
}

function readItems<Item>(
  value: unknown,
  invalid: InvalidValue,
  read: (item: Record<string, unknown>, amount: number) => Item | undefined,
): Item[] | InvalidValue {
  if (!Array.isArray(value) || value.length > MAX_ITEMS) return invalid;
  const items: Item[] = [];
  for (const each of value) {
    const sent = isJsonObject(each) ? amount.fromJson(each.amount ?? null) : invalid;
    if (sent === null || sent instanceof InvalidValue) return sent ?? invalid;
    const item = read(each, sent);
    if (item === undefined) return invalid;
    items.push(item);
  }
  return items;
}

function isText(value: unknown, maxLength: number): value is string {
  return typeof value === 'string' && checkText(value, maxLength) === value;
}

function hasOnly(object: object, names: readonly string[]): boolean {
  return Object.keys(object).every((name) => names.includes(name));
}

function readIds(value: unknown): number[] | InvalidValue {
  if (!Array.isArray(value) || value.length > MAX_ITEMS) return notIds;
  return value.every((id) => typeof whole.fromJson(id) === 'number') ? value : notIds;
}
