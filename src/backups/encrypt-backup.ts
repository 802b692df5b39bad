import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  hkdfSync,
  randomBytes,
  scrypt,
  timingSafeEqual,
} from 'node:crypto';
import { promisify } from 'node:util';
import { BackupDamaged } from './errors.ts';

const deriveWithScrypt = promisify<string, Buffer, number, { N: number; maxmem: number }, Buffer>(scrypt);

const MAGIC = Buffer.from('tradepost backup 1\n');
const SALT_BYTES = 16;
const CHECK_BYTES = 16;
const HEADER_BYTES = MAGIC.length + SALT_BYTES + CHECK_BYTES;
const CHUNK_BYTES = 64 * 1024;
const TAG_BYTES = 16;
const CIPHER = 'aes-256-gcm';
const SCRYPT = { N: 2 ** 15, maxmem: 64 * 1024 * 1024 };

/**
 * Encrypts in chunks of 64 KiB with AES-256-GCM, with a key of its own for each backup. The header has the
 * salt, and a value that tells a wrong key from a damaged file. The nonce of a chunk has its number, and
 * whether it is the last, so that chunks cannot be left out, moved or cut off.
 */
export async function* encryptBackup(
  source: AsyncIterable<Uint8Array>,
  secret: string,
): AsyncGenerator<Buffer> {
  const salt = randomBytes(SALT_BYTES);
  const { key, check } = await deriveKey(secret, salt);
  const header = Buffer.concat([MAGIC, salt, check]);
  yield header;
  for await (const { chunk, nonce } of numberedChunks(source, CHUNK_BYTES)) {
    const cipher = createCipheriv(CIPHER, key, nonce).setAAD(header);
    yield Buffer.concat([cipher.update(chunk), cipher.final(), cipher.getAuthTag()]);
  }
}

/** Decrypts what `encryptBackup` returned. @throws {BackupDamaged} if it was changed, or the key is wrong */
export async function* decryptBackup(
  source: AsyncIterable<Uint8Array>,
  secret: string,
): AsyncGenerator<Buffer> {
  const reader = new ByteReader(source);
  const header = await reader.take(HEADER_BYTES);
  if (header.length < HEADER_BYTES || !header.subarray(0, MAGIC.length).equals(MAGIC))
    throw new BackupDamaged('it is not an encrypted backup, or its beginning is missing');
  const { key, check } = await deriveKey(secret, header.subarray(MAGIC.length, MAGIC.length + SALT_BYTES));
  if (!timingSafeEqual(check, header.subarray(MAGIC.length + SALT_BYTES)))
    throw new BackupDamaged('BACKUP_KEY is not the key that it was encrypted with');
  for await (const { chunk, nonce } of numberedChunks(reader.rest(), CHUNK_BYTES + TAG_BYTES)) {
    if (chunk.length < TAG_BYTES) throw changed();
    const decipher = createDecipheriv(CIPHER, key, nonce, { authTagLength: TAG_BYTES }).setAAD(header);
    decipher.setAuthTag(chunk.subarray(-TAG_BYTES));
    try {
      yield Buffer.concat([decipher.update(chunk.subarray(0, -TAG_BYTES)), decipher.final()]);
    } catch {
      throw changed();
    }
  }
}

function changed(): BackupDamaged {
  return new BackupDamaged('it was cut off or changed');
}

async function deriveKey(secret: string, salt: Buffer): Promise<{ key: Buffer; check: Buffer }> {
  const root = await deriveWithScrypt(secret, salt, 32, SCRYPT);
  const key = Buffer.from(hkdfSync('sha256', root, salt, 'encrypts a backup', 32));
  const check = createHmac('sha256', root).update('checks the key').digest().subarray(0, CHECK_BYTES);
  return { key, check };
}

/** Splits bytes into chunks of `size`, of which only the last may be smaller or empty, with their nonces. */
async function* numberedChunks(
  source: AsyncIterable<Uint8Array>,
  size: number,
): AsyncGenerator<{ chunk: Buffer; nonce: Buffer }> {
  const reader = new ByteReader(source);
  let number = 0;
  for (let chunk = await reader.take(size); ; number += 1) {
    const next = await reader.take(size);
    const isLast = next.length === 0;
    const nonce = Buffer.alloc(12);
    nonce.writeUInt32BE(number, 4);
    nonce.writeUInt32BE(Number(isLast), 8);
    yield { chunk, nonce };
    if (isLast) return;
    chunk = next;
  }
}

/** Reads a given number of bytes at a time. */
class ByteReader {
  readonly #source: AsyncIterator<Uint8Array>;
  #kept: Buffer[] = [];
  #length = 0;

  constructor(source: AsyncIterable<Uint8Array>) {
    this.#source = source[Symbol.asyncIterator]();
  }

  /** Resolves to fewer bytes only at the end. */
  async take(size: number): Promise<Buffer> {
    while (this.#length < size) {
      const { value, done } = await this.#source.next();
      if (done === true) break;
      this.#kept.push(Buffer.from(value.buffer, value.byteOffset, value.byteLength));
      this.#length += value.byteLength;
    }
    const all = this.#kept.length === 1 ? (this.#kept[0] ?? Buffer.alloc(0)) : Buffer.concat(this.#kept);
    const rest = all.subarray(size);
    this.#kept = rest.length > 0 ? [rest] : [];
    this.#length = rest.length;
    return all.subarray(0, size);
  }

  async *rest(): AsyncGenerator<Uint8Array> {
    yield* this.#kept;
    for (;;) {
      const { value, done } = await this.#source.next();
      if (done === true) return;
      yield value;
    }
  }
}
