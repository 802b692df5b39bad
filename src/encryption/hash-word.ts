import { createHmac, type KeyObject } from 'node:crypto';

/** 132 bits: enough that different words have different hashes. */
const LENGTH = 22;

/** Returns a keyed hash of a word of `owner`: the beginning of an HMAC-SHA-256, in base64url. */
export function hashWord(word: string, owner: string, key: KeyObject): string {
  return createHmac('sha256', key).update(`${owner}\0${word}`).digest('base64url').slice(0, LENGTH);
}
