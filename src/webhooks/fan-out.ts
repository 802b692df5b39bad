import type { Connection, Dialect } from '../database/database.ts';
import { OPERATOR_ID } from '../database/sides.ts';
import type { EventRow } from '../event-feed/queries.ts';
import { receives } from './endpoint.ts';
import {
  deleteAttemptsUpTo,
  deleteDeliveriesUpTo,
  insertDelivery,
  listEnabledEndpoints,
  queueStatements,
} from './queries.ts';

/** The number of owners in the list of `listEnabledEndpoints`. */
const OWNERS_PER_STATEMENT = 200;

/**
 * Adds a delivery for each event and each enabled endpoint that receives it. Runs in the transaction that numbers the events,
 * so that no endpoint misses one.
 */
export async function fanOut(
  connection: Connection,
  dialect: Dialect,
  events: readonly EventRow[],
): Promise<void> {
  const owners = [...new Set([OPERATOR_ID, ...events.map(({ merchant_id }) => merchant_id)])];
  const { wakeEndpoint } = queueStatements(dialect);
  const found = [];
  for (let start = 0; start < owners.length; start += OWNERS_PER_STATEMENT) {
    const names = owners.slice(start, start + OWNERS_PER_STATEMENT);
    found.push(connection.all(listEnabledEndpoints, { names }));
  }
  const endpoints = (await Promise.all(found)).flat();
  const queues = endpoints
    .map((endpoint) => ({ endpoint, received: events.filter((event) => receives(endpoint, event)) }))
    .filter(({ received }) => received.length > 0)
    // In one order, so that transactions that lock several endpoints cannot wait for each other.
    .sort((one, other) => (one.endpoint.id < other.endpoint.id ? -1 : 1));
  if (queues.length === 0) return;
  // The endpoints first: a process that finishes one waits for this transaction, and then sees its deliveries.
  await connection.runEach(
    wakeEndpoint,
    queues.map(({ endpoint: { id } }) => ({ id })),
  );
  const rows = queues.flatMap(({ endpoint: { id }, received }) =>
    received.map(({ number }) => ({ event_number: number, endpoint_id: id, state: 'pending' as const })),
  );
  await connection.runEach(insertDelivery, rows);
}

/** Deletes the deliveries of events up to a number, in the transaction that deletes the events. */
export async function deleteDeliveries(connection: Connection, upTo: number): Promise<void> {
  await connection.run(deleteAttemptsUpTo, { number: upTo });
  await connection.run(deleteDeliveriesUpTo, { number: upTo });
}
