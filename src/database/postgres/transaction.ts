import type { Connection } from '../database.ts';
import { isConnectionError } from './errors.ts';

export type BeginNested = <T>(work: (connection: Connection) => Promise<T>) => Promise<T>;

/**
 * After its connection is lost or it is given up, a transaction's work never continues: the driver would
 * write later statements, even its own rollback, to a closed socket or into another transaction.
 */
export class Transaction implements Connection {
  readonly #connection: Connection;
  readonly #begin: BeginNested;
  readonly #givenUp: AbortSignal;
  readonly #onLost: (error: unknown) => void;

  /** Calls `onLost` if the connection is lost. `givenUp` is aborted when nothing awaits the outcome. */
  constructor(
    connection: Connection,
    begin: BeginNested,
    givenUp: AbortSignal,
    onLost: (error: unknown) => void,
  ) {
    this.#connection = connection;
    this.#begin = begin;
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

  /** Runs `work`. If it fails, its writes are undone, and only those. */
  nested<T>(work: (connection: Connection) => Promise<T>): Promise<T> {
    return this.whileActive(() =>
      this.#begin((connection) => {
        const nested = new Transaction(connection, this.#begin, this.#givenUp, this.#onLost);
        return nested.whileActive(() => work(nested));
      }),
    );
  }

  /** Never settles if the transaction ends before. */
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
