import { pipeline } from 'node:stream/promises';
import type { Sql } from 'postgres';
import { DatabaseUnavailable, type RowWithItems } from '../database.ts';
import { type ArgumentsOf, type InsertTarget, type Statement, type Value, valuesOf } from '../statement.ts';
import { copyText } from './copy-text.ts';
import { isAborted, translatePrivilegeError } from './errors.ts';
import { mergeWrites, type Write } from './merge-writes.ts';
import { LOCK, readOfEach } from './read-rows.ts';
import type { Statements } from './transaction.ts';
import { updateRows, upsertRows } from './write-rows.ts';

type StatementSender = Pick<Sql, 'unsafe'>;

/** Up to this many rows are faster as one statement each than as a COPY. */
const FEW_ROWS = 4;

// Types by their OID in PostgreSQL's catalog.
const NUMBERS = new Set([20, 21, 23, 26, 700, 701, 1700]);
const BYTEA = 17;
/** No table has this type. Values that a statement casts to it are returned as bytes. */
const VARCHAR = 1043;

/**
 * Keeps the driver from sending another query behind this one on its connection. PgBouncer 1.18 in
 * transaction mode, which needs `prepare` off, forgets such a query. Not in the driver's types.
 */
const NOTHING_BEHIND = { onexecute: (): boolean => false };

/** SQL with the server's own placeholders, by the SQL with `?`. */
const translated = new Map<string, string>();

function translate(sql: string): string {
  let text = translated.get(sql);
  if (text === undefined) {
    let place = 0;
    text = sql.replaceAll('?', () => `$${++place}`);
    translated.set(sql, text);
  }
  return text;
}

export interface ConnectionOptions {
  prepare: boolean;
  isDistributed: boolean;
}

export class PostgresConnection implements Statements {
  readonly #sender: StatementSender;
  readonly #options: ConnectionOptions;
  readonly #onResponse: () => void;
  /** Settles after the last COPY, during which the protocol allows no statement. */
  #copied: Promise<void> | undefined;
  /** What was passed to `send` and has not gone to the server. */
  #waiting: Write[] = [];
  readonly #sent: Promise<unknown>[] = [];
  #hasEnded = false;

  constructor(sender: StatementSender, options: ConnectionOptions, onResponse: () => void) {
    this.#sender = sender;
    this.#options = options;
    this.#onResponse = onResponse;
  }

  async all<Parameters, Row>(
    statement: Statement<Parameters, Row>,
    ...[parameters]: ArgumentsOf<NoInfer<Parameters>>
  ): Promise<Row[]> {
    return await this.#read(statement, parameters);
  }

