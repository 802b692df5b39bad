import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { appendFile, copyFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { Encryption } from '../../src/encryption/encryption.ts';
import { KeyFileUnusable } from '../../src/encryption/key-file.ts';
import { type Owner, temporaryDirectory } from '../support/process.ts';
import { fc } from '../support/seed.ts';

const ROW = 'webhook we_1 of 12';
const VALUE = /^enc:([0-9a-f]{8}):([\w-]+)$/;
const newLine = (id: string): string => `${id} ${randomBytes(32).toString('base64url')}\n`;

async function newEncryption(t: Owner) {
  const file = join(await temporaryDirectory(t), 'encryption.keys');
  const lines: string[] = [];
  const open = (): Encryption => new Encryption({ file, onCreated: (line) => lines.push(line) });
  const encryption = open();
  await encryption.createKeys();
  return { file, encryption, open, lines };
}

async function encryptInParts(encryption: Encryption, text: string) {
  const value = await encryption.encrypt(text, ROW);
  const [, id = '', encoded = ''] = VALUE.exec(value) ?? assert.fail('not a value');
  const join = (bytes: Uint8Array, keyId = id): string =>
    `enc:${keyId}:${Buffer.from(bytes).toString('base64url')}`;
  return { value, id, bytes: Buffer.from(encoded, 'base64url'), join };
}

describe('an encrypted value', () => {
  it('is decrypted to its text, by other processes too, and differs each time', async (t) => {
    const { encryption, open } = await newEncryption(t);
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: 'grapheme' }), fc.string(), async (text, row) => {
        const [one, other] = [await encryption.encrypt(text, row), await encryption.encrypt(text, row)];
        assert.notEqual(one, other);
        for (const value of [one, other]) assert.equal(await open().decrypt(value, row), text);
      }),
      { numRuns: 30 },
    );
  });

  it('has a nonce of 12 bytes, the ciphertext, and a tag of 16 bytes; a change of any byte is refused', async (t) => {
    const { encryption } = await newEncryption(t);
    const { bytes, join } = await encryptInParts(encryption, 'secret');
    assert.equal(bytes.length, 12 + 'secret'.length + 16);
    assert.ok(!bytes.includes('secret'));
    for (let index = 0; index < bytes.length; index += 1) {
      const changed = bytes.map((byte, at) => (at === index ? byte ^ 1 : byte));
      await assert.rejects(encryption.decrypt(join(changed), ROW), /webhook we_1 of 12 was changed/);
    }
    for (let length = 0; length < bytes.length; length += 1)
      await assert.rejects(encryption.decrypt(join(bytes.subarray(0, length)), ROW), /was changed/);
  });

  it('is refused in another row', async (t) => {
    const { encryption } = await newEncryption(t);
    const value = await encryption.encrypt('secret', ROW);
    await assert.rejects(encryption.decrypt(value, 'webhook we_1 of 13'), /belongs to another row/);
  });

  it('is refused with the ID of another key of the file, or with an ID that the file does not have', async (t) => {
    const { file, encryption } = await newEncryption(t);
    const { bytes, join } = await encryptInParts(encryption, 'secret');
    await appendFile(file, newLine('0000000a'));
    await assert.rejects(encryption.decrypt(join(bytes, '0000000a'), ROW), /was changed/);
    await assert.rejects(encryption.decrypt(join(bytes, '0000000b'), ROW), (error) => {
      assert.ok(error instanceof KeyFileUnusable);
      assert.match(error.message, /encryption\.keys does not have the key 0000000b, which encrypts values/);
      return true;
    });
  });

  for (const value of [
    '',
    'secret',
    'enc:',
    'enc:12:AA',
    'enc:0000000A:AA',
    'enc:0000000a:+/=',
    'enc:0000000a',
  ])
    it(`is never ${JSON.stringify(value)}`, async (t) => {
      const { encryption } = await newEncryption(t);
      await assert.rejects(encryption.decrypt(value, ROW), /was changed/);
    });
});

describe('the keys', () => {
  it('are read again once for a value of a newer key; the newest key encrypts, and every key decrypts', async (t) => {
    const { file, encryption, open } = await newEncryption(t);
    const former = await encryptInParts(encryption, 'former');
    await appendFile(file, newLine('0000000a'));
    const newer = await encryptInParts(open(), 'newer');
    assert.equal(newer.id, '0000000a');
    assert.equal(await encryption.decrypt(newer.value, ROW), 'newer');
    assert.equal(await encryption.decrypt(former.value, ROW), 'former');
    assert.equal((await encryptInParts(encryption, 'again')).id, '0000000a');
    await encryption.requireKeys([former.id, newer.id]);
    await assert.rejects(encryption.requireKeys([former.id, '0000000b']), KeyFileUnusable);
  });

  it('are created once, with a line for the operator', async (t) => {
    const { file, encryption, open, lines } = await newEncryption(t);
    const { value } = await encryptInParts(encryption, 'secret');
    assert.equal(lines.length, 1);
    assert.match(lines[0] ?? '', /^Created the key file .*encryption\.keys\. Backups .* do not contain it/);
    assert.equal(await open().hasKeys(), true);
    await open().createKeys();
    assert.equal(await open().decrypt(value, ROW), 'secret');
    await copyFile(file, `${file}.kept`);
    await rm(file);
    assert.equal(await open().hasKeys(), false);
    await assert.rejects(open().decrypt(value, ROW), /does not exist, but the key [0-9a-f]{8} encrypts/);
    await assert.rejects(open().encrypt('secret', ROW), /does not exist/);
    await copyFile(`${file}.kept`, file);
    assert.equal(await open().decrypt(value, ROW), 'secret');
  });
});
