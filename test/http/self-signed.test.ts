import assert from 'node:assert/strict';
import { readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { it, type TestContext } from 'node:test';
import { createSecureContext } from 'node:tls';
import { type Config, parseConfig } from '../../src/config.ts';
import { selfSignedCertificate, type TlsMaterial } from '../../src/http/tls/self-signed.ts';
import { createCertificate } from '../support/certificates.ts';
import { temporaryDirectory } from '../support/process.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
const now = Date.now();

async function emptyDirectory(t: TestContext): Promise<{ config: Config; cert: string; key: string }> {
  const directory = await temporaryDirectory(t);
  const [cert, key] = [join(directory, 'tls-cert.pem'), join(directory, 'tls-key.pem')];
  return { config: parseConfig({ DATA_DIR: directory }), cert, key };
}

const texts = ({ cert, key }: TlsMaterial): string[] => [String(cert), String(key)];
const stored = async (...files: string[]): Promise<string[]> =>
  await Promise.all(files.map((file) => readFile(file, 'utf8')));

it('when several create it at once, all get the one pair that is stored, readable by its owner only', async (t) => {
  const { config, cert, key } = await emptyDirectory(t);
  const pairs = await Promise.all(Array.from({ length: 8 }, () => selfSignedCertificate(config, now)));
  for (const pair of pairs) assert.deepEqual(texts(pair), await stored(cert, key));
  assert.deepEqual((await readdir(config.dataDirectory)).sort(), ['tls-cert.pem', 'tls-key.pem']);
  for (const file of [cert, key]) assert.equal((await stat(file)).mode & 0o777, 0o600);
});

it('the pair that an earlier version stored stays as it is, and a later certificate keeps its key', async (t) => {
  const { config, cert, key } = await emptyDirectory(t);
  const earlier = await createCertificate('earlier', { days: 100 });
  await writeFile(cert, earlier.cert);
  await writeFile(key, earlier.key);
  assert.deepEqual(texts(await selfSignedCertificate(config, now)), [earlier.cert, earlier.key]);
  assert.deepEqual(await stored(cert, key), [earlier.cert, earlier.key]);
  const renewed = await selfSignedCertificate(config, now + 71 * DAY_MS);
  assert.notEqual(String(renewed.cert), earlier.cert);
  assert.equal(String(renewed.key), earlier.key);
});

it('when several renew it at once, the stored certificate matches the key', async (t) => {
  const { config, cert, key } = await emptyDirectory(t);
  await selfSignedCertificate(config, now);
  const later = now + 800 * DAY_MS;
  const pairs = await Promise.all(Array.from({ length: 8 }, () => selfSignedCertificate(config, later)));
  for (const pair of pairs) createSecureContext(pair);
  const [storedCert, storedKey] = await stored(cert, key);
  assert.deepEqual(texts(await selfSignedCertificate(config, later)), [storedCert, storedKey]);
});

it('a pair that cannot be used is replaced', async (t) => {
  const { config, cert, key } = await emptyDirectory(t);
  const breaks = [
    () => rm(cert),
    () => rm(key),
    () => writeFile(cert, 'damaged'),
    () => writeFile(key, 'damaged'),
    async () => writeFile(key, (await createCertificate('other')).key),
    async () => writeFile(key, (await createCertificate('RSA', { keyType: 'rsa', keySize: 2048 })).key),
  ];
  for (const breakIt of breaks) {
    await selfSignedCertificate(config, now);
    await breakIt();
    const pair = await selfSignedCertificate(config, now);
    createSecureContext(pair);
    assert.deepEqual(texts(pair), await stored(cert, key));
  }
});
