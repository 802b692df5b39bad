import { constants } from 'node:crypto';
import { type ClientRequestArgs, Agent as PlainAgent } from 'node:http';
import { Agent, type RequestOptions } from 'node:https';
import { connect as connectTcp, type Socket } from 'node:net';
import { Duplex } from 'node:stream';
import { type ConnectionOptions, connect, createSecureContext, DEFAULT_CIPHERS } from 'node:tls';

/** With DHE, the receiver chooses a prime: 10,000 bits block the event loop for 700 ms. */
const CIPHERS = `${DEFAULT_CIPHERS}:!DHE`;
/** Checking 100 kB of certificates can take 100 ms. */
const MAX_HANDSHAKE_BYTES = 16 * 1024;
/**
 * 16 KiB of headers and 2 KiB of body, to the end of their TLS record. Endless informational responses or TLS
 * messages would occupy the event loop.
 */
const MAX_RESPONSE_BYTES = 36 * 1024;

/**
 * Opens a connection for each request. A receiver cannot make it cost much time. Each attempt checks address
 * and certificate again, so no connection or TLS session is continued.
 */
export class ReceiverAgent extends Agent {
  /** `authorities` are PEM certificates; by default, the authorities that this thread trusts. */
  constructor(authorities?: string[]) {
    // Reading the authorities for each connection would take longer than the rest of its handshake.
    const secureContext = createSecureContext({
      ...(authorities !== undefined && { ca: authorities }),
      ciphers: CIPHERS,
      // `ReceiveLimit` counts only the first handshake as one.
      secureOptions: constants.SSL_OP_NO_RENEGOTIATION,
    });
    super({ keepAlive: false, maxCachedSessions: 0, secureContext });
  }

  override createConnection(options: RequestOptions): Duplex {
    const { host = '', port } = options;
    const input = new ReceiveLimit(connectTcp({ host: String(host), port: Number(port) }));
    const secure = connect({ ...(options as ConnectionOptions), socket: input });
    return secure.once('secureConnect', () => input.endHandshake());
  }
}

/** The same for `http:`, where images of products may be. */
export class PlainReceiverAgent extends PlainAgent {
  constructor() {
    super({ keepAlive: false });
  }

  override createConnection({ host, port }: ClientRequestArgs): Duplex {
    const input = new ReceiveLimit(connectTcp({ host: String(host), port: Number(port) }));
    input.endHandshake();
    return input;
  }
}

/** Fails if it receives too much before `endHandshake`, or too much after it. */
class ReceiveLimit extends Duplex {
  readonly #socket: Socket;
  #isInHandshake = true;
  #left = MAX_HANDSHAKE_BYTES;

  constructor(socket: Socket) {
    super();
    this.#socket = socket;
    socket.on('data', (chunk: Buffer) => this.#receive(chunk));
    socket.on('end', () => this.push(null));
    socket.on('error', (error) => this.destroy(error));
    socket.on('close', () => this.destroy());
  }

  endHandshake(): void {
    this.#isInHandshake = false;
    this.#left = MAX_RESPONSE_BYTES;
  }

  #receive(chunk: Buffer): void {
    const isTooMuch = chunk.length > this.#left;
    if (isTooMuch && this.#isInHandshake) {
      this.destroy(certificatesTooLarge());
      return;
    }
    const accepted = isTooMuch ? chunk.subarray(0, this.#left) : chunk;
    this.#left -= accepted.length;
    if (!this.push(accepted)) this.#socket.pause();
    // The response may begin in what is accepted, which is read first.
    if (isTooMuch) setImmediate(() => this.destroy(responseTooLong()));
  }

  override _read(): void {
    this.#socket.resume();
  }

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: (error?: Error | null) => void): void {
    this.#socket.write(chunk, done);
  }

  override _final(done: () => void): void {
    this.#socket.end(done);
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    this.#socket.destroy();
    done(error);
  }
}

function certificatesTooLarge(): Error {
  return Object.assign(new Error('the certificates are too large'), { code: 'CERT_CHAIN_TOO_LONG' });
}

function responseTooLong(): Error {
  return new Error(`more than ${MAX_RESPONSE_BYTES / 1024} KiB arrived without a final status`);
}
