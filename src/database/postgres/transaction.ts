import type { Connection } from '../database.ts';
import { isConnectionError } from './errors.ts';

/**
 * The statements of one transaction. After its connection is lost or it is given up, its work never continues: the
 * driver would write later statements, including its own rollback, to a closed socket, or into another transaction on
 * the connection that replaced it.
 */
export class Transaction implements Connection {
  readonly #connection: Connection;
  readonly #givenUp: AbortSignal;
  readonly #onLost: (error: unknown) => void;

  /** Calls `onLost` with the reason if the connection is lost. `givenUp` is aborted when nothing awaits the outcome. */
  constructor(connection: Connection, givenUp: AbortSignal, onLost: (error: unknown) => void) {
    this.#connection = connection;
    this.#givenUp = givenUp;
    this.#onLost = onLost;
  }

  all: Connection['all'] = (statement, ...parameters) =>
    this.whileActive(() => this.#connection.all(statement, ...parameters));

  first: Connection['first'] = (statement, ...parameters) =>
    this.whileActive(() => this.#connection.first(statement, ...parameters));

  run: Connection['run'] = (statement, ...parameters) =>
    this.whileActive(() => this.#connection.run(statement, ...parameters));

  runEach: Connection['runEach'] = (statement, parameterSets) =>
    this.whileActive(() => this.#connection.runEach(statement, parameterSets));

  /** Resolves to the result of `step`. Never settles if the transaction ends before. */
  async whileActive<T>(step: () => Promise<T>): Promise<T> {
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
