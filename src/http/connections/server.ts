import { createServer as createHttpServer, type RequestListener, type Server } from 'node:http';
import { createServer as createHttpsServer, Server as HttpsServer } from 'node:https';
import type { Socket } from 'node:net';
import { setImmediate as nextIteration } from 'node:timers/promises';
import { MAX_HEADER_BYTES } from '../request-limits.ts';
import { answerChallenges, type FindAnswer, isChallenge, isWholeRecord } from '../tls/challenge-server.ts';
import type { TlsMaterial } from '../tls/self-signed.ts';
import { type Connections, destroyAfter } from './connections.ts';
import { HandshakeQueue } from './handshake-queue.ts';
import { type ConnectionSettings, limitConnections } from './limit-connections.ts';
import type { UnreadableRequests } from './unreadable-requests.ts';

interface ServerParts {
  listener: RequestListener;
  connections: Connections;
  unreadable: UnreadableRequests;
}

const serverOptions = {
  headersTimeout: 15_000,
  requestTimeout: 30_000,
  keepAliveTimeout: 72_000,
  maxHeaderSize: MAX_HEADER_BYTES,
  // By default, Node checks these timeouts only every 30 s.
  connectionsCheckingInterval: 1_000,
  // `refuseUnroutable` refuses requests without Host, because Node's own response has no body.
  requireHostHeader: false,
};
/** TLS 1.2: forward-secret AEAD suites only. TLS 1.3: all suites. */
const CIPHERS = [
  'TLS_AES_256_GCM_SHA384',
  'TLS_CHACHA20_POLY1305_SHA256',
  'TLS_AES_128_GCM_SHA256',
  'ECDHE-ECDSA-AES128-GCM-SHA256',
  'ECDHE-RSA-AES128-GCM-SHA256',
  'ECDHE-ECDSA-AES256-GCM-SHA384',
  'ECDHE-RSA-AES256-GCM-SHA384',
  'ECDHE-ECDSA-CHACHA20-POLY1305',
  'ECDHE-RSA-CHACHA20-POLY1305',
].join(':');
const secureContext = { minVersion: 'TLSv1.2', ciphers: CIPHERS } as const;
const FIRST_BYTE_TIMEOUT_MS = 10_000;
/** The time for a TLS handshake once it is started, or for a plain HTTP request. */
const HANDSHAKE_TIMEOUT_MS = 15_000;
/** Closes a connection that transfers nothing for this time in the middle of a request or a response. */
const STALLED_TIMEOUT_MS = 60_000;
/**
 * While a server closes, connections that had requests stay open this long after the last response, because
 * their clients may be sending the next request.
 */
const QUIET_MS = 500;
/** As `QUIET_MS`, for connections that had no request: their clients may be far away. */
const UNUSED_MS = 2_000;
const CLOSE_IDLE_MS = 100;
/** While a server closes, it accepts connections that wait for at most this time. */
const MAX_ACCEPT_MS = 1_000;
/** The first byte of every TLS connection: a handshake record. */
const TLS_HANDSHAKE = 0x16;

/** For use behind a proxy that terminates TLS. */
export function createPlainServer(parts: ServerParts, settings: ConnectionSettings): Server {
  const server = handleAllRequests(createHttpServer(serverOptions), parts);
  limitConnections(server, settings);
  return server;
}

/**
 * Plain HTTP on its port gets a response that refuses it (contract, “Order of refusal”, 1). With
 * `findAnswer`, it also answers the challenges of a certificate authority.
 */
export function createTlsServer(
  parts: ServerParts,
  material: TlsMaterial,
  { findAnswer, ...settings }: ConnectionSettings & { findAnswer: FindAnswer | null },
): Server {
  const secure = handleAllRequests(
    createHttpsServer({
      ...serverOptions,
      ...secureContext,
      ...material,
      handshakeTimeout: HANDSHAKE_TIMEOUT_MS,
    }),
    parts,
  );
  const plain = handleAllRequests(createHttpServer(serverOptions), parts);
  plain.on('clientError', (error: NodeJS.ErrnoException, socket) => parts.unreadable.respond(error, socket));
  const listeners = secure.listeners('connection');
  secure.removeAllListeners('connection');
  const sockets = new TcpSockets();
  const handshakes = new HandshakeQueue();
  const challenges = findAnswer === null ? null : answerChallenges(findAnswer);
  // Without challenges, the first byte is enough.
  const isEnough = (start: Buffer): boolean =>
    challenges === null || start[0] !== TLS_HANDSHAKE || isWholeRecord(start);
  secure.on('connection', (socket: Socket) => {
    sockets.awaitStart(socket, isEnough, (start) => {
      if (challenges !== null && isChallenge(start)) {
        destroyAfter(HANDSHAKE_TIMEOUT_MS, socket);
        handshakes.add(socket, () => challenges(socket));
      } else if (start[0] === TLS_HANDSHAKE) {
        handshakes.add(socket, () => {
          for (const listen of listeners) listen.call(secure, socket);
        });
      } else {
        // Node enforces timeouts only for servers that listen, and `plain` does not.
        destroyAfter(HANDSHAKE_TIMEOUT_MS, socket);
        plain.emit('connection', socket);
        socket.resume();
      }
    });
  });
  limitConnections(secure, settings);
  // Node only knows the connections whose TLS handshake is done.
  const [closeIdle, closeAll] = [secure.closeIdleConnections, secure.closeAllConnections];
  secure.closeIdleConnections = () => {
    closeIdle.call(secure);
    if (parts.connections.closingMs >= UNUSED_MS) sockets.destroySilent();
  };
  secure.closeAllConnections = () => {
    closeAll.call(secure);
    sockets.destroyAll();
  };
  return secure;
}

