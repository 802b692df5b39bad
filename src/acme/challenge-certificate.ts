import { newPrivateKey, toPem } from './account-key.ts';
import { keyPairOf, SIGNATURE } from './create-request.ts';

/** A certificate, with its chain if it has one, and its private key. Both PEM. */
export interface KeyAndCertificate {
  cert: string;
  key: string;
}

/** The extension that has the answer to a challenge (RFC 8737). */
const ANSWER = '1.3.6.1.5.5.7.1.31';
const OCTET_STRING_OF_32 = '0420';
const DAY_MS = 24 * 60 * 60 * 1000;

/** Creates the certificate that answers a challenge. `digest` is 64 hexadecimal digits. */
export async function createChallengeCertificate(
  host: string,
  digest: string,
  now: number,
): Promise<KeyAndCertificate> {
  const { Extension, SubjectAlternativeNameExtension, X509CertificateGenerator } = await import(
    '@peculiar/x509'
  );
  const key = newPrivateKey();
  const certificate = await X509CertificateGenerator.createSelfSigned({
    name: 'CN=Tradepost challenge',
    keys: keyPairOf(key),
    signingAlgorithm: SIGNATURE,
    notBefore: new Date(now - DAY_MS),
    notAfter: new Date(now + DAY_MS),
    extensions: [
      new SubjectAlternativeNameExtension([{ type: 'dns', value: host }]),
      new Extension(ANSWER, true, Buffer.from(`${OCTET_STRING_OF_32}${digest}`, 'hex')),
    ],
  });
  return { cert: certificate.toString('pem'), key: toPem(key) };
}
