import { hash, randomInt } from 'node:crypto';
import { crc32 } from 'node:zlib';

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const PREFIX = 'tp_';
/** 32 characters of 62 have 190 bits of entropy. */
const RANDOM_LENGTH = 32;
const CHECKSUM_LENGTH = 6;

/**
 * Generates an access token: `tp_`, 32 random letters and digits, and a checksum of them. The checksum lets a secret
 * scanner recognize a leaked token without a request to the server.
 */
export function generateToken(): string {
  let random = '';
  for (let index = 0; index < RANDOM_LENGTH; index += 1) random += ALPHABET[randomInt(ALPHABET.length)];
  return `${PREFIX}${random}${checksum(random)}`;
}

/** Returns a token's first 6 and last 4 characters for display; empty strings for a token too short to show parts of. */
export function tokenHint(token: string): { start: string; end: string } {
  return token.length >= 20 ? { start: token.slice(0, 6), end: token.slice(-4) } : { start: '', end: '' };
}

function checksum(random: string): string {
  let rest = crc32(random);
  let text = '';
  for (let index = 0; index < CHECKSUM_LENGTH; index += 1) {
    text = `${ALPHABET[rest % ALPHABET.length]}${text}`;
    rest = Math.floor(rest / ALPHABET.length);
  }
  return text;
}

/** Returns the SHA-256 of a token, which is stored instead of it. Tokens have enough entropy to need no salt. */
export function hashToken(token: string): Buffer {
  return hash('sha256', token, 'buffer');
}
