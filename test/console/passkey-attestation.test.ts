import assert from 'node:assert/strict';
import { createHash, generateKeyPairSync, type KeyObject } from 'node:crypto';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { describe, it, type TestContext } from 'node:test';
import { CRLDistributionPointsExtension, Extension, X509CertificateGenerator } from '@peculiar/x509';
import { keyPairOf, SIGNATURE } from '../../src/acme/create-request.ts';
import type { NewPasskeyRequest } from '../../src/console/console-api.ts';
import { Authenticator, cborArray, cborBytes } from '../support/authenticator.ts';
import type { ClientResponse } from '../support/client.ts';
import { type ConsoleClient, signedIn } from '../support/console.ts';
import { sqlite } from '../support/engines.ts';
import { newPasskeyRequest, ORIGIN, passkeysOf } from '../support/passkeys.ts';
import { useService } from '../support/service.ts';

const ES256 = Buffer.from([0x26]);
const ANDROID_KEY = '1.3.6.1.4.1.11129.2.1.17';
const REFUSAL = 'This passkey can’t be used here. Try another one.';

/** CBOR of a passkey's certificates, such as Android has, which name a revocation list. */
async function androidCertificates(key: KeyObject, hash: Buffer, revocationList: string): Promise<Buffer> {
  const root = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey;
  const { publicKey } = keyPairOf(root);
  // The levels and versions, the challenge, an empty ID, and two empty lists of authorizations.
  const description = `30340201030a01010201040a01010420${hash.toString('hex')}040030003000`;
  const common = {
    signingAlgorithm: SIGNATURE,
    signingKey: keyPairOf(root).privateKey,
    issuer: 'CN=Root',
    notBefore: new Date(Date.now() - 60_000),
    notAfter: new Date(Date.now() + 3_600_000),
  };
  const leaf = await X509CertificateGenerator.create({
    ...common,
    subject: 'CN=Leaf',
    publicKey: key.toCryptoKey({ name: 'ECDSA', namedCurve: 'P-256' }, true, ['verify']),
    extensions: [
      new Extension(ANDROID_KEY, false, Buffer.from(description, 'hex')),
      new CRLDistributionPointsExtension([revocationList]),
    ],
  });
  const own = await X509CertificateGenerator.create({ ...common, subject: 'CN=Root', publicKey });
  return cborArray([leaf, own].map(({ rawData }) => cborBytes(Buffer.from(rawData))));
}

/** A server that closes every connection, and counts them. */
async function countConnections(t: TestContext): Promise<{ url: string; count: () => number }> {
  let connections = 0;
  const server = createServer((socket) => {
    connections += 1;
    socket.destroy();
  });
  t.after(() => server.close());
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}/list`, count: () => connections };
}

describe('the attestation of a new passkey', () => {
  const service = useService(sqlite, { environment: { PUBLIC_URL: ORIGIN } });

  const begin = async (): Promise<{ client: ConsoleClient; request: NewPasskeyRequest }> => {
    service().passTime(61_000);
    const client = await signedIn(service(), await service().newMerchant());
    return { client, request: await newPasskeyRequest(client) };
  };
  const add = (client: ConsoleClient, created: object): Promise<ClientResponse> =>
    client.post('/auth/passkeys', { ...created, name: 'Laptop' });
  const isRefused = async (client: ConsoleClient, created: object): Promise<void> => {
    const response = await add(client, created);
    assert.deepEqual([response.status, response.message], [400, REFUSAL]);
    assert.deepEqual(await passkeysOf(client), []);
  };

  it('is refused with certificates, without a connection to the addresses that they name', async (t) => {
    const list = await countConnections(t);
    for (const format of ['android-key', 'packed', 'fido-u2f', 'apple', 'tpm']) {
      const { client, request } = await begin();
      const authenticator = new Authenticator();
      const { response } = authenticator.create(request, { origin: ORIGIN });
      const hash = createHash('sha256').update(Buffer.from(response.clientDataJSON, 'base64url')).digest();
      const x5c = await androidCertificates(authenticator.publicKey, hash, list.url);
      const statement = (signed: Buffer) => ({
        alg: ES256,
        sig: cborBytes(authenticator.sign(signed)),
        x5c,
      });
      const attestation = { format, statement };
      await isRefused(client, authenticator.create(request, { origin: ORIGIN, attestation }));
      assert.equal(list.count(), 0, format);
    }
  });

  it('can be by the passkey itself, with its own signature only', async () => {
    for (const isRight of [true, false]) {
      const { client, request } = await begin();
      const authenticator = new Authenticator();
      const signer = isRight ? authenticator : new Authenticator();
      const statement = (signed: Buffer) => ({ alg: ES256, sig: cborBytes(signer.sign(signed)) });
      const attestation = { format: 'packed', statement };
      const created = authenticator.create(request, { origin: ORIGIN, attestation });
      if (isRight) assert.equal((await add(client, created)).status, 200);
      else await isRefused(client, created);
    }
  });

  it('is refused if it cannot be read', async () => {
    for (const attestationObject of ['A', 'oA', 'YQ', Buffer.alloc(900, 0x81).toString('base64url')]) {
      const { client, request } = await begin();
      const created = new Authenticator().create(request, { origin: ORIGIN });
      await isRefused(client, { ...created, response: { ...created.response, attestationObject } });
    }
  });

  it('names the passkey as the browser does, so that its ID is not too long', async () => {
    for (const signedId of [Buffer.alloc(32, 1), Buffer.alloc(12_000, 1)]) {
      const { client, request } = await begin();
      await isRefused(client, new Authenticator().create(request, { origin: ORIGIN, signedId }));
    }
  });
});
