import { once } from 'node:events';
import { connect, type PeerCertificate } from 'node:tls';
import { generate } from 'selfsigned';

/** A certificate for 127.0.0.1 and its key, both PEM. */
export interface Pair {
  cert: string;
  key: string;
}

/** Makes a self-signed pair, good from an hour ago for so many days. */
export async function makePair(
  name: string,
  { days = 30, ...key }: { days?: number; keyType?: 'rsa' | 'ec'; keySize?: number } = {},
): Promise<Pair> {
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

/** The certificate that a new connection is greeted with. */
export async function servedCertificate(origin: URL): Promise<PeerCertificate> {
  const socket = connect({ host: origin.hostname, port: Number(origin.port), rejectUnauthorized: false });
  try {
    await once(socket, 'secureConnect');
    return socket.getPeerCertificate();
  } finally {
    socket.destroy();
  }
}

/** Its common name. */
export async function servedName(origin: URL): Promise<string> {
  return String((await servedCertificate(origin)).subject.CN);
}
