import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';

export const SHORTEST_PASSWORD = 10;
export const LONGEST_PASSWORD = 128;

/** Whether a password is neither too short nor too long. */
export function isPasswordLength({ length }: string): boolean {
  return length >= SHORTEST_PASSWORD && length <= LONGEST_PASSWORD;
}

// OWASP's parameters for 32 MiB a hash: a self-hosted machine has no more to give to a sign-in.
const COST = { N: 2 ** 15, r: 8, p: 3, maxmem: 64 * 1024 * 1024 };
const KEY_BYTES = 32;
const SALT_BYTES = 16;

const derive = promisify<string, Buffer, number, typeof COST, Buffer>(scrypt);

/** The hash of a password that is stored: `scrypt:SALT:KEY`. */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(SALT_BYTES);
  const key = await derive(normalize(password), salt, KEY_BYTES, COST);
  return `scrypt:${salt.toString('base64url')}:${key.toString('base64url')}`;
}

/** Whether a hash is of this password. */
export async function verifyPassword({
  hash,
  password,
}: {
  hash: string;
  password: string;
}): Promise<boolean> {
  const [, salt = '', expected = ''] = hash.split(':');
  const key = await derive(normalize(password), Buffer.from(salt, 'base64url'), KEY_BYTES, COST);
  const kept = Buffer.from(expected, 'base64url');
  return kept.length === key.length && timingSafeEqual(kept, key);
}

/** Keyboards write the same letter in several ways (NIST SP 800-63B, 3.1.1.2). */
function normalize(password: string): string {
  return password.normalize('NFKC');
}
