import { hash, randomInt } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { type Mode, modeOf, OPERATOR_ID } from '../database/sides.ts';

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
/** A side of a merchant, or the operator. */
export type TokenKind = Mode | 'operator';

const PREFIXES: Record<TokenKind, string> = { live: 'tp_', test: 'tpt_', operator: 'tpo_' };
/** 32 characters of 62 have 190 bits of entropy. */
const RANDOM_LENGTH = 32;
const CHECKSUM_LENGTH = 6;

/**
 * `tp_`, `tpt_` for a test key or `tpo_` for an operator key, 32 random letters and digits, and their
 * checksum, by which secret scanners recognize a leaked token.
 */
export function generateToken(kind: TokenKind): string {
  let random = '';
  for (let index = 0; index < RANDOM_LENGTH; index += 1) random += ALPHABET[randomInt(ALPHABET.length)];
  return `${PREFIXES[kind]}${random}${checksum(random)}`;
}

/** Only tokens of test keys start with `tpt_`, and only operator tokens with `tpo_`. */
export function tokenKind(token: string): TokenKind {
  if (token.startsWith(PREFIXES.operator)) return 'operator';
  return token.startsWith(PREFIXES.test) ? 'test' : 'live';
}

/** Returns the kind that a prefix states; undefined for a text with another beginning. */
export function prefixKind(token: string): TokenKind | undefined {
  const kinds = Object.entries(PREFIXES) as [TokenKind, string][];
  return kinds.find(([, prefix]) => token.startsWith(prefix))?.[0];
}

export function tokenKindOf(ownerId: number): TokenKind {
  return ownerId === OPERATOR_ID ? 'operator' : modeOf(ownerId);
}

/** Returns a token's first 6 and last 4 characters; empty strings for a short token. */
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

/** Returns the SHA-256 that is stored. Tokens have enough entropy to need no salt. */
export function hashToken(token: string): Buffer {
  return hash('sha256', token, 'buffer');
}
