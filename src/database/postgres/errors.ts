import postgres from 'postgres';
import { messageOf } from '../../shared/error-message.ts';
import { DatabaseUnavailable, DatabaseUnusable } from '../database.ts';

export const TLS_REFUSED = 'ERR_TLS_REFUSED';

const INSUFFICIENT_PRIVILEGE = '42501';
const INTERNAL_ERROR = 'XX000';
// SQLSTATE classes of a rejected user or database; possible whenever a connection is opened.
const REJECTION_CLASSES = ['28', '3D'];
// SQLSTATE classes of temporary errors: connection, resources, shutdown, system error.
const TEMPORARY_CLASSES = new Set([...REJECTION_CLASSES, '08', '53', '57', '58']);
const ABORTED = '25P02';
// Read-only server, lock timeout, serialization failure, deadlock, aborted transaction.
const TEMPORARY_STATES = new Set(['25006', '55P03', '40001', '40P01', ABORTED]);
const LOST_CLASSES = new Set([...REJECTION_CLASSES, '08']);
// A server that shuts down or starts: another server may be the primary now.
const LOST_STATES = new Set(['57P01', '57P02', '57P03']);
/** A write on a standby. */
const READ_ONLY = '25006';

function sqlStateOf(error: unknown): string | undefined {
  return error instanceof postgres.PostgresError ? error.code : undefined;
}

/**
 * UNSAFE_TRANSACTION: the driver began a transaction on a connection that it had not reserved (its issue
 * 1189), and leaves it open.
 */
export function isConnectionError(error: unknown): boolean {
  return (
    !(error instanceof postgres.PostgresError) &&
    /^(CONNECT|E[A-Z]+$|EAI_|ERR_(TLS|SSL|SOCKET|STREAM)_|UNSAFE_TRANSACTION$)/.test(codeOf(error))
  );
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : '';
}

/** Whether a coordinator of Citus lost a worker during a commit: the worker may or may not have committed. */
function isFailedCommitOfWorker(error: unknown): boolean {
  return (
    error instanceof postgres.PostgresError &&
    error.code === INTERNAL_ERROR &&
    error.file === 'placement_connection.c'
  );
}

/** Turns temporary errors into `DatabaseUnavailable`, and returns others as they are. */
export function translatePostgresError(error: unknown): unknown {
  const state = sqlStateOf(error);
  if (state === undefined) {
    if (!isConnectionError(error)) return error;
    const message = `The connection to the database was lost: ${describeFailure(error)}.`;
    return new DatabaseUnavailable(message, { cause: error });
  }
  const isTemporary =
    TEMPORARY_CLASSES.has(state.slice(0, 2)) || TEMPORARY_STATES.has(state) || isFailedCommitOfWorker(error);
  return isTemporary ? new DatabaseUnavailable(describeFailure(error), { cause: error }) : error;
}

/** Turns a missing privilege into a line for the operator, and returns other errors as they are. */
export function translatePrivilegeError(error: unknown): unknown {
  if (sqlStateOf(error) !== INSUFFICIENT_PRIVILEGE) return error;
  return new DatabaseUnusable(`The database server rejected a statement: ${describeFailure(error)}.`, {
    cause: error,
  });
}

/** Whether the server that caused this error may no longer be the primary. */
export function isLost(error: unknown): boolean {
  if (!(error instanceof postgres.PostgresError)) return isConnectionError(error);
  const { code, severity } = error;
  if (code === READ_ONLY) return true;
  // After an ERROR, the connection still works: a coordinator of Citus reports a worker that is away.
  if (severity === 'ERROR') return false;
  return LOST_CLASSES.has(code.slice(0, 2)) || LOST_STATES.has(code);
}

/** Whether a statement failed only because another one of its transaction had failed before. */
export function isAborted(error: unknown): boolean {
  return sqlStateOf(error) === ABORTED;
}

export function isRetryable(error: unknown): boolean {
  const state = sqlStateOf(error);
  return state === '40001' || state === '40P01';
}

/** Returns `DatabaseUnusable`, with a line for the operator, if waiting cannot help. */
export function translateConnectError(error: unknown, host: string): unknown {
  const state = sqlStateOf(error) ?? '';
  if (state === INSUFFICIENT_PRIVILEGE || REJECTION_CLASSES.includes(state.slice(0, 2)))
    return new DatabaseUnusable(
      `The database server at ${host} rejected the connection: ${describeFailure(error)}.`,
    );
  if (!isConnectionError(error)) return translatePostgresError(error);
  const options = { cause: error };
  return codeOf(error) === TLS_REFUSED
    ? new DatabaseUnusable(
        `The database server at ${host} cannot be used: ${describeFailure(error)}.`,
        options,
      )
    : new DatabaseUnavailable(describeFailure(error), options);
}

/** Messages for the driver's own errors, which have little more than a code. */
const DRIVER_MESSAGES: Record<string, string> = {
  CONNECT_TIMEOUT: 'it does not respond',
  CONNECTION_CLOSED: 'the connection was closed',
  CONNECTION_DESTROYED: 'the connection was given up',
  CONNECTION_ENDED: 'the connection was given up',
};

export function describeFailure(error: unknown): string {
  const driverMessage = DRIVER_MESSAGES[codeOf(error)];
  if (driverMessage !== undefined) return driverMessage;
  if (!(error instanceof Error) || error.message !== '') return messageOf(error);
  // For a host name with several addresses, Node gives each address's error and no message.
  return error instanceof AggregateError ? error.errors.map(describeFailure).join(', ') : error.name;
}
