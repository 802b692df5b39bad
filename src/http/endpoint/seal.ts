import { createSecretKey, hash, type KeyObject } from 'node:crypto';
import { decrypt, encrypt } from '../../encryption/encrypt.ts';

/** Encrypts a response, so that it can be stored. Only a request with the same secret can read it. */
export function seal(text: string, secret: string): string {
  return encrypt(text, keyOf(secret), 'response').toString('base64url');
}

/** @throws {Error} for another secret */
export function unseal(sealed: string, secret: string): string {
  return decrypt(Buffer.from(sealed, 'base64url'), keyOf(secret), 'response');
}

function keyOf(secret: string): KeyObject {
  return createSecretKey(hash('sha256', `response ${secret}`, 'buffer'));
}
