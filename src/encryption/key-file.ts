import { createSecretKey, type KeyObject, randomBytes } from 'node:crypto';
import { open } from 'node:fs/promises';
import { messageOf } from '../shared/error-message.ts';
import { publishFile } from '../shared/publish-file.ts';

export interface EncryptionKey {
  id: string;
  key: KeyObject;
}

/** The message is for the operator, and contains no key. */
export class KeyFileUnusable extends Error {
  override name = 'KeyFileUnusable';
}

const ID_BYTES = 4;
const KEY_BYTES = 32;
const LINE = /^([0-9a-f]{8}) ([\w-]{43})$/;
/** Users that are neither the owner nor in the file's group. */
const OTHERS = 0o007;

/**
 * Reads one key a line, the newest last. Returns an empty list if there is no file.
 * @throws {KeyFileUnusable} if the file cannot be read, has other content, or is accessible to every user
 */
export async function readKeyFile(file: string): Promise<EncryptionKey[]> {
  let stored: { mode: number; text: string };
  try {
    stored = await read(file);
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return [];
    throw unusable(file, `cannot be read: ${messageOf(error)}`, error);
  }
  if ((stored.mode & OTHERS) !== 0)
    throw unusable(file, `is accessible to every user: run chmod go= '${file}'`);
  return parse(file, stored.text);
}

async function read(file: string): Promise<{ mode: number; text: string }> {
  const handle = await open(file);
  try {
    return { mode: (await handle.stat()).mode, text: await handle.readFile('utf8') };
  } finally {
    await handle.close();
  }
}

/**
 * Does nothing if the file exists. Only its owner can read it. Returns the file's keys.
 * @throws {KeyFileUnusable}
 */
export async function createKeyFile(file: string): Promise<EncryptionKey[]> {
  const [id, key] = [randomBytes(ID_BYTES).toString('hex'), randomBytes(KEY_BYTES).toString('base64url')];
  try {
    await publishFile(file, `${id} ${key}\n`, { replace: false });
  } catch (error) {
    throw unusable(file, `cannot be created: ${messageOf(error)}`, error);
  }
  return await readKeyFile(file);
}

function parse(file: string, text: string): EncryptionKey[] {
  const keys: EncryptionKey[] = [];
  for (const [index, line] of text.replace(/\n$/, '').split('\n').entries()) {
    const [, id = '', encoded = ''] = LINE.exec(line) ?? [];
    const bytes = Buffer.from(encoded, 'base64url');
    if (bytes.length !== KEY_BYTES || bytes.toString('base64url') !== encoded)
      throw unusable(
        file,
        `has an invalid line ${index + 1}: expected an ID of 8 hexadecimal digits, a space, and 32 bytes in base64url`,
      );
    if (keys.some((other) => other.id === id))
      throw unusable(file, `has an invalid line ${index + 1}: another line has the same ID`);
    keys.push({ id, key: createSecretKey(bytes) });
  }
  return keys;
}

function unusable(file: string, problem: string, cause?: unknown): KeyFileUnusable {
  return new KeyFileUnusable(`The key file ${file} ${problem}.`, { cause });
}
