import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';

/** The requests of one connection, and their responses that have not been sent completely. */
interface Exchange {
  /** In the order of the requests. */
  pending: Map<IncomingMessage, ServerResponse>;
  latest: { request: IncomingMessage; response: ServerResponse };
  isPipelined: boolean;
  /** Called once all requests that have arrived completely have been answered. */
  onAnswered: (() => void) | undefined;
}

/** The connections of one server and the requests on them. */
export class Connections {
  readonly #exchanges = new WeakMap<Duplex, Exchange>();
  /** Connections with a response that has not been sent completely, even if its `end` has been called. */
  readonly #busy = new Set<Duplex>();
  /** Connections whose last response has been claimed. */
  readonly #lastResponseClaimed = new WeakSet<Duplex>();
  #isClosing = false;

  /** Whether any response has not been sent completely. */
  get isBusy(): boolean {
    return this.#busy.size > 0;
  }

  /** From now on, connections are closed after their next response. */
  startClosing(): void {
    this.#isClosing = true;
  }

  /** Records a request. Its response is pending until it has been sent or its connection has closed. */
  addRequest(request: IncomingMessage, response: ServerResponse): void {
    const { socket } = request;
    if (this.#isClosing) response.shouldKeepAlive = false;
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

  /** Returns the request whose headers have arrived on a connection and whose body has not, with its response. */
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

  /** Reserves the last response of a connection for the caller. Returns false if it was already reserved. */
  claimLastResponse(socket: Duplex): boolean {
    if (this.#lastResponseClaimed.has(socket)) return false;
    this.#lastResponseClaimed.add(socket);
    return true;
  }
}

/**
 * Whether a response is still to be sent. Does not count a request that was cut off or malformed: it never becomes
 * complete, and the code that detects this responds to it.
 */
function isWaiting({ pending }: Exchange): boolean {
  return pending.entries().some(([{ complete }, { writableEnded }]) => complete || writableEnded);
}

/**
 * Node's parser reads a connection directly and pauses when responses pile up, but a TLS connection continues to
 * deliver what it has received. Those bytes would be lost, and later responses would be matched to the wrong requests.
 * With a `data` listener, the connection keeps such bytes in its stream.
 */
function readThroughStream(socket: Socket): void {
  socket.on('data', () => {});
  // If the parser has already paused reading, the stream does not know that and would wait forever. An empty push makes
  // the stream read again.
  socket.push('');
}

/** Destroys a connection if it is still open after this time. */
export function destroyAfter(milliseconds: number, socket: Duplex): void {
  const timer = setTimeout(() => socket.destroy(), milliseconds).unref();
  socket.once('close', () => clearTimeout(timer));
}
