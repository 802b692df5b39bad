/**
 * Merchants as bits of a whole number, so that a count can say who won its requests, and two counts can be
 * added in one statement. IDs with the same remainder share a bit: there are at least as many merchants as
 * bits.
 */
const BITS = 53;

export function bitOf(merchantId: number): number {
  return 2 ** (Math.abs(merchantId) % BITS);
}

export function unionOf(one: number, other: number): number {
  return one === other ? one : Number(BigInt(one) | BigInt(other));
}

/** Returns how many merchants there are at least without this one. */
export function countOthers(winners: number, merchantId: number): number {
  const own = BigInt(bitOf(merchantId));
  return (BigInt(winners) & ~own).toString(2).replaceAll('0', '').length;
}
