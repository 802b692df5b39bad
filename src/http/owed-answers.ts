import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';

interface Debt {
  /** Requests without their whole answer. */
  requests: Set<IncomingMessage>;
  /** Done once none of them has arrived as a whole. */
  last: (() => void) | undefined;
}

const debts = new WeakMap<Duplex, Debt>();

/** Notes a request whose answer its connection is still to get. */
export function oweAnswer(request: IncomingMessage, response: ServerResponse): void {
  let debt = debts.get(request.socket);
  if (debt === undefined) {
    debt = { requests: new Set(), last: undefined };
    debts.set(request.socket, debt);
  }
  const { requests } = debt;
  requests.add(request);
  response.once('close', () => {
    requests.delete(request);
    if (debt.last !== undefined && !isOwed(debt)) debt.last();
  });
}

/** Does something on a connection when all requests that have arrived on it have their answers. */
export function afterOwedAnswers(socket: Duplex, work: () => void): void {
  const debt = debts.get(socket);
  if (debt === undefined || !isOwed(debt)) work();
  else debt.last ??= work;
}

/** The rest of a request that is cut off or malformed will not come: its answer is for whoever found that out. */
function isOwed({ requests }: Debt): boolean {
  return requests.values().some(({ complete }) => complete);
}
