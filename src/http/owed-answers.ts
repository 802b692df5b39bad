import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';

interface Debt {
  /** Requests without their whole answer. */
  requests: Set<IncomingMessage>;
  /** Done once none of them has arrived as a whole. */
  last: (() => void) | undefined;
  isPipelined: boolean;
}

const debts = new WeakMap<Duplex, Debt>();
/** Connections on which some answer has not wholly left yet, though it may be ended. */
const owing = new Set<Duplex>();
/** Connections that got an answer to a request before all of it had come. */
const answeredEarly = new WeakSet<Duplex>();

/** Notes a request whose answer its connection is still to get. */
export function oweAnswer(request: IncomingMessage, response: ServerResponse): void {
  let debt = debts.get(request.socket);
  if (debt === undefined) {
    debt = { requests: new Set(), last: undefined, isPipelined: false };
    debts.set(request.socket, debt);
  }
  const { requests } = debt;
  requests.add(request);
  owing.add(request.socket);
  answeredEarly.delete(request.socket);
  if (requests.size > 1 && !debt.isPipelined) {
    debt.isPipelined = true;
    readThroughStream(request.socket);
  }
  response.once('close', () => {
    requests.delete(request);
    if (requests.size === 0) owing.delete(request.socket);
    if (!request.complete) answeredEarly.add(request.socket);
    if (debt.last !== undefined && !isOwed(debt)) debt.last();
  });
}

/** Does something on a connection when all requests that have arrived on it have their answers. */
export function afterOwedAnswers(socket: Duplex, work: () => void): void {
  const debt = debts.get(socket);
  if (debt === undefined || !isOwed(debt)) work();
  else debt.last ??= work;
}

/**
 * Has Node close idle connections, without those that are still being sent an answer: Node takes them for
 * idle as soon as the answer is ended.
 */
export function sparingOwed(closeIdle: () => void): void {
  for (const socket of owing) socket.destroy = () => socket;
  closeIdle();
  for (const socket of owing) Reflect.deleteProperty(socket, 'destroy');
}

/** Whether the request that a connection is sending has its answer already. */
export function isAnsweredEarly(socket: Duplex): boolean {
  return answeredEarly.has(socket);
}

/** The rest of a request that is cut off or malformed will not come: its answer is for whoever found that out. */
function isOwed({ requests }: Debt): boolean {
  return requests.values().some(({ complete }) => complete);
}

/**
 * Node's parser takes what comes on a connection by itself. Where answers pile up it pauses, but a TLS
 * connection goes on delivering what it had received: that would be lost, and the answers after it be taken for
 * others. With a listener for its data, a connection keeps in its stream what comes while nobody reads.
 */
function readThroughStream(socket: Socket): void {
  socket.on('data', () => {});
  // Where the parser had stopped it already, the stream does not know, and would wait for ever.
  socket.push('');
}
