import { once } from 'node:events';
import { connect } from 'node:tls';

const PREFACE = Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n');
const TYPES = { data: 0, headers: 1, settings: 4 };
const END_STREAM = 1;
const END_HEADERS = 4;
/** The proxy responds sooner, or waits for more of the request. */
const RESPONSE_MS = 300;

export type RawHeader = [name: string, value: string];

/** Sends one request over HTTP/2 with its headers unchanged, even those that no client would send. */
export async function sendHttp2(
  { origin, ca }: { origin: string; ca: string },
  headers: readonly RawHeader[],
  body = '',
): Promise<void> {
  const { hostname: host, port } = new URL(origin);
  const socket = connect({ host, port: Number(port), ca, ALPNProtocols: ['h2'] });
  socket.on('error', () => {});
  socket.resume();
  socket.once('secureConnect', () => {
    const block = Buffer.concat(headers.map(encodeHeader));
    const flags = END_HEADERS | (body === '' ? END_STREAM : 0);
    socket.write(
      Buffer.concat([PREFACE, frame(TYPES.settings, 0, 0), frame(TYPES.headers, flags, 1, block)]),
    );
    if (body !== '') socket.write(frame(TYPES.data, END_STREAM, 1, Buffer.from(body, 'latin1')));
    setTimeout(() => socket.destroy(), RESPONSE_MS);
  });
  await once(socket, 'close');
}

/** Neither indexed nor compressed (RFC 7541, 6.2.2). */
function encodeHeader([name, value]: RawHeader): Buffer {
  return Buffer.concat([Buffer.from([0]), encodeText(name), encodeText(value)]);
}

function encodeText(text: string): Buffer {
  const bytes = Buffer.from(text, 'latin1');
  if (bytes.length < 127) return Buffer.concat([Buffer.from([bytes.length]), bytes]);
  const prefix = [127];
  let rest = bytes.length - 127;
  for (; rest >= 128; rest >>= 7) prefix.push(128 | (rest & 127));
  return Buffer.concat([Buffer.from([...prefix, rest]), bytes]);
}

function frame(type: number, flags: number, stream: number, payload = Buffer.alloc(0)): Buffer {
  const head = Buffer.alloc(9);
  head.writeUIntBE(payload.length, 0, 3);
  head.writeUInt8(type, 3);
  head.writeUInt8(flags, 4);
  head.writeUInt32BE(stream, 5);
  return Buffer.concat([head, payload]);
}
