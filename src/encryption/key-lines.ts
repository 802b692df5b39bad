import { createSecretKey, type KeyObject, randomBytes } from 'node:crypto';
import { MONTH, type Month } from './month.ts';
import type { MonthSecret } from './ratchet.ts';

interface Named {
  /** Eight hexadecimal digits, different for each line. */
  id: string;
  /** Whether it decrypts, but does not encrypt yet, because other nodes may not have it. */
  isNext: boolean;
}

/** Encrypts webhooks' secrets. */
export interface EncryptionKey extends Named {
  key: KeyObject;
}

/** The keys of its month and of all later months follow from it (`ratchet.ts`). */
export interface MonthlySecret extends Named, MonthSecret {}

/** What a key file contains. Of each list, the last one that is not next encrypts. */
export interface KeyFile {
  keys: readonly EncryptionKey[];
  monthly: readonly MonthlySecret[];
  /** IDs of monthly secrets that were destroyed with all their months. */
  destroyed: readonly string[];
}

/** The message says which line is wrong, and contains nothing of it. */
export class InvalidLine extends Error {
  override name = 'InvalidLine';
}

export const NO_KEYS: KeyFile = { keys: [], monthly: [], destroyed: [] };
/** Eight hexadecimal digits. */
export const KEY_ID = /[0-9a-f]{8}/;

const ID_BYTES = 4;
const KEY_BYTES = 32;
const SECRET = new RegExp(`^(next )?(?:monthly (${MONTH.source}) )?(${KEY_ID.source}) ([\\w-]{43})$`);
const DESTROYED = new RegExp(`^monthly destroyed (${KEY_ID.source})$`);

export function newEncryptionKey(): EncryptionKey {
  return { id: newId(), isNext: false, key: newSecret() };
}

export function newMonthlySecret(month: Month): MonthlySecret {
  return { id: newId(), isNext: false, month, secret: newSecret() };
}

function newId(): string {
  return randomBytes(ID_BYTES).toString('hex');
}

function newSecret(): KeyObject {
  return createSecretKey(randomBytes(KEY_BYTES));
}

/** @throws {InvalidLine} */
export function parseKeyLines(text: string): KeyFile {
  const [keys, monthly, destroyed]: [EncryptionKey[], MonthlySecret[], string[]] = [[], [], []];
  const ids = new Set<string>();
  for (const [index, line] of text.replace(/\n$/, '').split('\n').entries()) {
    const parsed = parseLine(line);
    if (parsed === undefined)
      throw new InvalidLine(
        `line ${index + 1}: expected an ID of 8 hexadecimal digits, a space, and 32 bytes in base64url; before it possibly "next", or "monthly" and a month; or "monthly destroyed" and an ID`,
      );
    if (ids.has(parsed.id)) throw new InvalidLine(`line ${index + 1}: another line has the same ID`);
    ids.add(parsed.id);
    if ('month' in parsed) monthly.push(parsed);
    else if ('key' in parsed) keys.push(parsed);
    else destroyed.push(parsed.id);
  }
  return { keys, monthly, destroyed };
}

function parseLine(line: string): EncryptionKey | MonthlySecret | { id: string } | undefined {
  const [, gone] = DESTROYED.exec(line) ?? [];
  if (gone !== undefined) return { id: gone };
  const [, next, month, id, encoded] = SECRET.exec(line) ?? [];
  if (id === undefined || encoded === undefined) return undefined;
  const bytes = Buffer.from(encoded, 'base64url');
  if (bytes.length !== KEY_BYTES || bytes.toString('base64url') !== encoded) return undefined;
  const [isNext, secret] = [next !== undefined, createSecretKey(bytes)];
  if (month === undefined) return { id, isNext, key: secret };
  return { id, isNext, month, secret };
}

export function formatKeyLines({ keys, monthly, destroyed }: KeyFile): string {
  const lines = [
    ...keys.map((each) => `${startOf(each)}${each.id} ${encode(each.key)}`),
    ...monthly.map((each) => `${startOf(each)}monthly ${each.month} ${each.id} ${encode(each.secret)}`),
    ...destroyed.map((id) => `monthly destroyed ${id}`),
  ];
  return `${lines.join('\n')}\n`;
}

function startOf({ isNext }: Named): string {
  return isNext ? 'next ' : '';
}

function encode(secret: KeyObject): string {
  return secret.export().toString('base64url');
}
