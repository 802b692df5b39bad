import { connect } from 'node:net';
import type { Random } from '../../../src/demo/random.ts';
import { IDLE_MS } from './connection.ts';
import { corrupted } from './post-data.ts';
import type { RequestGenerator } from './requests.ts';

/** Parsers see their boundaries differently. */
const AMBIGUOUS_REQUESTS = [
  'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\nGET / HTTP/1.1\r\n\r\n',
  'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\nabcdef',
  'POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked, identity\r\n\r\n0\r\n\r\n',
  'POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\nfffffffffffffffff\r\n',
  'POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n-1\r\n\r\n',
  'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: -1\r\n\r\n',
  'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 99999999999999999999\r\n\r\n',
  'POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding : chunked\r\n\r\n0\r\n\r\n',
  'GET / HTTP/1.1\r\nHost: a\r\n folded: b\r\n\r\n',
  'GET / HTTP/1.1\nHost: a\n\n',
  'GET / HTTP/1.1\rHost: a\r\r',
  'GET /\r\n',
  'GET  /  HTTP/1.1\r\n\r\n',
  'GET / HTTP/1.1\r\n: a\r\n\r\n',
  'GET / HTTP/1.1\r\na\r\n\r\n',
  'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
  'CONNECT a:443 HTTP/1.1\r\nHost: a\r\n\r\n',
  'FOO / HTTP/1.1\r\nHost: a\r\n\r\n',
  'GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\nUpgrade: h2c\r\nConnection: Upgrade, HTTP2-Settings\r\nHTTP2-Settings: \r\n\r\n',
  '\r\n\r\n\r\nGET / HTTP/1.1\r\nHost: a\r\n\r\n',
  '\0'.repeat(100),
  'A'.repeat(20_000),
] as const;
/** The beginning of a ClientHello. */
const RECORD = Buffer.from('16030100f8010000f40303', 'hex');

/** For TLS: a corrupted request, an ambiguous one, or random bytes. */
export function rawBytes(number: number, requests: RequestGenerator): Buffer {
  const random = requests.random(number);
  const kind = random.next();
  if (kind < 0.6) return corrupted(requests.make(number).bytes, random);
  const ambiguous = Buffer.from(random.pick([...AMBIGUOUS_REQUESTS]), 'latin1');
  if (kind < 0.75) return ambiguous;
  if (kind < 0.9) return corrupted(ambiguous, random);
  return anyBytes(random);
}

/** Without TLS: a broken handshake, a broken request, or random bytes. */
export function plainBytes(number: number, requests: RequestGenerator): Buffer {
  const random = requests.random(number);
  if (random.chance(0.5))
    return Buffer.concat([RECORD.subarray(0, random.whole(1, RECORD.length)), anyBytes(random)]);
  return rawBytes(number, requests);
}

function anyBytes(random: Random): Buffer {
  return Buffer.from(Array.from({ length: random.whole(1, 2_000) }, () => random.whole(0, 255)));
}

/** Like `sendRaw`, without TLS. */
export async function sendPlain({ port }: { port: number }, bytes: Buffer): Promise<string> {
  const { promise, resolve } = Promise.withResolvers<string>();
  const chunks: Buffer[] = [];
  const socket = connect({ host: '127.0.0.1', port }, () => socket.end(bytes));
  socket.setTimeout(IDLE_MS, () => socket.destroy());
  socket.on('data', (chunk: Buffer) => chunks.push(chunk));
  socket.on('error', () => {});
  socket.on('close', () => resolve(Buffer.concat(chunks).toString('latin1')));
  return await promise;
}
