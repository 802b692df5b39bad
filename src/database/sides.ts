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

export function modeOf(merchantId: number): Mode {
  return merchantId < 0 ? 'test' : 'live';
}
