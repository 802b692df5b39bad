import { pipeline } from 'node:stream/promises';
import type { Sql } from 'postgres';
import {
  type ArgumentsOf,
  type Connection,
  type CopyTarget,
  type RowWithItems,
  type Statement,
  type Value,
  valuesOf,
} from '../database.ts';
import { copyText } from './copy-text.ts';
import { translateRefusal } from './errors.ts';

/** A pool, or one of its connections that a transaction has to itself. */
export type Sender = Pick<Sql, 'unsafe'>;

/** Rows, or fewer, that are quicker sent one statement each than as a COPY. */
const FEW_ROWS = 4;

// Types by the numbers that PostgreSQL's catalog gives them.
const NUMBERS = new Set([20, 21, 23, 26, 700, 701, 1700]);
const BYTEA = 17;
/** No table has a column of this type: what is cast to it is handed on as the bytes that came. */
const VARCHAR = 1043;

/** The statement with the server's own places for parameters; made once each. */
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

/** Statements on one connection of its own, or on whichever of a pool is free. */
export class PostgresConnection implements Connection {
  readonly #sender: Sender;
  readonly #prepare: boolean;
  readonly #onAnswer: () => void;

  /** `onAnswer` is told each time that the server has answered. */
  constructor(sender: Sender, prepare: boolean, onAnswer: () => void) {
    this.#sender = sender;
    this.#prepare = prepare;
    this.#onAnswer = onAnswer;
  }

  async all<Parameters, Row>(
    statement: Statement<Parameters, Row>,
    ...[parameters]: ArgumentsOf<NoInfer<Parameters>>
  ): Promise<Row[]> {
    const { rows, columns } = await this.#send(statement, valuesOf(statement, parameters));
    return rows.map((row) => named<Row>(row, columns));
  }

  /** A row and the JSON array of the last column of all rows after it. */
  async firstWithItems<Parameters, Row>(
    statement: Statement<Parameters, Row>,
    parameters: NoInfer<Parameters>,
  ): Promise<RowWithItems<Row> | undefined> {
    const { rows, columns } = await this.#send(statement, valuesOf(statement, parameters));
    const [first, ...others] = rows;
    if (first === undefined) return undefined;
    const items = others.flatMap((row) => row.at(-1) ?? []);
    return {
      row: named<Row>(first, columns),
      items: jsonArray(items),
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
    if (statement.copy !== undefined && rows.length > FEW_ROWS) {
      await this.#copy(statement.copy, rows);
      return;
    }
    // Sent without waiting for results in between.
    await Promise.all(rows.map((values) => this.#send(statement, values)));
  }

  async #send(
    { sql, planEachTime = false }: Statement,
    values: Value[],
  ): Promise<{ rows: (Buffer | null)[][]; columns: Column[]; count: number }> {
    try {
      // A statement without a name is planned each time, for the parameters that it then has.
      const options = { prepare: this.#prepare && !planEachTime };
      const result = await this.#sender.unsafe(translate(sql), values, options).raw();
      this.#onAnswer();
      return { rows: [...result], columns: result.columns ?? [], count: result.count ?? 0 };
    } catch (error) {
      throw translateRefusal(error);
    }
  }

  async #copy({ table, columns }: CopyTarget, rows: Value[][]): Promise<void> {
    const query = this.#sender.unsafe(`COPY ${table} (${columns.join(', ')}) FROM STDIN`);
    const stream = await query.writable();
    // Once all is sent, the driver has nobody left to tell of a failure but the query itself.
    const failure = Promise.withResolvers<never>();
    Object.assign(query, { reject: failure.reject });
    await Promise.race([pipeline(copyText(rows), stream), failure.promise]);
    this.#onAnswer();
  }
}

type Column = { name: string; type: number };

function named<Row>(row: (Buffer | null)[], columns: readonly Column[]): Row {
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

/** The bytes of JSON texts, as an array of them. */
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
