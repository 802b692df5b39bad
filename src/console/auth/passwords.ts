import { randomBytes, type ScryptOptions, scrypt, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';

export const MIN_PASSWORD_LENGTH = 10;
export const MAX_PASSWORD_LENGTH = 128;

export function hasValidLength({ length }: string): boolean {
  return length >= MIN_PASSWORD_LENGTH && length <= MAX_PASSWORD_LENGTH;
}

/** The cost of a hash: the base-2 logarithm of scrypt's N, its block size r, and its parallelism p. */
export interface HashCost {
  ln: number;
  r: number;
  p: number;
}

// OWASP's parameters for 32 MiB per hash, so that sign-ins also fit on a small machine.
const COST: HashCost = { ln: 15, r: 8, p: 3 };
const MAX_MEMORY = 64 * 1024 * 1024;
const KEY_BYTES = 32;
const SALT_BYTES = 16;

const derive = promisify<string, Buffer, number, ScryptOptions, Buffer>(scrypt);

/** Returns `scrypt:ln=15,r=8,p=3:SALT:KEY`, which is stored instead of the password. */
export async function hashPassword(password: string, cost = COST): Promise<string> {
  const salt = randomBytes(SALT_BYTES);
  const key = await deriveKey(password, salt, cost);
  const parameters = `ln=${cost.ln},r=${cost.r},p=${cost.p}`;
  return ['scrypt', parameters, salt.toString('base64url'), key.toString('base64url')].join(':');
}

export async function verifyPassword({
  hash,
  password,
}: {
  hash: string;
  password: string;
}): Promise<boolean> {
  const [, parameters = '', salt = '', expected = ''] = hash.split(':');
  const [ln = NaN, r = NaN, p = NaN] = parameters.split(',').map((pair) => Number(pair.split('=')[1]));
  const key = await deriveKey(password, Buffer.from(salt, 'base64url'), { ln, r, p });
  const storedKey = Buffer.from(expected, 'base64url');
  return storedKey.length === key.length && timingSafeEqual(storedKey, key);
}

function deriveKey(password: string, salt: Buffer, { ln, r, p }: HashCost): Promise<Buffer> {
  return derive(normalize(password), salt, KEY_BYTES, { N: 2 ** ln, r, p, maxmem: MAX_MEMORY });
}

/** Keyboards encode the same letter in different ways (NIST SP 800-63B, 3.1.1.2). */
function normalize(password: string): string {
  return password.normalize('NFKC');
}