  async allEach<Parameters, Row>(
    statement: Statement<Parameters, Row>,
    parameterSets: readonly NoInfer<Parameters>[],
  ): Promise<Row[][]> {
    const { isDistributed } = this.#options;
    if (isDistributed || parameterSets.length < 2)
      return await Promise.all(parameterSets.map((parameters) => this.#read(statement, parameters)));
    const read = { sql: readOfEach(statement, parameterSets) };
    const { rows, columns } = await this.#send(read, [JSON.stringify(parameterSets)]);
    const ofRow = columns.slice(0, -1);
    const results = parameterSets.map((): Row[] => []);
    for (const row of rows) results[Number(row.pop()) - 1]?.push(toRecord<Row>(row, ofRow));
    return results;
  }

  /** Returns the first row, and joins the last column of all other rows into a JSON array. */
  async firstWithItems<Parameters, Row>(
    statement: Statement<Parameters, Row>,
    parameters: NoInfer<Parameters>,
  ): Promise<RowWithItems<Row> | undefined> {
    const { rows, columns } = await this.#send(statement, valuesOf(statement, parameters));
    const [first, ...others] = rows;
    if (first === undefined) return undefined;
    const items = others.flatMap((row) => row.at(-1) ?? []);
    return {
      row: toRecord<Row>(first, columns),
      items: jsonArray(items),
      count: others.length,
      leftOut: others.length - items.length,
    };
  }

  async first<Parameters, Row>(
    statement: Statement<Parameters, Row>,
    ...parameters: ArgumentsOf<NoInfer<Parameters>>
  ): Promise<Row | undefined> {
    return (await this.all(statement, ...parameters))[0];
  }

  async run<Parameters>(
    statement: Statement<Parameters>,
    ...[parameters]: ArgumentsOf<NoInfer<Parameters>>
  ): Promise<number> {
    return (await this.#send(statement, valuesOf(statement, parameters))).count;
  }

  async runEach<Parameters>(
    statement: Statement<Parameters>,
    parameterSets: readonly NoInfer<Parameters>[],
  ): Promise<number> {
    const rows = parameterSets.map((parameters) => valuesOf(statement, parameters));
    const { insert } = statement;
    if (insert !== undefined && rows.length > FEW_ROWS) {
      await this.#copy(insert, rows);
      return rows.length;
    }
    const writes = this.#writes(statement, rows);
    const results = await Promise.all(writes.map(({ sql, values }) => this.#send({ sql }, values)));
    return results.reduce((changed, { count }) => changed + count, 0);
  }

  send<Parameters>(statement: Statement<Parameters>, parameterSets: readonly NoInfer<Parameters>[]): void {
    const rows = parameterSets.map((parameters) => valuesOf(statement, parameters));
    const { insert } = statement;
    if (insert !== undefined && rows.length > FEW_ROWS) this.#keep(this.#copy(insert, rows));
    else this.#waiting.push(...this.#writes(statement, rows));
  }

  /** Resolves when COMMIT may follow: everything that was passed to `send` has gone to the server. */
  async flush(): Promise<void> {
    this.#sendWaiting();
    // The driver's COMMIT, unlike statements of `#send`, does not wait for a COPY.
    await this.#copied;
  }

  async allSent(): Promise<void> {
    this.#sendWaiting();
    const failed = await this.#firstFailure();
    if (failed !== undefined) throw failed.reason;
  }

  end(): void {
    this.#hasEnded = true;
    this.#waiting = [];
  }

  async fail(error: unknown): Promise<unknown> {
    this.end();
    // The driver's ROLLBACK does not wait for a COPY either.
    await this.#copied;
    if (!isAborted(error)) return error;
    return (await this.#firstFailure())?.reason ?? error;
  }

  async #read<Parameters, Row>(
    statement: Statement<Parameters, Row>,
    parameters: Parameters | undefined,
  ): Promise<Row[]> {
    const { rows, columns } = await this.#send(statement, valuesOf(statement, parameters));
    return rows.map((row) => toRecord<Row>(row, columns));
  }

  async #firstFailure(): Promise<PromiseRejectedResult | undefined> {
    const results = await Promise.allSettled(this.#sent);
    return results.find((result) => result.status === 'rejected');
  }

  #sendWaiting(): void {
    if (this.#waiting.length === 0) return;
    const writes = this.#waiting;
    this.#waiting = [];
    // A cluster routes a statement by its only table.
    const merged = this.#options.isDistributed ? writes : mergeWrites(writes);
    for (const { sql, values } of merged) this.#keep(this.#send({ sql }, values));
  }

  #keep(sent: Promise<unknown>): void {
    // Reported by `allSent`.
    sent.catch(() => {});
    this.#sent.push(sent);
  }

  /** Updates and upserts of many rows are few statements. In a cluster, each statement needs its merchant. */
  #writes(statement: Statement, rows: readonly Value[][]): Write[] {
    const { sql, update, upsert } = statement;
    if (rows.length > 1 && !this.#options.isDistributed) {
      if (update !== undefined) return updateRows(statement, update, rows);
      if (upsert !== undefined) return upsertRows(statement, upsert, rows);
    }
    return rows.map((values) => ({ sql, values }));
  }

  async #send(
    { sql, planEachTime = false, locks = false }: Pick<Statement, 'sql' | 'planEachTime' | 'locks'>,
    values: Value[],
  ): Promise<{ rows: (Buffer | null)[][]; columns: Column[]; count: number }> {
    this.#sendWaiting();
    if (this.#copied !== undefined) await this.#copied;
    // A part of the work that nothing awaits may still run.
    if (this.#hasEnded) throw new DatabaseUnavailable('the transaction has ended');
    try {
      // Not prepared, a statement is planned each time.
      const options = {
        prepare: this.#options.prepare && !planEachTime,
        ...(!this.#options.prepare && NOTHING_BEHIND),
      };
      const result = await this.#sender
        .unsafe(translate(locks ? `${sql} ${LOCK}` : sql), values, options)
        .raw();
      this.#onResponse();
      return { rows: [...result], columns: result.columns ?? [], count: result.count ?? 0 };
    } catch (error) {
      throw translatePrivilegeError(error);
    }
  }

  #copy(target: InsertTarget, rows: Value[][]): Promise<void> {
    this.#sendWaiting();
    const copying = this.#copyAfter(this.#copied, target, rows);
    this.#copied = copying.catch(() => {});
    return copying;
  }

  async #copyAfter(
    earlier: Promise<void> | undefined,
    { table, columns }: InsertTarget,
    rows: Value[][],
  ): Promise<void> {
    await earlier;
    if (this.#hasEnded) throw new DatabaseUnavailable('the transaction has ended');
    const query = this.#sender.unsafe(`COPY ${table} (${columns.join(', ')}) FROM STDIN`);
    const stream = await query.writable();
    // After everything is sent, the driver reports a failure only to the query.
    const failure = Promise.withResolvers<never>();
    Object.assign(query, { reject: failure.reject });
    await Promise.race([pipeline(copyText(rows), stream), failure.promise]);
    this.#onResponse();
  }
}

type Column = { name: string; type: number };

function toRecord<Row>(row: (Buffer | null)[], columns: readonly Column[]): Row {
  const values: Record<string, Value> = {};
  for (let index = 0; index < columns.length; index += 1) {
    const column = columns[index];
    if (column !== undefined) values[column.name] = decode(row[index] ?? null, column.type);
  }
  return values as Row;
}

const [OPEN, COMMA, CLOSE] = ['[', ',', ']'].map((letter) => letter.charCodeAt(0)) as [
  number,
  number,
  number,
];

function jsonArray(items: readonly Buffer[]): Buffer {
  const length = items.reduce((sum, item) => sum + item.length + 1, items.length === 0 ? 2 : 1);
  const array = Buffer.allocUnsafeSlow(length);
  let end = array.writeUInt8(OPEN);
  for (const item of items) {
    if (end > 1) end = array.writeUInt8(COMMA, end);
    end += item.copy(array, end);
  }
  array.writeUInt8(CLOSE, end);
  return array;
}

function decode(value: Buffer | null, type: number): Value {
  if (value === null || type === VARCHAR) return value;
  if (NUMBERS.has(type)) return Number(value.toString('latin1'));
  if (type === BYTEA) return Buffer.from(value.toString('latin1', 2), 'hex');
  return value.toString();
}
