import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';

export const MIN_PASSWORD_LENGTH = 10;
export const MAX_PASSWORD_LENGTH = 128;

/** Whether a password is neither too short nor too long. */
export function isPasswordLength({ length }: string): boolean {
  return length >= MIN_PASSWORD_LENGTH && length <= MAX_PASSWORD_LENGTH;
}

// OWASP's parameters for 32 MiB per hash, so that sign-ins also fit on a small self-hosted machine.
const COST = { N: 2 ** 15, r: 8, p: 3, maxmem: 64 * 1024 * 1024 };
const KEY_BYTES = 32;
const SALT_BYTES = 16;

const derive = promisify<string, Buffer, number, typeof COST, Buffer>(scrypt);

/** Returns the hash of a password, which is stored instead of it: `scrypt:SALT:KEY`. */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(SALT_BYTES);
  const key = await derive(normalize(password), salt, KEY_BYTES, COST);
  return `scrypt:${salt.toString('base64url')}:${key.toString('base64url')}`;
}

/** Whether a password has this hash. */
export async function verifyPassword({
  hash,
  password,
}: {
  hash: string;
  password: string;
}): Promise<boolean> {
  const [, salt = '', expected = ''] = hash.split(':');
  const key = await derive(normalize(password), Buffer.from(salt, 'base64url'), KEY_BYTES, COST);
  const storedKey = Buffer.from(expected, 'base64url');
  return storedKey.length === key.length && timingSafeEqual(storedKey, key);
}

/** Normalizes Unicode, since keyboards encode the same letter in different ways (NIST SP 800-63B, 3.1.1.2). */
function normalize(password: string): string {
  return password.normalize('NFKC');
}
