import type { Statement } from '../../src/database/statement.ts';

/** Stands for each subquery in the query that contains it. */
const SUBQUERY = 'subquery';

/** A part of a statement with tables of its own: a SELECT, or a write without its subqueries. */
interface Scope {
  text: string;
  isSubquery: boolean;
}

/**
 * Why Citus could not route a statement to one merchant's node; none if it can. `owned` tables are
 * distributed by merchant, all others on the coordinator.
 */
export function routingProblems(
  { sql, placeholders }: Pick<Statement, 'sql' | 'placeholders'>,
  owned: ReadonlySet<string>,
): string[] {
  let place = 0;
  const text = sql.replaceAll(/\s+/g, ' ').replaceAll('?', () => `:${placeholders[place++]?.name}`);
  const scopes = scopesOf(text);
  const named = scopes.flatMap((scope) => tablesOf(scope.text)).map(({ table }) => table);
  // What a statement calls its own subquery is no table.
  const recursive = /^WITH RECURSIVE (\w+)/.exec(text)?.[1];
  const mentioned = named.filter((table) => table !== SUBQUERY && table !== recursive);
  const problems = scopes.flatMap((scope) => scopeProblems(scope, owned));
  if (mentioned.some((table) => owned.has(table))) {
    const others = mentioned.filter((table) => !owned.has(table));
    if (others.length > 0) {
      const verb = /^(INSERT|UPDATE|DELETE)/.test(text) ? 'writes or reads' : 'reads';
      problems.push(`${verb} ${others.join(', ')} of the coordinator together with distributed tables`);
    }
    const parameters = new Set(scopes.flatMap(merchantParameters));
    if (parameters.size > 1) problems.push(`names several merchants: ${[...parameters].join(', ')}`);
  }
  return problems;
}

/** Returns tables with their aliases (empty for none). */
export function tablesOf(sql: string): { table: string; name: string }[] {
  const mention =
    /\b(?:FROM|JOIN|UPDATE|INTO) (?!SET\b)(\w+)(?: (?:AS )?(?!(?:WHERE|JOIN|LEFT|ON|SET|ORDER|LIMIT|VALUES|UNION|RETURNING)\b)(\w+))?/g;
  return [...sql.matchAll(mention)].map(([, table = '', name = '']) => ({ table, name }));
}

function scopesOf(text: string): Scope[] {
  const scopes: Scope[] = [];
  let rest = text;
  for (;;) {
    // The innermost parentheses first, so that what remains has none with a SELECT.
    const inner =
      /\((?=\s*(?:SELECT|\(?\s*SELECT))((?:[^()]|\((?!\s*SELECT)(?:[^()]|\([^()]*\))*\))*)\)/.exec(rest);
    if (inner === null) break;
    scopes.push(...unions(inner[1] ?? '', true));
    rest = `${rest.slice(0, inner.index)}${SUBQUERY}${rest.slice(inner.index + inner[0].length)}`;
  }
  if (/\(\s*SELECT/.test(rest)) throw new Error(`cannot read the subqueries of ${text}`);
  return [...scopes, ...unions(rest, false)];
}

function unions(text: string, isSubquery: boolean): Scope[] {
  return text.split(/ UNION (?:ALL )?/).map((part) => ({ text: part, isSubquery }));
}

function scopeProblems({ text, isSubquery }: Scope, owned: ReadonlySet<string>): string[] {
  const inserted = /INSERT INTO (\w+) \(([^)]*)\) VALUES \(([^)]*)\)/.exec(text);
  const bound = boundColumns(text);
  return tablesOf(text)
    .filter(({ table }) => owned.has(table))
    .flatMap(({ table, name }) => {
      if (inserted?.[1] === table) {
        const place = inserted[2]?.split(', ').indexOf('merchant_id') ?? -1;
        return inserted[3]?.split(', ')[place]?.startsWith(':')
          ? []
          : [`inserts into ${table} without a merchant`];
      }
      const column = name === '' ? 'merchant_id' : `${name}.merchant_id`;
      if (!bound.has(column)) {
        return [
          isSubquery
            ? `compares the merchant of ${table} to no parameter in a subquery`
            : `can affect several merchants in ${table}`,
        ];
      }
      const conditions = withoutParentheses(text);
      return /\bOR\b/.test(conditions) ? [`can affect several merchants in ${table}, because of an OR`] : [];
    });
}

/** Columns that a scope compares to a merchant's parameter, directly or through other columns. */
function boundColumns(text: string): Set<string> {
  const equalities = [...text.matchAll(/([\w.]+) = (:?[\w.]+)/g)].map(([, left = '', right = '']) => [
    left,
    right,
  ]);
  const bound = new Set<string>();
  for (const [left = '', right = ''] of equalities) {
    if (right.startsWith(':') && /\bmerchant_id$/.test(left)) bound.add(left);
  }
  for (let before = -1; before < bound.size; ) {
    before = bound.size;
    for (const [left = '', right = ''] of equalities) {
      if (bound.has(left) && !right.startsWith(':')) bound.add(right);
      if (bound.has(right)) bound.add(left);
    }
  }
  return bound;
}

function merchantParameters({ text }: Scope): string[] {
  return [...text.matchAll(/\bmerchant_id = :(\w+)/g)].map(([, name = '']) => name);
}

function withoutParentheses(text: string): string {
  const shorter = text.replaceAll(/\([^()]*\)/g, '');
  return shorter === text ? text : withoutParentheses(shorter);
}
