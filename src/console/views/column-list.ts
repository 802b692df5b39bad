import type { ParameterType } from '../../http/parameters/types.ts';

export const MAX_COLUMNS = 40;
const NAME = /^[a-z_]{1,40}$/;

/** The pages decide which columns there are. */
export const columnList: ParameterType<string[]> = {
  expected: `a list of up to ${MAX_COLUMNS} different names of columns`,
  schema: { type: 'array', maxItems: MAX_COLUMNS, items: { type: 'string' } },
  isNested: true,
  read: ({ kind, text }) => {
    if (kind !== 'nested') return undefined;
    const list: unknown = JSON.parse(text);
    if (!Array.isArray(list) || list.length > MAX_COLUMNS) return undefined;
    const names = list.filter((name): name is string => typeof name === 'string' && NAME.test(name));
    return names.length === list.length && new Set(names).size === names.length ? names : undefined;
  },
};
