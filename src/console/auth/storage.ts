import { type CleanedWhere, createAdapterFactory, type DBAdapterInstance } from 'better-auth/adapters';
import {
  type Connection,
  type Database,
  type Reader,
  statement,
  type Value,
} from '../../database/database.ts';
import { hashSecret } from './secrets.ts';

/** Stores a hash. When a row is read, its token is taken from the conditions that found it. */
const HASHED_COLUMN = 'token_hash';
/** The client's address. */
const UNSTORED_FIELD = 'ipAddress';

const OPERATORS: Readonly<Record<string, string>> = {
  eq: '=',
  ne: '<>',
  lt: '<',
  lte: '<=',
  gt: '>',
  gte: '>=',
};

/** Rows of a table that match all conditions. */
interface Target {
  model: string;
  where: CleanedWhere[];
}

type Write = <T>(work: (connection: Connection) => Promise<T>) => Promise<T>;
type Transaction = NonNullable<Parameters<typeof createAdapterFactory>[0]['config']['transaction']>;

/** better-auth's storage in Tradepost's own database. The options in `auth.ts` name tables and columns. */
export function authStorage(database: Database): DBAdapterInstance {
  return (options) =>
    storageOn(
      database,
      (work) => database.transaction(work),
      (callback) =>
        database.transaction((connection) =>
          callback(storageOn(connection, (work) => work(connection), false)(options)),
        ),
    )(options);
}

/** A change is one statement, so that of several concurrent calls one gets the row. */
function storageOn(reader: Reader, write: Write, transaction: Transaction): DBAdapterInstance {
  const select = <T>({ model, where }: Target, limit: number, order = ''): Promise<T[]> =>
    rowsOf(reader, where, (values) => {
      const conditions = values.conditions(where);
      return `SELECT * FROM ${model} WHERE ${conditions}${order} LIMIT ${values.bind('limit', limit)}`;
    });
  const change = <T>(where: CleanedWhere[], sqlOf: (values: Values) => string): Promise<T[]> =>
    write((connection) => rowsOf(connection, where, (values) => `${sqlOf(values)} RETURNING *`));
  const update = <T>({ model, where }: Target, set: object, increment: object = {}): Promise<T[]> =>
    change(where, (values) => {
      const assignments = values.assignments(set, increment);
      return `UPDATE ${model} SET ${assignments} WHERE ${values.conditions(where)}`;
    });
  const remove = <T>({ model, where }: Target): Promise<T[]> =>
    change(where, (values) => `DELETE FROM ${model} WHERE ${values.conditions(where)}`);

  return createAdapterFactory({
    config: {
      adapterId: 'tradepost',
      supportsBooleans: false,
      transaction,
      customTransformInput: ({ data, field }) => (field === UNSTORED_FIELD ? undefined : data),
      customTransformOutput: ({ data, fieldAttributes }) =>
        fieldAttributes.type === 'date' && typeof data === 'number' ? new Date(data) : data,
    },
    adapter: () => ({
      create: async ({ model, data }) => {
        await change([], (values) => {
          const bound = Object.entries(data).map(([column, value]) => values.bind(column, value));
          return `INSERT INTO ${model} (${Object.keys(data).join(', ')}) VALUES (${bound.join(', ')})`;
        });
        return data;
      },
      findOne: async <T>(target: Target) => firstOf(await select<T>(target, 1)),
      findMany: ({ model, where = [], limit, sortBy, offset = 0 }) => {
        if (offset > 0) throw new Error('unsupported offset');
        const order = sortBy && ` ORDER BY ${sortBy.field} ${sortBy.direction}`;
        return select({ model, where }, limit, order);
      },
      count: () => {
        throw new Error('unsupported count');
      },
      update: async <T>({ update: set, ...target }: Target & { update: T }) =>
        firstOf(await update<T>(target, set as object)),
      updateMany: async ({ update: set, ...target }) => (await update(target, set)).length,
      incrementOne: async <T>({
        set = {},
        increment,
        ...target
      }: Target & { set?: object | undefined; increment: object }) =>
        firstOf(await update<T>(target, set, increment)),
      delete: async (target) => void (await remove(target)),
      deleteMany: async (target) => (await remove(target)).length,
      consumeOne: async <T>(target: Target) => firstOf(await remove<T>(target)),
    }),
  });
}

function firstOf<T>(rows: T[]): T | null {
  return rows[0] ?? null;
}

async function rowsOf<T>(
  reader: Reader,
  where: CleanedWhere[],
  sqlOf: (values: Values) => string,
): Promise<T[]> {
  const values = new Values();
  const sql = sqlOf(values);
  const rows = await reader.all(
    statement<Values['parameters'], Values['parameters']>(sql),
    values.parameters,
  );
  const token =
    where.find(({ field, operator }) => field === HASHED_COLUMN && operator === 'eq')?.value ?? '';
  return rows.map((row) => (HASHED_COLUMN in row ? { ...row, [HASHED_COLUMN]: token } : row) as T);
}

/** The values of a statement, as parameters, and the parts of the statement that they are in. */
class Values {
  readonly parameters: Record<string, Value> = {};

  bind(column: string, value: unknown): string {
    const name = `p${Object.keys(this.parameters).length}`;
    this.parameters[name] = toValue(column, value);
    return `:${name}`;
  }

  assignments(set: object, increment: object): string {
    const values = Object.entries(set).map(([column, value]) => `${column} = ${this.bind(column, value)}`);
    const sums = Object.entries(increment).map(
      ([column, amount]) => `${column} = coalesce(${column}, 0) + ${this.bind(column, amount)}`,
    );
    return [...values, ...sums].join(', ');
  }

  conditions(where: CleanedWhere[]): string {
    const conditions = where.map(({ field: column, operator, value, connector, mode }) => {
      if (connector !== 'AND' || mode !== 'sensitive')
        throw new Error(`unsupported condition: ${connector}, ${mode}`);
      if (operator === 'in' && Array.isArray(value))
        return value.length === 0
          ? '1 = 0'
          : `${column} IN (${value.map((item) => this.bind(column, item)).join(', ')})`;
      const sign = OPERATORS[operator ?? ''];
      if (sign === undefined) throw new Error(`unsupported operator: ${operator}`);
      if (value === null) return `${column} IS ${operator === 'ne' ? 'NOT ' : ''}NULL`;
      return `${column} ${sign} ${this.bind(column, value)}`;
    });
    return conditions.length === 0 ? '1 = 1' : conditions.join(' AND ');
  }
}

function toValue(column: string, value: unknown): Value {
  if (value instanceof Date) return value.getTime();
  if (typeof value === 'string') return column === HASHED_COLUMN ? hashSecret(value) : value;
  if (typeof value === 'number' || value === null) return value;
  throw new Error(`${column} has a value that cannot be stored`);
}
