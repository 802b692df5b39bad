import { isIP, Socket } from 'node:net';
import { connect as startTls } from 'node:tls';
import type { PostgresHost, TlsChoice } from './address.ts';
import { describeFailure, TLS_REFUSED } from './errors.ts';

const SSL_REQUEST = Buffer.from([0, 0, 0, 8, 0x04, 0xd2, 0x16, 0x2f]);
const YES = 'S';
const NO = 'N';

/**
 * The driver's own sockets would reconnect forever to a server that closes new connections, and would start
 * TLS with a server that does not support it.
 */
export async function openSocket(
  host: PostgresHost,
  tls: TlsChoice | null,
  timeoutMs: number,
): Promise<Socket> {
  const isDirectory = host.host.startsWith('/');
  // The end of a COPY is a small packet, which would otherwise wait 40 ms for an acknowledgment.
  const socket = new Socket().setNoDelay();
  const timer = setTimeout(() => socket.destroy(failure('ETIMEDOUT', 'it does not respond')), timeoutMs);
  try {
    const connected = eventOf(socket, 'connect');
    socket.connect(isDirectory ? { path: `${host.host}/.s.PGSQL.${host.port}` } : { ...host });
    await connected;
    const secured = tls !== null && !isDirectory && (await offersTls(socket, tls));
    return failingWhenClosed(secured ? await encrypt(socket, tls, host) : socket);
  } catch (error) {
    socket.destroy();
    throw error;
  } finally {
    clearTimeout(timer);
  }
}

async function offersTls(socket: Socket, { optional }: TlsChoice): Promise<boolean> {
  const responded = eventOf<Buffer>(socket, 'data');
  socket.write(SSL_REQUEST);
  const response = (await responded).toString('latin1');
  if (response === YES) return true;
  if (response !== NO) throw failure('EPROTO', 'it does not respond like PostgreSQL');
  if (optional) return false;
  throw failure(TLS_REFUSED, 'it does not support TLS, which the sslmode in DATABASE_URL requires');
}

async function encrypt(socket: Socket, { options }: TlsChoice, { host }: PostgresHost): Promise<Socket> {
  const name = isIP(host) === 0 ? { servername: host } : { host };
  const secure = startTls({ ...options, ...name, socket });
  try {
    await eventOf(secure, 'secureConnect');
    return secure;
  } catch (error) {
    if (!secure.authorizationError) throw error;
    throw failure(TLS_REFUSED, `its certificate is not accepted: ${describeFailure(error)}`);
  }
}

/** Makes a close by the server an error: the driver reports only errors to callers that wait to connect. */
function failingWhenClosed(socket: Socket): Socket {
  socket.once('end', () => {
    if (!socket.writableEnded) socket.destroy(failure('ECONNRESET', 'the server closed the connection'));
  });
  return socket;
}

/** Resolves to the first value of an event. @throws if the socket fails or is closed before that */
async function eventOf<T>(socket: Socket, event: string): Promise<T> {
  const { promise, resolve, reject } = Promise.withResolvers<T>();
  const onClose = (): void => reject(failure('ECONNRESET', 'it closes new connections'));
  socket.on(event, resolve).on('error', reject).on('close', onClose);
  try {
    return await promise;
  } finally {
    socket.off(event, resolve).off('error', reject).off('close', onClose);
  }
}

function failure(code: string, message: string): Error {
  return Object.assign(new Error(message), { code });
}
