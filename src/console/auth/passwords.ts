import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';
import { errors } from '../../http/errors.ts';

export const SHORTEST_PASSWORD = 10;
export const LONGEST_PASSWORD = 128;

// OWASP's parameters for 32 MiB a hash: a self-hosted machine has no more to give to a sign-in.
const COST = { N: 2 ** 15, r: 8, p: 3, maxmem: 64 * 1024 * 1024 };
const KEY_BYTES = 32;
const SALT_BYTES = 16;

// Hashing runs on the threads that files and compression need too: sign-ins get half of them.
const AT_ONCE = 2;
const MOST_WAITING = 64;

const derive = promisify<string, Buffer, number, typeof COST, Buffer>(scrypt);
const waiting: (() => void)[] = [];
let underWay = 0;

/** What is kept of a password: `scrypt:SALT:KEY`. */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(SALT_BYTES);
  const key = await inTurn(() => derive(normalize(password), salt, KEY_BYTES, COST));
  return `scrypt:${salt.toString('base64url')}:${key.toString('base64url')}`;
}

/** Whether this is the password that the hash was made of. */
export async function verifyPassword({
  hash,
  password,
}: {
  hash: string;
  password: string;
}): Promise<boolean> {
  const [, salt = '', expected = ''] = hash.split(':');
  const key = await inTurn(() =>
    derive(normalize(password), Buffer.from(salt, 'base64url'), KEY_BYTES, COST),
  );
  const kept = Buffer.from(expected, 'base64url');
  return kept.length === key.length && timingSafeEqual(kept, key);
}

/** Keyboards write the same letter in several ways (NIST SP 800-63B, 3.1.1.2). */
function normalize(password: string): string {
  return password.normalize('NFKC');
}

/** @throws {HttpError} `unavailable` where so many wait already that nobody would wait for this one */
async function inTurn<T>(work: () => Promise<T>): Promise<T> {
  if (underWay >= AT_ONCE) {
    if (waiting.length >= MOST_WAITING) throw errors.unavailable();
    await new Promise<void>((resolve) => void waiting.push(resolve));
  } else {
    underWay += 1;
  }
  try {
    return await work();
  } finally {
    // The place is handed on, not given back, where somebody waits for it.
    const next = waiting.shift();
    if (next === undefined) underWay -= 1;
    else next();
  }
}
