import { DomainError } from '../errors/domain-error.ts';
import { DatabaseUnavailable } from './database.ts';

const kinds = { DomainError, DatabaseUnavailable, Error };

/** An error as a message to another thread, which would lose its class. */
export interface EncodedError {
  kind: keyof typeof kinds;
  message: string;
  stack: string;
  /** Such as the code of a `DomainError`. */
  properties: object;
}

export function encodeError(error: unknown): EncodedError {
  if (!(error instanceof Error)) return { kind: 'Error', message: String(error), stack: '', properties: {} };
  const { message, stack = '' } = error;
  const isOf = (kind: 'DomainError' | 'DatabaseUnavailable'): boolean => error instanceof kinds[kind];
  const kind = isOf('DomainError')
    ? 'DomainError'
    : isOf('DatabaseUnavailable')
      ? 'DatabaseUnavailable'
      : 'Error';
  // Functions cannot be sent.
  const properties = Object.entries(error).filter(([, value]) => typeof value !== 'function');
  return { kind, message, stack, properties: Object.fromEntries(properties) };
}

export function decodeError({ kind, message, stack, properties }: EncodedError): Error {
  const error = kind === 'DomainError' ? new DomainError('', { message }) : new kinds[kind](message);
  return Object.assign(error, properties, { stack });
}

/** The errors of calls to a thread of the database. */
export const threadErrors = {
  unavailable: (reason: string): Error => new DatabaseUnavailable(reason),
  decodeError,
};
