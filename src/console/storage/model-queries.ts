import type { CleanedWhere } from 'better-auth/adapters';
import type { Statement, Value } from '../../database/database.ts';
import { columnOf, everyColumn, keptFields, stored } from './columns.ts';
import type { ModelTable } from './tables.ts';

/** A statement and what belongs in its places. */
interface Query {
  statement: Statement<Record<string, Value>>;
  parameters: Value[];
}

interface Part {
  sql: string;
  parameters: Value[];
}

const OPERATORS: Readonly<Record<string, string>> = {
  eq: '=',
  ne: '<>',
  lt: '<',
  lte: '<=',
  gt: '>',
  gte: '>=',
};

/** Inserts a row. */
export function insertRow(model: ModelTable, row: Record<string, unknown>): Query {
  const kept = keptFields(model, row);
  const columns = kept.map(([field]) => columnOf(model, field)).join(', ');
  const places = kept.map(() => '?').join(', ');
  return {
    statement: { sql: `INSERT INTO ${model.table} (${columns}) VALUES (${places})` },
    parameters: kept.map(([field, value]) => stored(model, field, value)),
  };
}

/** Selects whole rows. */
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
  const condition = conditionOf(model, where);
  const order =
    sortBy === undefined
      ? ''
      : ` ORDER BY ${columnOf(model, sortBy.field)} ${sortBy.direction === 'desc' ? 'DESC' : 'ASC'}`;
  return {
    statement: {
      sql: `SELECT ${everyColumn(model)} FROM ${model.table} WHERE ${condition.sql}${order} LIMIT ? OFFSET ?`,
    },
    parameters: [...condition.parameters, limit, offset],
  };
}

export function countRows(model: ModelTable, where: CleanedWhere[]): Query {
  const { sql, parameters } = conditionOf(model, where);
  return { statement: { sql: `SELECT count(*) AS rows FROM ${model.table} WHERE ${sql}` }, parameters };
}

/** Changes every row that matches. */
export function updateRows(model: ModelTable, where: CleanedWhere[], change: Change): Query {
  const [set, condition] = [assignments(model, change), conditionOf(model, where)];
  return {
    statement: { sql: `UPDATE ${model.table} SET ${set.sql} WHERE ${condition.sql}` },
    parameters: [...set.parameters, ...condition.parameters],
  };
}

/** Changes one row that matches, if it still does when its turn comes, and gives it. */
export function updateOneRow(model: ModelTable, where: CleanedWhere[], change: Change): Query {
  const [set, one] = [assignments(model, change), oneOf(model, where)];
  return {
    statement: {
      sql: `UPDATE ${model.table} SET ${set.sql} WHERE ${one.sql} RETURNING ${everyColumn(model)}`,
    },
    parameters: [...set.parameters, ...one.parameters],
  };
}

/** Deletes every row that matches. */
export function deleteRows(model: ModelTable, where: CleanedWhere[]): Query {
  const { sql, parameters } = conditionOf(model, where);
  return { statement: { sql: `DELETE FROM ${model.table} WHERE ${sql}` }, parameters };
}

/** Deletes one row that matches, and gives it to the one who did. */
export function deleteOneRow(model: ModelTable, where: CleanedWhere[]): Query {
  const { sql, parameters } = oneOf(model, where);
  return {
    statement: { sql: `DELETE FROM ${model.table} WHERE ${sql} RETURNING ${everyColumn(model)}` },
    parameters,
  };
}

/** What to set, and what to add to the numbers that are there. */
export interface Change {
  set?: Record<string, unknown> | undefined;
  increment?: Record<string, number>;
}

function assignments(model: ModelTable, { set = {}, increment = {} }: Change): Part {
  const kept = keptFields(model, set);
  const added = Object.entries(increment).map(([field, delta]): [string, number] => [
    columnOf(model, field),
    delta,
  ]);
  return {
    sql: [
      ...kept.map(([field]) => `${columnOf(model, field)} = ?`),
      ...added.map(([column]) => `${column} = coalesce(${column}, 0) + ?`),
    ].join(', '),
    parameters: [
      ...kept.map(([field, value]) => stored(model, field, value)),
      ...added.map(([, delta]) => delta),
    ],
  };
}

/** The conditions stand twice: a row that another transaction changed meanwhile is looked at again. */
function oneOf(model: ModelTable, where: CleanedWhere[]): Part {
  const { sql, parameters } = conditionOf(model, where);
  return {
    sql: `id = (SELECT id FROM ${model.table} WHERE ${sql} LIMIT 1) AND ${sql}`,
    parameters: [...parameters, ...parameters],
  };
}

function conditionOf(model: ModelTable, where: CleanedWhere[]): Part {
  if (where.length === 0) return { sql: '1 = 1', parameters: [] };
  const parts = where.map(({ field, operator, value, connector, mode }): Part => {
    if (connector !== 'AND' || mode !== 'sensitive')
      throw new Error(`no such condition is known: ${connector}, ${mode}`);
    const column = columnOf(model, field);
    if (operator === 'in' && Array.isArray(value)) {
      if (value.length === 0) return { sql: '1 = 0', parameters: [] };
      const places = value.map(() => '?').join(', ');
      return { sql: `${column} IN (${places})`, parameters: value.map((item) => stored(model, field, item)) };
    }
    const sign = operator === undefined ? undefined : OPERATORS[operator];
    if (sign === undefined) throw new Error(`no such condition is known: ${operator}`);
    if (value === null) return { sql: `${column} IS ${operator === 'ne' ? 'NOT ' : ''}NULL`, parameters: [] };
    return { sql: `${column} ${sign} ?`, parameters: [stored(model, field, value)] };
  });
  return {
    sql: parts.map(({ sql }) => sql).join(' AND '),
    parameters: parts.flatMap(({ parameters }) => parameters),
  };
}
