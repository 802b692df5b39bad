import { createServer as createHttpServer, type RequestListener, type Server } from 'node:http';
import { createServer as createHttpsServer, Server as HttpsServer } from 'node:https';
import type { Socket } from 'node:net';
import { MOST_HEADER_BYTES } from '../bounds.ts';
import { contextOf, PLAIN_HTTP } from '../request-context.ts';
import { errors } from '../responses/errors.ts';
import { errorBody, errorHeaders, respondToUnreadable } from '../responses/send-error.ts';
import { destroyAfter } from './destroy-after.ts';
import { type ConnectionSettings, limitConnections } from './limit-connections.ts';
import { addPending, keepPendingOpen } from './pending-responses.ts';

/** A certificate and its private key, both PEM. */
export interface TlsMaterial {
  cert: string | Buffer;
  key: string | Buffer;
}

const serverOptions = {
  headersTimeout: 15_000,
  requestTimeout: 30_000,
  keepAliveTimeout: 72_000,
  maxHeaderSize: MOST_HEADER_BYTES,
  // Left to itself, Node looks only every 30 s whether a time is up.
  connectionsCheckingInterval: 1_000,
  // Node would refuse without a body: we do it ourselves.
  requireHostHeader: false,
};
/** Of TLS 1.2, what keeps secrets forward and authenticates what it encrypts; of 1.3, all that there is. */
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
/** What holds for every certificate that is served, the first and those that take its place. */
const secureContext = { minVersion: 'TLSv1.2', ciphers: CIPHERS } as const;
const FIRST_BYTE_TIMEOUT_MS = 10_000;
/** How long a connection may take over its TLS handshake, or over a plain request, from its first byte on. */
const HANDSHAKE_TIMEOUT_MS = 15_000;
/** A connection on which nothing moves for so long, in the middle of a request or an answer, is cut. */
const STALLED_TIMEOUT_MS = 60_000;
/** The first byte of every TLS connection: a handshake record. */
const TLS_HANDSHAKE = 0x16;

/** A server without TLS, for proxies that end it. */
export function createPlainServer(listener: RequestListener, settings: ConnectionSettings): Server {
  const server = handleAllRequests(createHttpServer(serverOptions), listener);
  limitConnections(server, settings);
  return server;
}

/**
 * An HTTPS server that also has plain HTTP sent to its port answered, by a listener of its own that refuses
 * it, instead of dropping the connection (contract, “Order of refusal”, 1).
 */
export function createTlsServer(
  listener: RequestListener,
  refusal: RequestListener,
  material: TlsMaterial,
  settings: ConnectionSettings,
): Server {
  const secure = handleAllRequests(
    createHttpsServer({
      ...serverOptions,
      ...secureContext,
      ...material,
      handshakeTimeout: HANDSHAKE_TIMEOUT_MS,
    }),
    listener,
  );
  const refusing = handleAllRequests(createHttpServer(serverOptions), refusal);
  refusing.on('clientError', (error: NodeJS.ErrnoException, socket) => respondToUnreadable(error, socket));
  const listeners = secure.listeners('connection');
  secure.removeAllListeners('connection');
  const [open, silent] = [new Set<Socket>(), new Set<Socket>()];
  secure.on('connection', (socket: Socket) => {
    open.add(socket);
    silent.add(socket);
    socket.once('close', () => open.delete(socket) && silent.delete(socket));
    const giveUp = (): void => void socket.destroy();
    socket.setTimeout(FIRST_BYTE_TIMEOUT_MS, giveUp);
    socket.on('error', giveUp);
    socket.once('data', (first) => {
      silent.delete(socket);
      socket.pause();
      socket.setTimeout(0);
      socket.removeListener('timeout', giveUp);
      socket.removeListener('error', giveUp);
      socket.unshift(first);
      if (first[0] === TLS_HANDSHAKE) {
        for (const listen of listeners) listen.call(secure, socket);
      } else {
        // A server that does not listen itself does not watch its timeouts either.
        destroyAfter(HANDSHAKE_TIMEOUT_MS, socket);
        refusing.emit('connection', socket);
        socket.resume();
      }
    });
  });
  limitConnections(secure, settings);
  // Node's own look only at connections whose TLS handshake is done.
  const [closeIdle, closeAll] = [secure.closeIdleConnections, secure.closeAllConnections];
  secure.closeIdleConnections = () => {
    closeIdle.call(secure);
    for (const socket of silent) socket.destroy();
  };
  secure.closeAllConnections = () => {
    closeAll.call(secure);
    for (const socket of open) socket.destroy();
  };
  return secure;
}

/** Has a server of `createTlsServer` greet new connections with another certificate; open ones stay as they are. */
export function replaceCertificate(server: Server, material: TlsMaterial): void {
  if (server instanceof HttpsServer) server.setSecureContext({ ...secureContext, ...material });
}

/**
 * Has the listener answer whatever arrives: what Node would answer without a body, or not at all, gets an
 * answer like everything else.
 */
function handleAllRequests<S extends Server>(server: S, listener: RequestListener): S {
  server.timeout = STALLED_TIMEOUT_MS;
  const closeIdle = server.closeIdleConnections.bind(server);
  server.closeIdleConnections = () => keepPendingOpen(closeIdle);
  const answer: RequestListener = (request, response) => {
    addPending(request, response);
    // Node does not read on after such a request where nobody upgrades: what came next would wait for ever.
    if (request.headers.upgrade !== undefined) response.shouldKeepAlive = false;
    listener(request, response);
  };
  server.on('request', answer);
  server.on('checkExpectation', answer);
  server.on('checkContinue', (request, response) => {
    answer(request, response);
    // Nobody is to send what is turned away. And where answers before it are still to be sent, Node would put
    // it between this one's headers and body.
    if (!response.headersSent && response.socket !== null) response.writeContinue();
  });
  server.on('connect', (_request, socket) => {
    // Node has let go of the connection: nobody else hears of its end, or ends it.
    socket.on('error', () => socket.destroy());
    destroyAfter(HANDSHAKE_TIMEOUT_MS, socket);
    respondToUnreadable({}, socket);
  });
  return server;
}

/** Answers whatever came by plain HTTP that HTTPS is needed. */
export const refusePlainHttp: RequestListener = (request, response) => {
  const context = contextOf(request);
  context.route = PLAIN_HTTP;
  const error = errors.https_required();
  const body = errorBody(error);
  response.writeHead(error.status, {
    ...errorHeaders,
    'content-length': Buffer.byteLength(body),
    'x-request-id': context.id,
    connection: 'close',
  });
  response.end(body);
};
