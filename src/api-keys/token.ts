import { hash, randomInt } from 'node:crypto';
import { crc32 } from 'node:zlib';

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const PREFIX = 'tp_';
/** 32 letters of 62 are 190 bits of chance. */
const RANDOM_LENGTH = 32;
const CHECKSUM_LENGTH = 6;

/**
 * A new access token: `tp_`, 32 random letters and digits, and a checksum of them, so that a scanner
 * can tell a leaked token from a random word without asking.
 */
export function generateToken(): string {
  let random = '';
  for (let index = 0; index < RANDOM_LENGTH; index += 1) random += ALPHABET[randomInt(ALPHABET.length)];
  return `${PREFIX}${random}${checksum(random)}`;
}

/** Whether a word is a token that `generateToken` could have made. */
export function isWellFormedToken(word: string): boolean {
  const [, random = '', check] = /^tp_([0-9A-Za-z]{32})([0-9A-Za-z]{6})$/.exec(word) ?? [];
  return check !== undefined && checksum(random) === check;
}

/** A token's first and last letters, to be shown. They must not help to guess it: nothing of a short one is. */
export function shownOf(token: string): [start: string, end: string] {
  return token.length >= 20 ? [token.slice(0, 6), token.slice(-4)] : ['', ''];
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

/** What is stored in a token's place: its SHA-256. Tokens are random enough to need no salt. */
export function hashToken(token: string): Buffer {
  return hash('sha256', token, 'buffer');
}