/** Replaces a TLS server's certificate for new connections. Open ones keep theirs. */
export function replaceCertificate(server: Server, material: TlsMaterial): void {
  if (server instanceof HttpsServer) server.setSecureContext({ ...secureContext, ...material });
}

/** The TCP sockets of a TLS server: under its TLS connections, and with plain HTTP. */
class TcpSockets {
  readonly #open = new Set<Socket>();
  /** Sockets that have not sent a byte. */
  readonly #silent = new Set<Socket>();

  /** Calls `onStart` with the first bytes that are enough; destroys the socket if they come too late. */
  awaitStart(socket: Socket, isEnough: (start: Buffer) => boolean, onStart: (start: Buffer) => void): void {
    this.#open.add(socket);
    this.#silent.add(socket);
    socket.once('close', () => this.#open.delete(socket) && this.#silent.delete(socket));
    const destroy = (): void => void socket.destroy();
    socket.setTimeout(FIRST_BYTE_TIMEOUT_MS, destroy);
    socket.on('error', destroy);
    let start: Buffer | undefined;
    let slow: NodeJS.Timeout | undefined;
    const receive = (chunk: Buffer): void => {
      start = start === undefined ? chunk : Buffer.concat([start, chunk]);
      if (!isEnough(start)) {
        // The timeout of the socket begins again with each byte.
        slow ??= setTimeout(destroy, FIRST_BYTE_TIMEOUT_MS).unref();
        return;
      }
      clearTimeout(slow);
      this.#silent.delete(socket);
      socket.pause();
      socket.setTimeout(0);
      socket.removeListener('timeout', destroy);
      socket.removeListener('error', destroy);
      socket.removeListener('data', receive);
      socket.unshift(start);
      onStart(start);
    };
    socket.on('data', receive);
  }

  destroySilent(): void {
    for (const socket of this.#silent) socket.destroy();
  }

  destroyAll(): void {
    for (const socket of this.#open) socket.destroy();
  }
}

/**
 * Resolves right after an iteration of the event loop without a new connection. The system has then given all
 * connections that it had accepted, at most one in each iteration, and closing resets none of them.
 */
async function acceptWaiting(server: Server): Promise<void> {
  let isNew = false;
  const accept = (): void => {
    isNew = true;
  };
  server.on('connection', accept);
  const deadline = performance.now() + MAX_ACCEPT_MS;
  // The present iteration may be past reading.
  await nextIteration();
  do {
    isNew = false;
    await nextIteration();
  } while (isNew && performance.now() < deadline);
  server.off('connection', accept);
}

/** Passes all requests to the listener, even those that Node would not answer, but refuses CONNECT. */
function handleAllRequests<S extends Server>(
  server: S,
  { listener, connections, unreadable }: ServerParts,
): S {
  server.timeout = STALLED_TIMEOUT_MS;
  const close = server.close.bind(server);
  server.close = (callback) => {
    // Connections become idle when their requests in progress end.
    const closing = setInterval(() => server.closeIdleConnections(), CLOSE_IDLE_MS);
    void acceptWaiting(server).then(() =>
      close((error) => {
        clearInterval(closing);
        callback?.(error);
      }),
    );
    return server;
  };
  const closeIdle = server.closeIdleConnections.bind(server);
  server.closeIdleConnections = () => {
    connections.startClosing();
    // After the event loop has read what has arrived. `close` calls this repeatedly.
    setImmediate(() => {
      // Node also considers connections idle whose response has ended but has not been sent completely.
      if (connections.quietMs >= QUIET_MS) closeIdle();
      if (connections.closingMs >= UNUSED_MS) connections.closeUnused();
    });
  };
  // For a TLS server, when the handshake is done.
  server.on(server instanceof HttpsServer ? 'secureConnection' : 'connection', (socket: Socket) =>
    connections.addConnection(socket),
  );
  const handle: RequestListener = (request, response) => {
    connections.addRequest(request, response);
    // After an Upgrade that nothing handles, Node stops reading: the next request would wait forever.
    if (request.headers.upgrade !== undefined) response.shouldKeepAlive = false;
    listener(request, response);
  };
  server.on('request', handle);
  server.on('checkExpectation', handle);
  server.on('checkContinue', (request, response) => {
    handle(request, response);
    // A refused request needs no body. While earlier responses are sent, this one has no socket, and Node
    // would put `100 Continue` between its headers and its body.
    if (!response.headersSent && response.socket !== null) response.writeContinue();
  });
  server.on('connect', (_request, socket) => {
    // Node no longer manages this connection, so its errors and its end are handled here.
    socket.on('error', () => socket.destroy());
    destroyAfter(HANDSHAKE_TIMEOUT_MS, socket);
    unreadable.respond({}, socket);
  });
  return server;
}
