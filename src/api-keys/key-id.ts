import { liveSideOf, modeOf, OPERATOR_ID, testSideOf } from '../database/sides.ts';

/** The numbers that identify a key: the ID of its merchant, of the merchant's test side or `OPERATOR_ID`, and its own. */
export interface KeyNumbers {
  merchantId: number;
  id: number;
}

/**
 * Returns a key's public id: its merchant's number and its own, such as `12-3`, `12-t3` for a test key, or `op-3` for an
 * operator key.
 */
export function formatKeyId({ merchantId, id }: KeyNumbers): string {
  if (merchantId === OPERATOR_ID) return `op-${id}`;
  return `${liveSideOf(merchantId)}-${modeOf(merchantId) === 'test' ? 't' : ''}${id}`;
}

/** Returns the numbers in a key's id, or undefined if the text is not a key id. */
export function parseKeyId(text: string): KeyNumbers | undefined {
  const match = /^(op|[1-9]\d{0,14})-(t?)([1-9]\d{0,14})$/.exec(text);
  if (match === null) return undefined;
  if (match[1] === 'op')
    return match[2] === '' ? { merchantId: OPERATOR_ID, id: Number(match[3]) } : undefined;
  const merchantId = Number(match[1]);
  return { merchantId: match[2] === 't' ? testSideOf(merchantId) : merchantId, id: Number(match[3]) };
}
