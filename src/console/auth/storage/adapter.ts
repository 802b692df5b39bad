import { type CleanedWhere, createAdapterFactory, type DBAdapterInstance } from 'better-auth/adapters';
import type { Connection, Database, Reader, Value } from '../../../database/database.ts';
import {
  type Change,
  countRows,
  deleteOneRow,
  deleteRows,
  insertRow,
  selectRows,
  updateOneRow,
  updateRows,
} from './model-queries.ts';
import { type ModelTable, modelTables } from './tables.ts';

/** The database, or an open transaction. */
interface Access {
  reader: Reader;
  write<T>(work: (connection: Connection) => Promise<T>): Promise<T>;
}

/** better-auth's storage in Tradepost's own database. */
export function authStorage(database: Database): DBAdapterInstance {
  return (options) => {
    const access: Access = { reader: database, write: (work) => database.transaction(work) };
    return adapterOn(access, (callback) =>
      database.transaction((connection) => {
        const within: Access = { reader: connection, write: (work) => work(connection) };
        return callback(adapterOn(within, false)(options));
      }),
    )(options);
  };
}

type Transaction = NonNullable<Parameters<typeof createAdapterFactory>[0]['config']['transaction']>;

function adapterOn(access: Access, transaction: Transaction): DBAdapterInstance {
  return createAdapterFactory({
    config: {
      adapterId: 'tradepost',
      supportsBooleans: false,
      transaction,
      customTransformOutput: ({ data, fieldAttributes }) =>
        fieldAttributes.type === 'date' && typeof data === 'number' ? new Date(data) : data,
    },
    adapter: () => ({
      create: async ({ model, data }) => {
        await access.write((connection) => run(connection, insertRow(tableOf(model), data)));
        return data;
      },
      findOne: async <T>({ model, where }: { model: string; where: CleanedWhere[] }) => {
        const query = selectRows(tableOf(model), where, { limit: 1 });
        const [row] = await access.reader.all(query.statement, query.parameters);
        return toFields(tableOf(model), row, where) as T | null;
      },
      findMany: async <T>({
        model,
        where = [],
        ...page
      }: {
        model: string;
        where?: CleanedWhere[] | undefined;
        limit: number;
        sortBy?: { field: string; direction: 'asc' | 'desc' } | undefined;
        offset?: number | undefined;
      }) => {
        const query = selectRows(tableOf(model), where, page);
        const rows = await access.reader.all(query.statement, query.parameters);
        return rows.map((row) => toFields(tableOf(model), row, where)) as T[];
      },
      count: async ({ model, where = [] }) => {
        const query = countRows(tableOf(model), where);
        return Number((await access.reader.first(query.statement, query.parameters))?.rows);
      },
      update: async <T>({ model, where, update }: { model: string; where: CleanedWhere[]; update: T }) =>
        (await changeOne(model, where, { set: update as Record<string, unknown> })) as T | null,
      updateMany: async ({ model, where, update }) =>
        await access.write((connection) =>
          run(connection, updateRows(tableOf(model), where, { set: update })),
        ),
      delete: async ({ model, where }) => {
        await access.write((connection) => run(connection, deleteRows(tableOf(model), where)));
      },
      deleteMany: async ({ model, where }) =>
        await access.write((connection) => run(connection, deleteRows(tableOf(model), where))),
      consumeOne: async <T>({ model, where }: { model: string; where: CleanedWhere[] }) => {
        const query = deleteOneRow(tableOf(model), where);
        const row = await access.write((connection) => connection.first(query.statement, query.parameters));
        return toFields(tableOf(model), row, where) as T | null;
      },
      incrementOne: async <T>({
        model,
        where,
        increment,
        set,
      }: { model: string; where: CleanedWhere[] } & Required<Pick<Change, 'increment'>> & Change) =>
        (await changeOne(model, where, { increment, set })) as T | null,
    }),
  });

  async function changeOne(model: string, where: CleanedWhere[], change: Change): Promise<unknown> {
    const query = updateOneRow(tableOf(model), where, change);
    const row = await access.write((connection) => connection.first(query.statement, query.parameters));
    return toFields(tableOf(model), row, where);
  }
}

function run(connection: Connection, query: ReturnType<typeof insertRow>): Promise<number> {
  return connection.run(query.statement, query.parameters);
}

function tableOf(model: string): ModelTable {
  const table = Object.hasOwn(modelTables, model) ? modelTables[model] : undefined;
  if (table === undefined) throw new Error(`no table for ${model}`);
  return table;
}

/** A hashed field gets its value from the query's conditions. */
function toFields(
  { columns, hashed }: ModelTable,
  row: Record<string, Value> | undefined,
  where: CleanedWhere[],
): Record<string, unknown> | null {
  if (row === undefined) return null;
  const fields = Object.entries(columns).map(([field, column]): [string, unknown] => {
    if (field !== hashed) return [field, row[column]];
    return [
      field,
      where.find((condition) => condition.field === field && condition.operator === 'eq')?.value ?? '',
    ];
  });
  return Object.fromEntries(fields);
}
