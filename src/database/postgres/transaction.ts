import type { Connection } from '../database.ts';
import { isConnectionError } from './errors.ts';

/** The statements of a transaction, which a `Transaction` runs. */
export type Statements = Omit<Connection, 'send'>;

export type BeginNested = <T>(work: (statements: Statements) => Promise<T>) => Promise<T>;

/**
 * After its connection is lost or it is given up, a transaction's work never continues: the driver would
 * write later statements, even its own rollback, to a closed socket or into another transaction.
 */
export class Transaction implements Connection {
  readonly #statements: Statements;
  readonly #begin: BeginNested;
  readonly #givenUp: AbortSignal;
  readonly #onLost: (error: unknown) => void;
  readonly #sent: Promise<void>[] = [];

  /** Calls `onLost` if the connection is lost. `givenUp` is aborted when nothing awaits the outcome. */
  constructor(
    statements: Statements,
    begin: BeginNested,
    givenUp: AbortSignal,
    onLost: (error: unknown) => void,
  ) {
    this.#statements = statements;
    this.#begin = begin;
    this.#givenUp = givenUp;
    this.#onLost = onLost;
  }

  all: Connection['all'] = (statement, ...parameters) =>
    this.whileActive(() => this.#statements.all(statement, ...parameters));

  first: Connection['first'] = (statement, ...parameters) =>
    this.whileActive(() => this.#statements.first(statement, ...parameters));

  run: Connection['run'] = (statement, ...parameters) =>
    this.whileActive(() => this.#statements.run(statement, ...parameters));

  runEach: Connection['runEach'] = (statement, parameterSets) =>
    this.whileActive(() => this.#statements.runEach(statement, parameterSets));

  send: Connection['send'] = (statement, parameterSets) => {
    if (parameterSets.length === 0) return;
    const sent = this.runEach(statement, parameterSets);
    // Reported by `allSent`.
    sent.catch(() => {});
    this.#sent.push(sent);
  };

  /** Resolves when everything that was sent has run. @throws if a statement failed */
  allSent(): Promise<unknown> {
    return this.whileActive(() => Promise.all(this.#sent));
  }

  /** Runs `work`. If it fails, its writes are undone, and only those. */
  nested<T>(work: (connection: Connection) => Promise<T>): Promise<T> {
    return this.whileActive(() =>
      this.#begin((statements) => {
        const nested = new Transaction(statements, this.#begin, this.#givenUp, this.#onLost);
        return nested.whileActive(async () => {
          const result = await work(nested);
          await nested.allSent();
          return result;
        });
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
