import { liveSideOf, modeOf, OPERATOR_ID, sidesSeenFrom, testSideOf } from '../database/sides.ts';
import { errors } from '../errors/errors.ts';

/** The ID of a merchant, of its test side or `OPERATOR_ID`, and the key's own number. */
export interface KeyNumbers {
  merchantId: number;
  id: number;
}

/** Returns the merchant's number and the key's, such as `12-3`, `12-t3` for a test key, or `op-3`. */
export function formatKeyId({ merchantId, id }: KeyNumbers): string {
  if (merchantId === OPERATOR_ID) return `op-${id}`;
  return `${liveSideOf(merchantId)}-${modeOf(merchantId) === 'test' ? 't' : ''}${id}`;
}

/** Returns undefined if the text is not a key id. */
export function parseKeyId(text: string): KeyNumbers | undefined {
  const match = /^(op|[1-9]\d{0,14})-(t?)([1-9]\d{0,14})$/.exec(text);
  if (match === null) return undefined;
  if (match[1] === 'op')
    return match[2] === '' ? { merchantId: OPERATOR_ID, id: Number(match[3]) } : undefined;
  const merchantId = Number(match[1]);
  return { merchantId: match[2] === 't' ? testSideOf(merchantId) : merchantId, id: Number(match[3]) };
}

/** Reads the ID of a key that an owner sees (`sidesSeenFrom`). @throws {DomainError} `key_not_found` */
export function requireOwnKey(ownerId: number, id: string): KeyNumbers {
  const key = parseKeyId(id);
  if (key === undefined || !sidesSeenFrom(ownerId).includes(key.merchantId)) throw errors.key_not_found(id);
  return key;
}

/** A change of a test key is recorded on the live side, which another node can have. */
export function nodesOf(keyId: string): { everyNode: boolean } {
  return { everyNode: modeOf(parseKeyId(keyId)?.merchantId ?? OPERATOR_ID) === 'test' };
}
