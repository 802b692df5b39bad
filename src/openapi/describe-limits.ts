import type { ParameterType } from '../http/parameters/types.ts';

const INT32_MAX = 2 ** 31 - 1;

/**
 * Returns a sentence about which values of its type a parameter can have; '' if the type and the rest of the
 * description say it.
 */
export function describeLimits({ schema, expected }: ParameterType<unknown>): string {
  const { type = [], enum: words, description, deprecated, format, maxLength } = schema;
  const types = [type].flat();
  if (words !== undefined || description !== undefined || deprecated === true) return '';
  if (types.includes('boolean') || types.includes('number') || format === 'cursor') return '';
  if (types.includes('integer')) return describeRange(schema);
  if (maxLength !== undefined && expected === `text of 1 to ${maxLength} characters`)
    return `At most ${maxLength.toLocaleString('en')} characters.`;
  return `${expected.charAt(0).toUpperCase()}${expected.slice(1)}.`;
}

/** The range of 32-bit numbers is no limit that anyone needs to know. */
function describeRange({
  minimum = -INT32_MAX,
  maximum = INT32_MAX,
}: ParameterType<unknown>['schema']): string {
  if (maximum < INT32_MAX) return `From ${minimum} to ${maximum.toLocaleString('en')}.`;
  return minimum > -INT32_MAX ? `At least ${minimum}.` : '';
}
