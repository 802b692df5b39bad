import postgres from 'postgres';
import { DatabaseUnavailable, DatabaseUnusable } from '../database.ts';

/** The code of an error of ours: there is to be TLS to the server, and there is none that will do. */
export const TLS_REFUSED = 'ERR_TLS_REFUSED';

const INSUFFICIENT_PRIVILEGE = '42501';
// SQLSTATE classes of refusals of a user or a database: in use, they come with a new connection.
const REFUSALS = ['28', '3D'];
// Of trouble that may pass: connection, resources, shutdown, system error.
const PASSING_CLASSES = new Set([...REFUSALS, '08', '53', '57', '58']);
// A server that only reads, a lock not had in time, a transaction that others made impossible or that is over.
const PASSING_STATES = new Set(['25006', '55P03', '40001', '40P01', '25P02']);
const LOST_CLASSES = new Set([...REFUSALS, '08']);
// A standby that was asked to write, a server that shuts down or starts: another one may be the primary now.
const LOST_STATES = new Set(['25006', '57P01', '57P02', '57P03']);

/** The server's own code for an error (SQLSTATE), where the error is the server's. */
function stateOf(error: unknown): string | undefined {
  return error instanceof postgres.PostgresError ? error.code : undefined;
}

/** Whether an error comes from the way to the server: sockets, names, TLS, the driver's connections. */
export function isConnectionError(error: unknown): boolean {
  return (
    !(error instanceof postgres.PostgresError) &&
    /^(CONNECT|E[A-Z]+$|EAI_|ERR_(TLS|SSL|SOCKET|STREAM)_)/.test(codeOf(error))
  );
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : '';
}

/** The engine's own error, told apart: `DatabaseUnavailable` for trouble that may pass, else as it came. */
export function translateError(error: unknown): unknown {
  const state = stateOf(error);
  if (state === undefined) {
    if (!isConnectionError(error)) return error;
    const message = `The connection to the database is lost: ${messageOf(error)}.`;
    return new DatabaseUnavailable(message, { cause: error });
  }
  const passing = PASSING_CLASSES.has(state.slice(0, 2)) || PASSING_STATES.has(state);
  return passing ? new DatabaseUnavailable(messageOf(error), { cause: error }) : error;
}

/** A refusal of what the user may not do, as a line for the operator; any other error as it came. */
export function translateRefusal(error: unknown): unknown {
  if (stateOf(error) !== INSUFFICIENT_PRIVILEGE) return error;
  return new DatabaseUnusable(`The database server refuses: ${messageOf(error)}.`, { cause: error });
}

/** Whether the server that this came from is no longer the one to talk to. */
export function isLost(error: unknown): boolean {
  const state = stateOf(error);
  if (state === undefined) return isConnectionError(error);
  return LOST_CLASSES.has(state.slice(0, 2)) || LOST_STATES.has(state);
}

/** Whether the same transaction may well go through when it is tried again. */
export function isRetryable(error: unknown): boolean {
  const state = stateOf(error);
  return state === '40001' || state === '40P01';
}

/** An error of connecting, as a line for the operator: `DatabaseUnusable` where waiting changes nothing. */
export function translateConnectError(error: unknown, where: string): unknown {
  const state = stateOf(error) ?? '';
  if (state === INSUFFICIENT_PRIVILEGE || REFUSALS.includes(state.slice(0, 2)))
    return new DatabaseUnusable(`The database server at ${where} refuses: ${messageOf(error)}.`);
  if (!isConnectionError(error)) return translateError(error);
  const options = { cause: error };
  return codeOf(error) === TLS_REFUSED
    ? new DatabaseUnusable(`The database server at ${where} cannot be used: ${messageOf(error)}.`, options)
    : new DatabaseUnavailable(messageOf(error), options);
}

/** What the driver itself has to say, which it says with little but a code. */
const DRIVER_MESSAGES: Record<string, string> = {
  CONNECT_TIMEOUT: 'it does not answer',
  CONNECTION_CLOSED: 'it was closed',
  CONNECTION_DESTROYED: 'it was given up',
  CONNECTION_ENDED: 'it was given up',
};

/** An error in few words. */
export function messageOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown error';
  const ofDriver = DRIVER_MESSAGES[codeOf(error)];
  if (ofDriver !== undefined) return ofDriver;
  if (error.message !== '') return error.message;
  // Where a name has several addresses, Node gives one error for each and none of its own.
  return error instanceof AggregateError ? error.errors.map(messageOf).join(', ') : error.name;
}
