import { CommandError } from './context.ts';

const UNITS: Record<string, number> = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** Returns the milliseconds of a length of time such as `90d`. @throws {CommandError} naming the option */
export function parseDuration(option: string, text: string): number {
  const [, count, unit = ''] = /^(\d{1,6})([smhd])$/.exec(text) ?? [];
  const length = Number(count) * (UNITS[unit] ?? Number.NaN);
  if (length > 0) return length;
  throw new CommandError(`${option} is "${text}": expected a number followed by s, m, h or d, such as 90d.`);
}
