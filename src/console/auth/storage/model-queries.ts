import type { CleanedWhere } from 'better-auth/adapters';
import { type Statement, statement, type Value } from '../../../database/database.ts';
import { allColumns, columnOf, storedFields, toColumnValue } from './columns.ts';
import type { ModelTable } from './tables.ts';

interface Query {
  statement: Statement<Record<string, Value>, Record<string, Value>>;
  parameters: Record<string, Value>;
}

const OPERATORS: Readonly<Record<string, string>> = {
  eq: '=',
  ne: '<>',
  lt: '<',
  lte: '<=',
  gt: '>',
  gte: '>=',
};

/** `bind` adds a value to the parameters and returns its placeholder. */
function query(build: (bind: (value: Value) => string) => string): Query {
  const parameters: Record<string, Value> = {};
  let count = 0;
  const sql = build((value) => {
    count += 1;
    parameters[`p${count}`] = value;
    return `:p${count}`;
  });
  return { statement: statement<Record<string, Value>, Record<string, Value>>(sql), parameters };
}

type Bind = (value: Value) => string;

export function insertRow(model: ModelTable, row: Record<string, unknown>): Query {
  return query((bind) => {
    const fields = storedFields(model, row);
    const columns = fields.map(([field]) => columnOf(model, field));
    const values = fields.map(([field, value]) => bind(toColumnValue(model, field, value)));
    return `INSERT INTO ${model.table} (${columns.join(', ')}) VALUES (${values.join(', ')})`;
  });
}

export function selectRows(
  model: ModelTable,
  where: CleanedWhere[],
  {
    sortBy,
    limit,
    offset = 0,
  }: {
    sortBy?: { field: string; direction: 'asc' | 'desc' } | undefined;
    limit: number;
    offset?: number | undefined;
  },
): Query {
  const order =
    sortBy === undefined
      ? ''
      : ` ORDER BY ${columnOf(model, sortBy.field)} ${sortBy.direction === 'desc' ? 'DESC' : 'ASC'}`;
  return query(
    (bind) =>
      `SELECT ${allColumns(model)} FROM ${model.table} WHERE ${conditionOf(model, where, bind)}${order}
       LIMIT ${bind(limit)} OFFSET ${bind(offset)}`,
  );
}

export function countRows(model: ModelTable, where: CleanedWhere[]): Query {
  return query(
    (bind) => `SELECT count(*) AS rows FROM ${model.table} WHERE ${conditionOf(model, where, bind)}`,
  );
}

export function updateRows(model: ModelTable, where: CleanedWhere[], change: Change): Query {
  return query(
    (bind) =>
      `UPDATE ${model.table} SET ${assignments(model, change, bind)} WHERE ${conditionOf(model, where, bind)}`,
  );
}

/** Updates and returns one row, or nothing if the row no longer matches once it is locked. */
export function updateOneRow(model: ModelTable, where: CleanedWhere[], change: Change): Query {
  return query(
    (bind) =>
      `UPDATE ${model.table} SET ${assignments(model, change, bind)} WHERE ${oneOf(model, where, bind)}
       RETURNING ${allColumns(model)}`,
  );
}

export function deleteRows(model: ModelTable, where: CleanedWhere[]): Query {
  return query((bind) => `DELETE FROM ${model.table} WHERE ${conditionOf(model, where, bind)}`);
}

/** Deletes and returns one row that matches. Of concurrent calls, only one gets the row. */
export function deleteOneRow(model: ModelTable, where: CleanedWhere[]): Query {
  return query(
    (bind) => `DELETE FROM ${model.table} WHERE ${oneOf(model, where, bind)} RETURNING ${allColumns(model)}`,
  );
}

/** Fields to set, and amounts to add to numeric fields. */
export interface Change {
  set?: Record<string, unknown> | undefined;
  increment?: Record<string, number>;
}

function assignments(model: ModelTable, { set = {}, increment = {} }: Change, bind: Bind): string {
  const values = storedFields(model, set).map(
    ([field, value]) => `${columnOf(model, field)} = ${bind(toColumnValue(model, field, value))}`,
  );
  const sums = Object.entries(increment).map(([field, amount]) => {
    const column = columnOf(model, field);
    return `${column} = coalesce(${column}, 0) + ${bind(amount)}`;
  });
  return [...values, ...sums].join(', ');
}

/** Repeats the conditions, because another transaction may change the row meanwhile. */
function oneOf(model: ModelTable, where: CleanedWhere[], bind: Bind): string {
  const condition = conditionOf(model, where, bind);
  return `id = (SELECT id FROM ${model.table} WHERE ${condition} LIMIT 1) AND ${condition}`;
}

function conditionOf(model: ModelTable, where: CleanedWhere[], bind: Bind): string {
  const conditions = where.map(({ field, operator, value, connector, mode }) => {
    if (connector !== 'AND' || mode !== 'sensitive')
      throw new Error(`unsupported condition: ${connector}, ${mode}`);
    const column = columnOf(model, field);
    if (operator === 'in' && Array.isArray(value)) {
      const values = value.map((item) => bind(toColumnValue(model, field, item)));
      return values.length === 0 ? '1 = 0' : `${column} IN (${values.join(', ')})`;
    }
    const sign = operator === undefined ? undefined : OPERATORS[operator];
    if (sign === undefined) throw new Error(`unsupported operator: ${operator}`);
    if (value === null) return `${column} IS ${operator === 'ne' ? 'NOT ' : ''}NULL`;
    return `${column} ${sign} ${bind(toColumnValue(model, field, value))}`;
  });
  return conditions.length === 0 ? '1 = 1' : conditions.join(' AND ');
}
