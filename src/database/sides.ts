/**
 * A merchant has two sides whose data is separate: live and test. The live side's id is the merchant's. The test side's is
 * the same number, negative. So every statement that names its merchant also separates the sides, and no merchant can
 * have the id of another one's test side.
 */
export type Mode = 'live' | 'test';

/**
 * The id under which tables of merchants have the operator's own keys, idempotency keys and audit entries. No merchant
 * has it.
 */
export const OPERATOR_ID = 0;

/** Returns the id of a merchant's test side. */
export function testSideOf(merchantId: number): number {
  return -liveSideOf(merchantId);
}

/** Returns the id of the merchant that a side belongs to. */
export function liveSideOf(merchantId: number): number {
  return Math.abs(merchantId);
}

/** Whether an id identifies a test side, not a merchant. */
export function modeOf(merchantId: number): Mode {
  return merchantId < 0 ? 'test' : 'live';
}
