import { createPublicKey, type KeyObject } from 'node:crypto';

const KEY = { name: 'ECDSA', namedCurve: 'P-256' } as const;
export const SIGNATURE = { name: 'ECDSA', hash: 'SHA-256' } as const;

/** The key of `newPrivateKey` as the library for certificates takes it. */
export function keyPairOf(key: KeyObject) {
  return {
    privateKey: key.toCryptoKey(KEY, true, ['sign']),
    publicKey: createPublicKey(key).toCryptoKey(KEY, true, ['verify']),
  };
}

/** Creates a certificate request for these hosts, in DER. */
export async function createRequest(hosts: readonly string[], key: KeyObject): Promise<Buffer> {
  // Loaded on demand, because it is needed once in two months.
  const { Pkcs10CertificateRequestGenerator, SubjectAlternativeNameExtension } = await import(
    '@peculiar/x509'
  );
  const request = await Pkcs10CertificateRequestGenerator.create({
    keys: keyPairOf(key),
    signingAlgorithm: SIGNATURE,
    extensions: [new SubjectAlternativeNameExtension(hosts.map((value) => ({ type: 'dns', value })))],
  });
  return Buffer.from(request.rawData);
}
