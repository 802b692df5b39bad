import type { Connection } from '../database.ts';
import { isConnectionError } from './errors.ts';

/**
 * The statements of one transaction. Once its connection is lost, or it was given up, its work is left
 * where it is for good: the driver would write what came next, its own rollback too, to a socket that is
 * gone, or into another transaction on the one in its place.
 */
export class Transaction implements Connection {
  readonly #connection: Connection;
  readonly #givenUp: AbortSignal;
  readonly #onLost: (error: unknown) => void;

  /** `onLost` is told why the connection is lost; `givenUp` is when nobody waits for the outcome any more. */
  constructor(connection: Connection, givenUp: AbortSignal, onLost: (error: unknown) => void) {
    this.#connection = connection;
    this.#givenUp = givenUp;
    this.#onLost = onLost;
  }

  all: Connection['all'] = (statement, ...parameters) =>
    this.whileItLasts(() => this.#connection.all(statement, ...parameters));

  first: Connection['first'] = (statement, ...parameters) =>
    this.whileItLasts(() => this.#connection.first(statement, ...parameters));

  run: Connection['run'] = (statement, ...parameters) =>
    this.whileItLasts(() => this.#connection.run(statement, ...parameters));

  runEach: Connection['runEach'] = (statement, parameterSets) =>
    this.whileItLasts(() => this.#connection.runEach(statement, parameterSets));

  /** What comes of `step`; never settles when the transaction ends before. */
  async whileItLasts<T>(step: () => Promise<T>): Promise<T> {
    try {
      if (!this.#givenUp.aborted) {
        const result = await step();
        if (!this.#givenUp.aborted) return result;
      }
    } catch (error) {
      if (isConnectionError(error)) this.#onLost(error);
      else if (!this.#givenUp.aborted) throw error;
    }
    return await new Promise<never>(() => {});
  }
}
