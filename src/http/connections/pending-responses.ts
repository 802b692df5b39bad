import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';

interface PendingResponses {
  /** Requests whose answer has not wholly left, in their order, and the answers. */
  answers: Map<IncomingMessage, ServerResponse>;
  /** The request that came last, and its answer. */
  latest: { request: IncomingMessage; response: ServerResponse };
  /** Done once nothing is owed. */
  last: (() => void) | undefined;
  isPipelined: boolean;
}

const debts = new WeakMap<Duplex, PendingResponses>();
/** Connections on which some answer has not wholly left yet, though it may be ended. */
const owing = new Set<Duplex>();

/** Notes a request whose answer its connection is still to get. */
export function addPending(request: IncomingMessage, response: ServerResponse): void {
  const { socket } = request;
  const debt = debts.get(socket) ?? newDebt(socket, { request, response });
  debt.latest = { request, response };
  debt.answers.set(request, response);
  owing.add(socket);
  if (debt.answers.size > 1 && !debt.isPipelined) {
    debt.isPipelined = true;
    readThroughStream(socket);
  }
  response.once('close', () => {
    debt.answers.delete(request);
    if (debt.answers.size === 0) owing.delete(socket);
    if (debt.last !== undefined && !isOwed(debt)) debt.last();
  });
}

function newDebt(socket: Socket, latest: PendingResponses['latest']): PendingResponses {
  const debt = { answers: new Map(), latest, last: undefined, isPipelined: false };
  debts.set(socket, debt);
  // After CONNECT, Node does not tell answers that wait that their connection has gone.
  socket.once('close', () => {
    owing.delete(socket);
    debt.answers.clear();
  });
  return debt;
}

/**
 * Has Node close idle connections, without those that are still being sent an answer: Node takes them for
 * idle as soon as the answer is ended.
 */
export function keepPendingOpen(closeIdle: () => void): void {
  for (const socket of owing) socket.destroy = () => socket;
  closeIdle();
  for (const socket of owing) Reflect.deleteProperty(socket, 'destroy');
}

/** Whether the request that a connection is sending has its answer already. */
export function hasEarlyResponse(socket: Duplex): boolean {
  const latest = debts.get(socket)?.latest;
  return latest !== undefined && !latest.request.complete && latest.response.writableEnded;
}

/** Does something on a connection when all requests that have arrived on it have their answers. */
export function afterPendingResponses(socket: Duplex, work: () => void): void {
  const debt = debts.get(socket);
  if (debt === undefined || !isOwed(debt)) work();
  else debt.last ??= work;
}

/** The rest of a request that is cut off or malformed will not come: its answer is for whoever found that out. */
function isOwed({ answers }: PendingResponses): boolean {
  return answers.entries().some(([{ complete }, { writableEnded }]) => complete || writableEnded);
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
