import type { Connection, Database, Reader } from '../../src/database/database.ts';
import { intercept } from '../../src/database/intercept.ts';
import type { Statement } from '../../src/database/statement.ts';

/** Records SQL that a service runs with `watched` among its parameters. */
export class StatementLog {
  readonly statements: string[] = [];
  watched: string | undefined;

  wrap(database: Database): Database {
    return intercept(database, {
      ...this.#reads(database),
      transaction: (work, options) =>
        database.transaction((connection) => work(this.#connection(connection)), options),
    });
  }

  #reads(reader: Reader): Pick<Reader, 'all' | 'first'> {
    return {
      all: (statement, ...parameters) => reader.all(this.#recorded(statement, parameters), ...parameters),
      first: (statement, ...parameters) => reader.first(this.#recorded(statement, parameters), ...parameters),
    };
  }

  #connection(connection: Connection): Connection {
    return {
      ...this.#reads(connection),
      allEach: (statement, sets) => connection.allEach(this.#recorded(statement, sets), sets),
      run: (statement, ...parameters) => connection.run(this.#recorded(statement, parameters), ...parameters),
      runEach: (statement, sets) => connection.runEach(this.#recorded(statement, sets), sets),
      send: (statement, sets) => connection.send(this.#recorded(statement, sets), sets),
    };
  }

  #recorded<Parameters, Row>(
    statement: Statement<Parameters, Row>,
    parameters: readonly unknown[],
  ): Statement<Parameters, Row> {
    const isWatched = parameters
      .flatMap((set) => Object.values((set ?? {}) as object))
      .some((value) => value === this.watched);
    if (isWatched) this.statements.push(statement.sql);
    return statement;
  }
}
