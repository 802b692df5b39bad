import { isKnownCarrier, isOtherCarrier } from '../orders/carriers.ts';
import { type Order, statusTexts, unitsLeft } from '../orders/order.ts';
import type { ParsedLine } from './parse-lines.ts';

/** A line with what is wrong with it; undefined if it can be sent. */
export interface CheckedLine extends ParsedLine {
  order: Order | undefined;
  problem: string | undefined;
}

const MAX_ORDER_ID = 2 ** 31 - 1;
/** How spreadsheets show long numbers, whose last digits are lost then. */
const SHORTENED = /^\d([.,]\d+)?E\+\d+$/i;

/** Returns the ID of the order that a line names; undefined if it names none. */
export function orderIdOf({ fields: { order_id: id = '' } }: ParsedLine): number | undefined {
  const number = /^\d{1,10}$/.test(id) ? Number(id) : 0;
  return number >= 1 && number <= MAX_ORDER_ID ? number : undefined;
}

/** Checks lines before they are sent. The server checks them again. */
export function checkLines(
  lines: readonly ParsedLine[],
  orders: ReadonlyMap<number, Order>,
  carriers: Readonly<Record<string, string>>,
): CheckedLine[] {
  const left = new Map<number, number>();
  return lines.map((line): CheckedLine => {
    const id = orderIdOf(line);
    const order = id === undefined ? undefined : orders.get(id);
    const problem = problemOf(line, order, carriers) ?? (order && unitsProblem(line, order, left));
    return { ...line, order, problem };
  });
}

function problemOf(
  line: ParsedLine,
  order: Order | undefined,
  carriers: Readonly<Record<string, string>>,
): string | undefined {
  const { order_id: id, carrier, carrier_name: name, tracking_number: number } = line.fields;
  if (id === undefined) return 'The order’s number is missing.';
  if (orderIdOf(line) === undefined) return `“${id}” isn’t the number of an order.`;
  if (order === undefined) return `There is no order ${id}.`;
  if (carrier === undefined) return 'The carrier is missing.';
  if (!isKnownCarrier(carriers, carrier))
    return `“${carrier}” isn’t a known carrier. Use “other”, with its name in a column carrier_name.`;
  if (isOtherCarrier(carrier) && name === undefined)
    return 'The carrier “other” needs its name in a column carrier_name.';
  if (number === undefined) return 'The tracking number is missing.';
  if (SHORTENED.test(number))
    return `“${number}” was shortened by a spreadsheet. Format the column as text, and enter the number again.`;
  if (isShippedWith(order, number)) return undefined;
  const { label } = statusTexts[order.status];
  if (!order.can_fulfill) return `The order can’t be shipped: ${label.toLowerCase()}.`;
  return undefined;
}

/** Whether a package of the order has this tracking number. Shipping it again changes nothing. */
export function isShippedWith(order: Order, trackingNumber: string): boolean {
  return order.packages.some((each) => each.tracking_number === trackingNumber);
}

/** Says that the lines so far have more units of an order than are left. */
function unitsProblem(
  { fields: { quantity, tracking_number: number = '' } }: ParsedLine,
  order: Order,
  left: Map<number, number>,
): string | undefined {
  if (isShippedWith(order, number)) return undefined;
  const rest = left.get(order.order_id) ?? unitsLeft(order);
  const units = quantity === undefined ? rest : Number(quantity);
  if (!Number.isInteger(units) || units < 0 || quantity === '0')
    return `“${quantity}” isn’t a number of units.`;
  if (rest === 0) return 'Lines above ship all units of this order.';
  if (units > rest) return `Only ${rest} of ${order.product_quantity} units are left to ship.`;
  left.set(order.order_id, rest - units);
  return undefined;
}
