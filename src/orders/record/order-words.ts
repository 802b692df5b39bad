import { foldedParts } from '../../products/search-index/words.ts';
import type { Order } from './order.ts';

/** Longer words are compared by their beginnings, so that no word is too long for an index. */
const MAX_LENGTH = 100;
/** Words of a customer begin with something else, so that they can be deleted. */
const PREFIX = 'id:';

/** The words that the console's search finds an order by, apart from its customer's. */
export function wordsOfOrder(order: Order): Set<string> {
  const { product_identifier, variation_identifier, packages, merchant_order_id } = order;
  const sold = identifierWord(variation_identifier ?? product_identifier);
  const words = new Set([sold, ...packages.map((each) => identifierWord(each.tracking_number))]);
  // Otherwise, the beginning of the other word finds the order.
  const product = identifierWord(product_identifier);
  if (!sold.startsWith(product)) words.add(product);
  if (merchant_order_id !== null) words.add(identifierWord(merchant_order_id));
  return words;
}

/** The word of an identifier, whatever its case and its spaces are. */
export function identifierWord(identifier: string): string {
  return PREFIX + [...foldedParts(identifier).join('')].slice(0, MAX_LENGTH).join('');
}
