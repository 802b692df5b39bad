import { once } from 'node:events';
import { connect, type PeerCertificate } from 'node:tls';
import { generate } from 'selfsigned';

/** For 127.0.0.1, both PEM. */
export interface CertificatePair {
  cert: string;
  key: string;
}

/** Self-signed, valid for `days` from an hour ago. */
export async function createCertificate(
  name: string,
  { days = 30, ...key }: { days?: number; keyType?: 'rsa' | 'ec'; keySize?: number } = {},
): Promise<CertificatePair> {
  const hourAgo = Date.now() - 60 * 60 * 1000;
  const pair = await generate([{ name: 'commonName', value: name }], {
    keyType: 'ec',
    curve: 'P-256',
    algorithm: 'sha256',
    notBeforeDate: new Date(hourAgo),
    notAfterDate: new Date(hourAgo + days * 24 * 60 * 60 * 1000),
    extensions: [
      {
        name: 'subjectAltName',
        altNames: [
          { type: 2, value: name },
          { type: 7, ip: '127.0.0.1' },
        ],
      },
    ],
    ...key,
  });
  return { cert: pair.cert, key: pair.private };
}

export async function servedCertificate(origin: URL): Promise<PeerCertificate> {
  const socket = connect({ host: origin.hostname, port: Number(origin.port), rejectUnauthorized: false });
  try {
    await once(socket, 'secureConnect');
    return socket.getPeerCertificate();
  } finally {
    socket.destroy();
  }
}

export async function servedCommonName(origin: URL): Promise<string> {
  return String((await servedCertificate(origin)).subject.CN);
}
