import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';

/** The requests of one connection with responses that have not been sent completely. */
interface Exchange {
  /** In the order of the requests. */
  pending: Map<IncomingMessage, ServerResponse>;
  latest: { request: IncomingMessage; response: ServerResponse };
  isPipelined: boolean;
  /** Called once all requests that have arrived completely have been answered. */
  onAnswered: (() => void) | undefined;
}

export class Connections {
  readonly #exchanges = new WeakMap<Duplex, Exchange>();
  /** Connections with a response that has not been sent completely, even if it has ended. */
  readonly #busy = new Set<Duplex>();
  readonly #lastResponseClaimed = new WeakSet<Duplex>();
  /** Connections that have not had a request. */
  readonly #unused = new Set<Socket>();
  #closingSince: number | undefined;
  /** When the last response was sent, or closing started after it. */
  #quietSince = 0;

  get isBusy(): boolean {
    return this.#busy.size > 0;
  }

  /** From now on, connections are closed after the response in progress, or else after their next one. */
  startClosing(): void {
    if (this.#closingSince !== undefined) return;
    this.#closingSince = performance.now();
    this.#quietSince = this.#closingSince;
    for (const socket of this.#busy) {
      const exchange = this.#exchanges.get(socket);
      // Further requests may already wait behind a pipelined one.
      if (exchange === undefined || exchange.isPipelined || exchange.latest.response.headersSent) continue;
      exchange.latest.response.shouldKeepAlive = false;
    }
  }

  /** Milliseconds since closing started; 0 before. */
  get closingMs(): number {
    return this.#closingSince === undefined ? 0 : performance.now() - this.#closingSince;
  }

  /** Milliseconds since closing started, or since the last response after that; 0 while busy. */
  get quietMs(): number {
    if (this.#closingSince === undefined || this.isBusy) return 0;
    return performance.now() - this.#quietSince;
  }

  /** To be called for each connection that can have requests. */
  addConnection(socket: Socket): void {
    this.#unused.add(socket);
    socket.once('close', () => this.#unused.delete(socket));
  }

  /** Closes connections that have not sent a byte of a request. */
  closeUnused(): void {
    for (const socket of this.#unused) if (socket.bytesRead === 0) socket.destroy();
  }

  /** The response is pending until it has been sent or its connection has closed. */
  addRequest(request: IncomingMessage, response: ServerResponse): void {
    const { socket } = request;
    this.#unused.delete(socket);
    if (this.#closingSince !== undefined) response.shouldKeepAlive = false;
    const exchange = this.#exchanges.get(socket) ?? this.#newExchange(socket, { request, response });
    exchange.latest = { request, response };
    exchange.pending.set(request, response);
    this.#busy.add(socket);
    if (exchange.pending.size > 1 && !exchange.isPipelined) {
      exchange.isPipelined = true;
      readThroughStream(socket);
    }
    response.once('close', () => {
      exchange.pending.delete(request);
      if (exchange.pending.size === 0) this.#busy.delete(socket);
      this.#quietSince = performance.now();
      if (exchange.onAnswered !== undefined && !isWaiting(exchange)) exchange.onAnswered();
    });
  }

  #newExchange(socket: Socket, latest: Exchange['latest']): Exchange {
    const exchange = { pending: new Map(), latest, isPipelined: false, onAnswered: undefined };
    this.#exchanges.set(socket, exchange);
    // After CONNECT, Node does not close pending responses when their connection closes.
    socket.once('close', () => {
      this.#busy.delete(socket);
      exchange.pending.clear();
    });
    return exchange;
  }

  /** Returns the request whose headers have arrived and whose body has not, with its response. */
  unfinished(socket: Duplex): { request: IncomingMessage; response: ServerResponse } | undefined {
    const latest = this.#exchanges.get(socket)?.latest;
    return latest?.request.complete === false ? latest : undefined;
  }

  /** Calls `work` once all requests that have arrived completely on a connection have been answered. */
  afterResponses(socket: Duplex, work: () => void): void {
    const exchange = this.#exchanges.get(socket);
    if (exchange === undefined || !isWaiting(exchange)) work();
    else exchange.onAnswered ??= work;
  }

  /** Reserves the last response of a connection. Returns false if it was already reserved. */
  claimLastResponse(socket: Duplex): boolean {
    if (this.#lastResponseClaimed.has(socket)) return false;
    this.#lastResponseClaimed.add(socket);
    return true;
  }
}

/** Ignores cut-off and malformed requests, which never become complete: their detector responds. */
function isWaiting({ pending }: Exchange): boolean {
  return pending.entries().some(([{ complete }, { writableEnded }]) => complete || writableEnded);
}

/**
 * Node's parser pauses a connection when responses pile up, but TLS still delivers bytes, which would be
 * lost, and later responses matched to the wrong requests. A `data` listener keeps them in the stream.
 */
function readThroughStream(socket: Socket): void {
  socket.on('data', () => {});
  // If the parser has already paused, the stream would wait forever: an empty push makes it read again.
  socket.push('');
}

export function destroyAfter(milliseconds: number, socket: Duplex): void {
  const timer = setTimeout(() => socket.destroy(), milliseconds).unref();
  socket.once('close', () => clearTimeout(timer));
}
