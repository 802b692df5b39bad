import type { ParameterType } from '../../http/parameters/types.ts';
import { DURATION, readDuration } from '../../shared/duration.ts';

/** Such as `90d`, in milliseconds. */
export const duration: ParameterType<number> = {
  expected: 'a number followed by s, m, h or d, such as 90d',
  schema: { type: 'string', pattern: DURATION.source },
  read: ({ kind, text }) => (kind === 'text' || kind === 'string' ? readDuration(text) : undefined),
};

/** A JSON array of one or more of these words, case-sensitive. */
export function listOf<const Word extends string>(words: readonly Word[]): ParameterType<Word[]> {
  return {
    expected: `a list of one or more of ${words.join(', ')}`,
    schema: { type: 'array', items: { type: 'string', enum: words }, minItems: 1 },
    isNested: true,
    read: ({ kind, text }) => {
      const list: unknown = kind === 'nested' ? JSON.parse(text) : undefined;
      if (!Array.isArray(list) || list.length === 0) return undefined;
      const isWord = (item: unknown): boolean => words.some((word) => word === item);
      return list.every(isWord) ? words.filter((word) => list.includes(word)) : undefined;
    },
  };
}
