import type { Order } from '../orders/order.ts';
import { ordersWithIds } from '../orders/queries.ts';
import { call } from '../server/call.ts';
import { forEach } from '../server/for-each.ts';
import { type CheckedLine, orderIdOf } from './check-lines.ts';
import type { ParsedLine } from './parse-lines.ts';

/** As many lines as the API takes in a request. */
const LINES_PER_REQUEST = 1_000;
const ORDERS_PER_REQUEST = 100;
const REQUESTS_AT_A_TIME = 2;

/** What became of a line. */
export interface SentLine {
  line: ParsedLine;
  /** Why it failed; undefined if the order was shipped, or had been shipped in the same way. */
  problem: string | undefined;
  isChange: boolean;
}

/** Reads the orders that lines name, by their IDs. */
export async function readOrders(lines: readonly ParsedLine[]): Promise<Map<number, Order>> {
  const ids = [...new Set(lines.flatMap((line) => orderIdOf(line) ?? []))];
  const orders = new Map<number, Order>();
  await forEach(partsOf(ids, ORDERS_PER_REQUEST), REQUESTS_AT_A_TIME, async (part) => {
    for (const order of await ordersWithIds(part)) orders.set(order.order_id, order);
  });
  return orders;
}

/**
 * Ships the orders of lines, 1,000 lines at a time. Calls `onSent` after each request. If a request fails,
 * the lines before it are shipped. Sending a line again changes nothing.
 */
export async function sendLines(
  lines: readonly CheckedLine[],
  onSent: (sent: readonly SentLine[]) => void,
): Promise<void> {
  for (const part of partsOf(lines, LINES_PER_REQUEST)) {
    const { results } = await call(
      'changeOrders',
      part.map(({ fields }) => ({ ...fields, action: 'fulfill' })),
    );
    onSent(
      part.map((line, index) => {
        const { result, errors } = results[index] ?? { result: 'rejected', errors: [] };
        const reasons = errors.map(({ name, reason }) => (isOfField(name) ? `${name}: ${reason}` : reason));
        return {
          line,
          problem: result === 'rejected' ? sentence(reasons.join('; ')) : undefined,
          isChange: result === 'updated',
        };
      }),
    );
  }
}

function isOfField(name: string): boolean {
  return name !== '' && name !== 'order_id';
}

function sentence(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
}

function partsOf<Item>(items: readonly Item[], size: number): Item[][] {
  const parts: Item[][] = [];
  for (let start = 0; start < items.length; start += size) parts.push(items.slice(start, start + size));
  return parts;
}
