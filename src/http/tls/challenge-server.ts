import type { Socket } from 'node:net';
import { createSecureContext, createServer } from 'node:tls';
import type { TlsMaterial } from './self-signed.ts';

/** Resolves to the certificate that answers a challenge for a host; null if there is none. */
export type FindAnswer = (host: string) => Promise<TlsMaterial | null>;

const PROTOCOL = 'acme-tls/1';
const RECORD_HEADER_BYTES = 5;
const MAX_RECORD_BYTES = 1 << 14;
/** An extension of a ClientHello that offers this protocol alone, as RFC 8737 requires. */
const OFFER = Buffer.concat([
  Buffer.from([0, 16, 0, PROTOCOL.length + 3, 0, PROTOCOL.length + 1, PROTOCOL.length]),
  Buffer.from(PROTOCOL),
]);

/** Whether the first record of a TLS connection is complete, or longer than TLS allows. */
export function isWholeRecord(start: Buffer): boolean {
  if (start.length < RECORD_HEADER_BYTES) return false;
  const length = start.readUInt16BE(RECORD_HEADER_BYTES - 2);
  return length > MAX_RECORD_BYTES || start.length >= RECORD_HEADER_BYTES + length;
}

/** Whether a TLS connection is the check of a certificate authority, by its first record. */
export function isChallenge(start: Buffer): boolean {
  return start.includes(OFFER);
}

/**
 * Returns a function that does the handshake of a connection that `isChallenge`, and then ends it. The
 * certificate is looked up in the handshake. Nothing else can be done with such a connection.
 */
export function answerChallenges(findAnswer: FindAnswer): (socket: Socket) => void {
  const server = createServer({
    ALPNProtocols: [PROTOCOL],
    minVersion: 'TLSv1.2',
    SNICallback: (host, done) => {
      findAnswer(host).then(
        (answer) => {
          if (answer === null) done(new Error('no challenge for this host'));
          else done(null, createSecureContext({ ...answer, minVersion: 'TLSv1.2' }));
        },
        (error) => done(error),
      );
    },
  });
  server.on('secureConnection', (secured) => secured.end());
  server.on('tlsClientError', (_error, secured) => secured.destroy());
  return (socket) => {
    server.emit('connection', socket);
  };
}
