import { createPrivateKey, createPublicKey, generateKeyPairSync } from 'node:crypto';
import { isIP } from 'node:net';
import { hostname } from 'node:os';

const LIFETIME_MS = 825 * 24 * 60 * 60 * 1000;
const CURVE = 'prime256v1';

/** In PEM. */
export function createKey(): string {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: CURVE });
  return privateKey.export({ type: 'pkcs8', format: 'pem' });
}

export function isCertificateKey(key: Buffer | undefined): key is Buffer {
  try {
    return key !== undefined && createPrivateKey(key).asymmetricKeyDetails?.namedCurve === CURVE;
  } catch {
    return false;
  }
}

/** Creates a certificate in PEM for `localhost`, this machine's name and `host`, valid for 825 days. */
export async function createCertificate(key: Buffer, host: string, now: number): Promise<string> {
  // Loaded on demand, because loading it takes longer than the rest of startup.
  const { generate } = await import('selfsigned');
  const names = [...new Set(['localhost', hostname(), ...(isIP(host) ? [] : [host])])];
  const addresses = [...new Set(['127.0.0.1', '::1', ...(isIP(host) ? [host] : [])])];
  const { cert } = await generate([{ name: 'commonName', value: 'Tradepost self-signed' }], {
    keyPair: {
      privateKey: key.toString(),
      publicKey: createPublicKey(key).export({ type: 'spki', format: 'pem' }),
    },
    keyType: 'ec',
    curve: 'P-256',
    algorithm: 'sha256',
    notBeforeDate: new Date(now),
    notAfterDate: new Date(now + LIFETIME_MS),
    extensions: [
      { name: 'basicConstraints', cA: false },
      { name: 'keyUsage', digitalSignature: true },
      { name: 'extKeyUsage', serverAuth: true },
      {
        name: 'subjectAltName',
        altNames: [
          ...names.map((value) => ({ type: 2 as const, value })),
          ...addresses.map((ip) => ({ type: 7 as const, ip })),
        ],
      },
    ],
  });
  return cert;
}
