import type { CleanedWhere } from 'better-auth/adapters';
import { type Statement, statement, type Value } from '../../database/statement.ts';
import { hashSecret } from '../../users/link-token.ts';

/** Stores a hash of a token. */
export const HASHED_COLUMN = 'token_hash';

const OPERATORS: Readonly<Record<string, string>> = {
  eq: '=',
  ne: '<>',
  lt: '<',
  lte: '<=',
  gt: '>',
  gte: '>=',
};

type Row = Record<string, Value>;

export interface Query {
  statement: Statement<Row, Row>;
  parameters: Row;
}

/** The rows of a table that match all conditions. The options in `auth.ts` name tables and columns. */
export interface Target {
  model: string;
  where: CleanedWhere[];
}

/** Returns the placeholder of a value for a column. */
type Bind = (column: string, value: unknown) => string;

export function insertRow(model: string, row: object): Query {
  return query((bind) => {
    const values = Object.entries(row).map(([column, value]) => bind(column, value));
    return `INSERT INTO ${model} (${Object.keys(row).join(', ')}) VALUES (${values.join(', ')}) RETURNING *`;
  });
}

export function selectRows(
  { model, where }: Target,
  { limit, sortBy }: { limit: number; sortBy?: { field: string; direction: 'asc' | 'desc' } | undefined },
): Query {
  const order = sortBy === undefined ? '' : ` ORDER BY ${sortBy.field} ${sortBy.direction}`;
  return query(
    (bind) =>
      `SELECT * FROM ${model} WHERE ${conditionOf(where, bind)}${order} LIMIT ${bind('limit', limit)}`,
  );
}

/** `increment` has amounts to add to columns. */
export function updateRows({ model, where }: Target, set: object, increment: object = {}): Query {
  return query((bind) => {
    const values = Object.entries(set).map(([column, value]) => `${column} = ${bind(column, value)}`);
    const sums = Object.entries(increment).map(
      ([column, amount]) => `${column} = coalesce(${column}, 0) + ${bind(column, amount)}`,
    );
    const assignments = [...values, ...sums].join(', ');
    return `UPDATE ${model} SET ${assignments} WHERE ${conditionOf(where, bind)} RETURNING *`;
  });
}

export function deleteRows({ model, where }: Target): Query {
  return query((bind) => `DELETE FROM ${model} WHERE ${conditionOf(where, bind)} RETURNING *`);
}

function query(build: (bind: Bind) => string): Query {
  const parameters: Row = {};
  const sql = build((column, value) => {
    const name = `p${Object.keys(parameters).length}`;
    parameters[name] = toValue(column, value);
    return `:${name}`;
  });
  return { statement: statement<Row, Row>(sql), parameters };
}

function conditionOf(where: CleanedWhere[], bind: Bind): string {
  const conditions = where.map(({ field: column, operator, value, connector, mode }) => {
    if (connector !== 'AND' || mode !== 'sensitive')
      throw new Error(`unsupported condition: ${connector}, ${mode}`);
    if (operator === 'in' && Array.isArray(value)) {
      const values = value.map((item) => bind(column, item));
      return values.length === 0 ? '1 = 0' : `${column} IN (${values.join(', ')})`;
    }
    const sign = OPERATORS[operator ?? ''];
    if (sign === undefined) throw new Error(`unsupported operator: ${operator}`);
    if (value === null) return `${column} IS ${operator === 'ne' ? 'NOT ' : ''}NULL`;
    return `${column} ${sign} ${bind(column, value)}`;
  });
  return conditions.length === 0 ? '1 = 1' : conditions.join(' AND ');
}

function toValue(column: string, value: unknown): Value {
  if (value instanceof Date) return value.getTime();
  if (typeof value === 'string') return column === HASHED_COLUMN ? hashSecret(value) : value;
  if (typeof value === 'number' || value === null) return value;
  throw new Error(`${column} has a value that cannot be stored`);
}
