import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { it } from 'node:test';
import fc from 'fast-check';
import { decryptBackup, encryptBackup } from '../../src/backups/encrypt-backup.ts';
import { BackupDamaged } from '../../src/backups/errors.ts';
import { runs } from '../support/thorough.ts';

const SECRET = 'a secret for these tests';
const CHUNK = 64 * 1024;
const HEADER = 51;

async function* split(bytes: Buffer, sizes: readonly number[]): AsyncGenerator<Buffer> {
  for (let start = 0, index = 0; start < bytes.length; index += 1) {
    const size = sizes.length === 0 ? bytes.length : (sizes[index % sizes.length] ?? 1);
    yield bytes.subarray(start, start + size);
    start += size;
  }
}

async function collect(source: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of source) chunks.push(chunk);
  return Buffer.concat(chunks);
}

const encrypt = (bytes: Buffer, sizes: readonly number[] = []): Promise<Buffer> =>
  collect(encryptBackup(split(bytes, sizes), SECRET));
const decrypt = (bytes: Buffer, sizes: readonly number[] = [], secret = SECRET): Promise<Buffer> =>
  collect(decryptBackup(split(bytes, sizes), secret));

it('what was encrypted comes back, however the bytes arrive', async () => {
  const sizes = fc.array(fc.integer({ min: 1, max: 3 * CHUNK }), { maxLength: 5 });
  const corners = [0, 1, CHUNK - 1, CHUNK, CHUNK + 1, 2 * CHUNK];
  const length = fc.integer({ min: 0, max: 5 * CHUNK });
  await fc.assert(
    fc.asyncProperty(length, sizes, sizes, async (bytes, written, read) => {
      const plain = randomBytes(bytes);
      const encrypted = await encrypt(plain, written);
      assert.equal(encrypted.length, HEADER + bytes + 16 * Math.max(1, Math.ceil(bytes / CHUNK)));
      assert.ok(plain.equals(await decrypt(encrypted, read)));
      assert.ok(bytes < 16 || !encrypted.includes(plain.subarray(0, 16)));
    }),
    {
      numRuns: corners.length + runs(12),
      examples: corners.map((bytes): [number, number[], number[]] => [bytes, [1000], [70_001, 1]]),
    },
  );
});

it('a changed byte, a missing or moved chunk, and a cut are noticed', async () => {
  const plain = randomBytes(3 * CHUNK);
  const encrypted = await encrypt(plain);
  const step = CHUNK + 16;
  const chunk = (index: number): Buffer =>
    encrypted.subarray(HEADER + index * step, HEADER + (index + 1) * step);
  const header = encrypted.subarray(0, HEADER);
  const broken = [
    Buffer.alloc(0),
    header,
    encrypted.subarray(0, HEADER - 1),
    encrypted.subarray(0, HEADER + step),
    encrypted.subarray(0, HEADER + 2 * step),
    encrypted.subarray(0, -1),
    encrypted.subarray(0, HEADER + 2 * step + 3),
    Buffer.concat([encrypted, Buffer.from([0])]),
    Buffer.concat([encrypted, chunk(2)]),
    Buffer.concat([header, chunk(1), chunk(0), chunk(2)]),
    Buffer.concat([header, chunk(0), chunk(2)]),
    Buffer.concat([header, chunk(2)]),
    ...[0, 20, 40, HEADER, HEADER + step - 1, HEADER + step, encrypted.length - 1].map((position) => {
      const changed = Buffer.from(encrypted);
      changed[position] = (changed[position] ?? 0) ^ 1;
      return changed;
    }),
  ];
  for (const [index, bytes] of broken.entries())
    await assert.rejects(decrypt(bytes), BackupDamaged, `case ${index}`);
});

it('another key is told from a damaged backup', async () => {
  const encrypted = await encrypt(randomBytes(10));
  await assert.rejects(decrypt(encrypted, [], `${SECRET}.`), /BACKUP_KEY is not the key/);
  await assert.rejects(decrypt(randomBytes(200)), /not an encrypted backup/);
});

it('the same database is never encrypted to the same bytes', async () => {
  const plain = randomBytes(100);
  const [one, other] = [await encrypt(plain), await encrypt(plain)];
  assert.ok(!one.subarray(HEADER).equals(other.subarray(HEADER)));
});
