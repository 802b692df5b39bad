/**
 * The sides of a merchant have separate data. The live side's id is the merchant's, the test side's the same
 * number, negative: a statement that names its merchant also separates the sides.
 */
export type Mode = 'live' | 'test';

/** Under this id, tables of merchants have the operator's keys, idempotency keys and audit entries. */
export const OPERATOR_ID = 0;

export function testSideOf(merchantId: number): number {
  return -liveSideOf(merchantId);
}

export function liveSideOf(merchantId: number): number {
  return Math.abs(merchantId);
}

/** Returns the sides that callers of a side see: of the live side both, of the test side only this one. */
export function sidesSeenFrom(merchantId: number): number[] {
  return modeOf(merchantId) === 'test' ? [merchantId] : [merchantId, testSideOf(merchantId)];
}

export function modeOf(merchantId: number): Mode {
  return merchantId < 0 ? 'test' : 'live';
}
