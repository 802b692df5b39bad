/** Returns a 32-bit hash of a 32-bit number; different numbers have different hashes. */
export function mix(value: number): number {
  let mixed = value | 0;
  mixed = Math.imul(mixed ^ (mixed >>> 16), 0x21f0aaad);
  mixed = Math.imul(mixed ^ (mixed >>> 15), 0x735a2d97);
  return (mixed ^ (mixed >>> 15)) >>> 0;
}

/** Returns a 32-bit hash of a text. */
export function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  return mix(hash);
}

/**
 * Who comes first among candidates with equal scores: “a hash of the request's key and the product, so that
 * the same request is decided in the same way, and different ones take turns”. The hash has three parts.
 *
 * - Merchants are drawn by lot, so that a merchant does not get more turns by having more products.
 * - Campaigns of a merchant, and products of a campaign, stand in a circle in the order of their own hashes.
 *   The request's key says where to begin. An ordered tree can be read like this without touching all ties.
 */
export class Turns {
  readonly #key: number;
  readonly campaignStart: number;
  readonly productStart: number;

  constructor(key: string) {
    this.#key = hashOf(key);
    this.campaignStart = mix(this.#key ^ 0x5bd1e995);
    this.productStart = mix(this.#key ^ 0x1b873593);
  }

  ofMerchant(merchantId: number): number {
    return mix(mix(merchantId) ^ this.#key);
  }
}

/** Returns how far a hash is from the start of the circle. */
export function turnFrom(start: number, hash: number): number {
  return (hash - start) >>> 0;
}
