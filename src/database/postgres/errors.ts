import postgres from 'postgres';
import { DatabaseUnavailable, DatabaseUnusable } from '../database.ts';

// SQLSTATE classes of trouble that may pass: connection, resources, shutdown, system error.
const PASSING_CLASSES = new Set(['08', '53', '57', '58']);
// A server that only reads, a lock not had in time, a transaction that others made impossible or that is over.
const PASSING_STATES = new Set(['25006', '55P03', '40001', '40P01', '25P02']);
// A standby that was asked to write, a server that shuts down or starts: another one may be the primary now.
const LOST_STATES = new Set(['25006', '57P01', '57P02', '57P03']);

/** The server's own code for an error (SQLSTATE), where the error is the server's. */
function stateOf(error: unknown): string | undefined {
  return error instanceof postgres.PostgresError ? error.code : undefined;
}

/** Whether an error comes from the way to the server: sockets, names, TLS, the driver's connections. */
function isConnectionError(error: unknown): boolean {
  return (
    error instanceof Error &&
    !(error instanceof postgres.PostgresError) &&
    'code' in error &&
    typeof error.code === 'string' &&
    /^(CONNECT|E[A-Z]+$|EAI_|ERR_TLS|ERR_SSL|UNABLE_|SELF_SIGNED|DEPTH_ZERO|CERT_|ERR_SOCKET)/.test(
      error.code,
    )
  );
}

/** The engine's own error, told apart: `DatabaseUnavailable` for trouble that may pass, else as it came. */
export function translateError(error: unknown): unknown {
  const state = stateOf(error);
  const passing =
    state === undefined
      ? isConnectionError(error)
      : PASSING_CLASSES.has(state.slice(0, 2)) || PASSING_STATES.has(state);
  return passing ? new DatabaseUnavailable(messageOf(error), { cause: error }) : error;
}

/** Whether the server that this came from is no longer the one to talk to. */
export function isLost(error: unknown): boolean {
  const state = stateOf(error);
  return state === undefined ? isConnectionError(error) : state.startsWith('08') || LOST_STATES.has(state);
}

/** Whether the same transaction may well go through when it is tried again. */
export function isRetryable(error: unknown): boolean {
  const state = stateOf(error);
  return state === '40001' || state === '40P01';
}

/** An error of connecting, as a line for the operator: `DatabaseUnusable` where waiting changes nothing. */
export function translateConnectError(error: unknown, where: string): unknown {
  switch (stateOf(error)) {
    case '28P01':
    case '28000':
    case '3D000':
    case '42501':
      return new DatabaseUnusable(`The database server at ${where} refuses: ${messageOf(error)}.`);
    default:
      return translateError(error);
  }
}

export function messageOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown error';
  if (error.message !== '') return error.message;
  // Where a name has several addresses, Node gives one error for each and none of its own.
  return error instanceof AggregateError ? error.errors.map(messageOf).join(', ') : error.name;
}
