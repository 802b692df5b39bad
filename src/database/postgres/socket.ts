import { isIP, Socket } from 'node:net';
import { connect as startTls } from 'node:tls';
import type { PostgresHost, TlsChoice } from './address.ts';
import { messageOf, TLS_REFUSED } from './errors.ts';

/** What a client sends that would like TLS, and the server's answers. */
const SSL_REQUEST = Buffer.from([0, 0, 0, 8, 0x04, 0xd2, 0x16, 0x2f]);
const YES = 'S';
const NO = 'N';

/**
 * Connects to one host, with TLS where there is a choice of it. Left to itself, the driver would connect
 * again without end where a server closes what it just took, and speak TLS to one that has none.
 */
export async function openSocket(
  host: PostgresHost,
  tls: TlsChoice | null,
  timeoutMs: number,
): Promise<Socket> {
  const isDirectory = host.host.startsWith('/');
  // Sends at once: the end of a COPY is a small packet, which would otherwise wait for the server to
  // acknowledge what went before it, 40 ms each time.
  const socket = new Socket().setNoDelay();
  const timer = setTimeout(() => socket.destroy(failure('ETIMEDOUT', 'it does not answer')), timeoutMs);
  try {
    const connected = happens(socket, 'connect');
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
  const answered = happens<Buffer>(socket, 'data');
  socket.write(SSL_REQUEST);
  const answer = (await answered).toString('latin1');
  if (answer === YES) return true;
  if (answer !== NO) throw failure('EPROTO', 'it does not answer as PostgreSQL does');
  if (optional) return false;
  throw failure(TLS_REFUSED, 'it has no TLS, which the sslmode in DATABASE_URL asks for');
}

async function encrypt(socket: Socket, { options }: TlsChoice, { host }: PostgresHost): Promise<Socket> {
  const name = isIP(host) === 0 ? { servername: host } : { host };
  const secure = startTls({ ...options, ...name, socket });
  try {
    await happens(secure, 'secureConnect');
    return secure;
  } catch (error) {
    if (!secure.authorizationError) throw error;
    throw failure(TLS_REFUSED, `its certificate is not accepted: ${messageOf(error)}`);
  }
}

/** An end that the server makes comes as an error: only of those does the driver tell whoever waits to be connected. */
function failingWhenClosed(socket: Socket): Socket {
  socket.once('end', () => {
    if (!socket.writableEnded) socket.destroy(failure('ECONNRESET', 'the server closed the connection'));
  });
  return socket;
}

/** @throws when the socket fails or is closed before */
async function happens<T>(socket: Socket, event: string): Promise<T> {
  const { promise, resolve, reject } = Promise.withResolvers<T>();
  const onClose = (): void => reject(failure('ECONNRESET', 'it closes connections at once'));
  socket.on(event, resolve).on('error', reject).on('close', onClose);
  try {
    return await promise;
  } finally {
    socket.off(event, resolve).off('error', reject).off('close', onClose);
  }
}

/** An error with a code, as those that Node makes itself. */
function failure(code: string, message: string): Error {
  return Object.assign(new Error(message), { code });
}
