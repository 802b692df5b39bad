import { createAdapterFactory, type DBAdapterInstance } from 'better-auth/adapters';
import type { Connection, Database, Reader } from '../../database/database.ts';
import {
  deleteRows,
  HASHED_COLUMN,
  insertRow,
  type Query,
  selectRows,
  type Target,
  updateRows,
} from './model-queries.ts';

/** The client's address. */
const UNSTORED_FIELD = 'ipAddress';

type Write = <T>(work: (connection: Connection) => Promise<T>) => Promise<T>;
type Transaction = NonNullable<Parameters<typeof createAdapterFactory>[0]['config']['transaction']>;

/** better-auth's storage in Tradepost's own database. */
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

/** A change is one statement, so that only one of several concurrent calls gets the row. */
function storageOn(reader: Reader, write: Write, transaction: Transaction): DBAdapterInstance {
  const change = <T>(query: Query, where: Target['where'] = []): Promise<T[]> =>
    write((connection) => rowsOf(connection, query, where));
  return createAdapterFactory({
    config: {
      adapterId: 'tradepost',
      supportsBooleans: false,
      transaction,
      customTransformInput: ({ data, field }) => (field === UNSTORED_FIELD ? undefined : data),
      customTransformOutput: ({ data, fieldAttributes }) =>
        fieldAttributes.type === 'date' && typeof data === 'number' ? new Date(data) : data,
    },
    adapter: ({ getFieldName }) => ({
      create: async ({ model, data }) => {
        await change(insertRow(model, data));
        return data;
      },
      findOne: async <T>(target: Target) =>
        firstOf(await rowsOf<T>(reader, selectRows(target, { limit: 1 }), target.where)),
      findMany: ({ model, where = [], limit, sortBy, offset = 0 }) => {
        if (offset > 0) throw new Error('unsupported offset');
        const order = sortBy && { ...sortBy, field: getFieldName({ model, field: sortBy.field }) };
        return rowsOf(reader, selectRows({ model, where }, { limit, sortBy: order }), where);
      },
      count: () => {
        throw new Error('unsupported count');
      },
      update: async <T>({ update, ...target }: Target & { update: T }) =>
        firstOf(await change<T>(updateRows(target, update as object), target.where)),
      updateMany: async ({ update, ...target }) => (await change(updateRows(target, update))).length,
      incrementOne: async <T>({
        set = {},
        increment,
        ...target
      }: Target & { set?: object | undefined; increment: object }) =>
        firstOf(await change<T>(updateRows(target, set, increment), target.where)),
      delete: async (target) => void (await change(deleteRows(target))),
      deleteMany: async (target) => (await change(deleteRows(target))).length,
      consumeOne: async <T>(target: Target) => firstOf(await change<T>(deleteRows(target), target.where)),
    }),
  });
}

/** Tokens are stored as hashes, so a row gets its token from the conditions that found it. */
async function rowsOf<T>(
  reader: Reader,
  { statement, parameters }: Query,
  where: Target['where'],
): Promise<T[]> {
  const rows = await reader.all(statement, parameters);
  const token =
    where.find(({ field, operator }) => field === HASHED_COLUMN && operator === 'eq')?.value ?? '';
  return rows.map((row) => (HASHED_COLUMN in row ? { ...row, [HASHED_COLUMN]: token } : row) as T);
}

function firstOf<T>(rows: T[]): T | null {
  return rows[0] ?? null;
}
