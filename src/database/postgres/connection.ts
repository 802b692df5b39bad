import { pipeline } from 'node:stream/promises';
import type { Sql } from 'postgres';
import {
  type ArgumentsOf,
  type InsertTarget,
  type RowWithItems,
  type Statement,
  statement,
  type UpdateTarget,
  type Value,
  valuesOf,
} from '../database.ts';
import { copyText } from './copy-text.ts';
import { translatePrivilegeError } from './errors.ts';
import type { Statements } from './transaction.ts';

type StatementSender = Pick<Sql, 'unsafe'>;

/** Up to this many rows are faster as one statement each than as a COPY. */
const FEW_ROWS = 4;
/** The maximum rows of one update. */
const ROWS_AT_ONCE = 200;

// Types by their OID in PostgreSQL's catalog.
const NUMBERS = new Set([20, 21, 23, 26, 700, 701, 1700]);
const BYTEA = 17;
/** No table has this type. Values that a statement casts to it are returned as bytes. */
const VARCHAR = 1043;

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

/** Gets the rows as JSON. As a text first: the driver would encode a parameter of the type json once more. */
function updateOfMany({ table, columns, key }: UpdateTarget): string {
  const set = columns.map((column) => `${column} = n.${column}`).join(', ');
  const where = key.map((column) => `t.${column} = n.${column}`).join(' AND ');
  return `UPDATE ${table} AS t SET ${set}
    FROM json_populate_recordset(CAST(NULL AS ${table}), CAST(CAST(:rows AS text) AS json)) AS n WHERE ${where}`;
}

export class PostgresConnection implements Statements {
  readonly #sender: StatementSender;
  readonly #options: ConnectionOptions;
  readonly #onResponse: () => void;
  #copied: Promise<void> | undefined;

  constructor(sender: StatementSender, options: ConnectionOptions, onResponse: () => void) {
    this.#sender = sender;
    this.#options = options;
    this.#onResponse = onResponse;
  }

  /** Resolves after the last COPY, during which the protocol allows no statement; undefined without one. */
  get copied(): Promise<void> | undefined {
    return this.#copied;
  }

  async all<Parameters, Row>(
    statement: Statement<Parameters, Row>,
    ...[parameters]: ArgumentsOf<NoInfer<Parameters>>
  ): Promise<Row[]> {
    const { rows, columns } = await this.#send(statement, valuesOf(statement, parameters));
    return rows.map((row) => toRecord<Row>(row, columns));
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
  ): Promise<void> {
    const rows = parameterSets.map((parameters) => valuesOf(statement, parameters));
    if (statement.insert !== undefined && rows.length > FEW_ROWS) {
      const copying = this.#copy(statement.insert, rows, this.#copied);
      this.#copied = copying.catch(() => {});
      await copying;
      return;
    }
    const { update } = statement;
    // A cluster needs to know a statement's merchant.
    if (update !== undefined && rows.length > 1 && !this.#options.isDistributed)
      await Promise.all(this.#updateInSteps(statement, update, rows));
    else await Promise.all(rows.map((values) => this.#send(statement, values)));
  }

  /** The server responds to each statement by itself, so many rows are faster in few statements. */
  *#updateInSteps(
    { placeholders }: Statement,
    target: UpdateTarget,
    rows: readonly Value[][],
  ): Generator<Promise<unknown>> {
    const update = statement<{ rows: string }, never>(updateOfMany(target));
    for (let start = 0; start < rows.length; start += ROWS_AT_ONCE) {
      const records = rows
        .slice(start, start + ROWS_AT_ONCE)
        .map((values) =>
          Object.fromEntries(values.map((value, index) => [placeholders[index]?.name, value])),
        );
      yield this.#send(update, [JSON.stringify(records)]);
    }
  }

  async #send(
    { sql, planEachTime = false }: Statement,
    values: Value[],
  ): Promise<{ rows: (Buffer | null)[][]; columns: Column[]; count: number }> {
    if (this.#copied !== undefined) await this.#copied;
    try {
      // Not prepared, a statement is planned each time.
      const options = { prepare: this.#options.prepare && !planEachTime };
      const result = await this.#sender.unsafe(translate(sql), values, options).raw();
      this.#onResponse();
      return { rows: [...result], columns: result.columns ?? [], count: result.count ?? 0 };
    } catch (error) {
      throw translatePrivilegeError(error);
    }
  }

  async #copy(
    { table, columns }: InsertTarget,
    rows: Value[][],
    earlier: Promise<void> | undefined,
  ): Promise<void> {
    await earlier;
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
