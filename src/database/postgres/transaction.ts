import type { Connection } from '../database.ts';
import { isConnectionError } from './errors.ts';

/** The statements of a transaction, which a `Transaction` runs. */
export interface Statements extends Connection {
  /** Resolves when COMMIT may follow: everything that was passed to `send` has gone to the server. */
  flush(): Promise<void>;
  /** Resolves when everything that was passed to `send` has run. @throws if a statement failed */
  allSent(): Promise<void>;
  /** From now on, statements fail, and what waits to be sent is dropped. */
  end(): void;
  /** Ends after an error of the work. Resolves when ROLLBACK may follow, to the error that came first. */
  fail(error: unknown): Promise<unknown>;
}

export type BeginNested = <T>(work: (statements: Statements) => Promise<T>) => Promise<T>;

/**
 * After its connection is lost or it is given up, a transaction's work never continues: the driver would
 * write later statements, even its own rollback, to a closed socket or into another transaction.
 */
export class Transaction implements Statements {
  readonly #statements: Statements;
  readonly #begin: BeginNested;
  readonly #givenUp: AbortSignal;
  readonly #onLost: (error: unknown) => void;

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

  allEach: Connection['allEach'] = (statement, parameterSets) =>
    this.whileActive(() => this.#statements.allEach(statement, parameterSets));

  first: Connection['first'] = (statement, ...parameters) =>
    this.whileActive(() => this.#statements.first(statement, ...parameters));

  run: Connection['run'] = (statement, ...parameters) =>
    this.whileActive(() => this.#statements.run(statement, ...parameters));

  runEach: Connection['runEach'] = (statement, parameterSets) =>
    this.whileActive(() => this.#statements.runEach(statement, parameterSets));

  send: Connection['send'] = (statement, parameterSets) => {
    // As `whileActive`.
    if (!this.#givenUp.aborted) this.#statements.send(statement, parameterSets);
  };

  flush(): Promise<void> {
    return this.whileActive(() => this.#statements.flush());
  }

  allSent(): Promise<void> {
    return this.whileActive(() => this.#statements.allSent());
  }

  end(): void {
    this.#statements.end();
  }

  fail(error: unknown): Promise<unknown> {
    return this.whileActive(() => this.#statements.fail(error));
  }

  /** Runs `work` and then `settle`. Later statements of `work`, which nothing awaits, fail. */
  async complete<T>(work: (transaction: Transaction) => Promise<T>, settle: () => Promise<void>): Promise<T> {
    try {
      const result = await work(this);
      await settle();
      this.end();
      return result;
    } catch (error) {
      throw await this.fail(error);
    }
  }

  /** Runs `work`. If it fails, its writes are undone, and only those. */
  nested<T>(work: (connection: Connection) => Promise<T>): Promise<T> {
    return this.whileActive(async () => {
      await this.#statements.flush();
      return await this.#begin((statements) => {
        const nested = new Transaction(statements, this.#begin, this.#givenUp, this.#onLost);
        return nested.whileActive(() => nested.complete(work, () => nested.allSent()));
      });
    });
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
