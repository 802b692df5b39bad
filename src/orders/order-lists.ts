import type { Reader } from '../database/database.ts';
import { readList } from '../metadata/read-lists.ts';
import type { OrderLists } from './read-call.ts';

/** Reads the lists of `metadata` that calls are checked against. */
export async function readOrderLists(database: Pick<Reader, 'first'>): Promise<OrderLists> {
  const [carriers, reasons] = await Promise.all([
    readList(database, 'carriers'),
    readList(database, 'refund_reasons'),
  ]);
  // The lists are checked when the operator sets them.
  return {
    carriers: JSON.parse(carriers.json) as OrderLists['carriers'],
    refundReasons: JSON.parse(reasons.json) as OrderLists['refundReasons'],
  };
}
