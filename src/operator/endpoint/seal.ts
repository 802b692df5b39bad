import { createSecretKey, hash, type KeyObject } from 'node:crypto';
import { decrypt, encrypt } from '../../encryption/encrypt.ts';

/**
 * Encrypts a response that contains a secret, so that it can be stored for repetitions of its request. Only a request with
 * the same secret, the caller's token, can read it.
 */
export function seal(text: string, secret: string): string {
  return encrypt(text, keyOf(secret), 'response').toString('base64url');
}

/** Returns the text that was sealed with a secret. @throws {Error} for another secret */
export function unseal(sealed: string, secret: string): string {
  return decrypt(Buffer.from(sealed, 'base64url'), keyOf(secret), 'response');
}

function keyOf(secret: string): KeyObject {
  return createSecretKey(hash('sha256', `response ${secret}`, 'buffer'));
}
