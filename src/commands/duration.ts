import { readDuration } from '../shared/duration.ts';
import { CommandError } from './context.ts';

/** Reads a duration such as `90d`, in milliseconds. @throws {CommandError} naming the option */
export function parseDuration(option: string, text: string): number {
  const length = readDuration(text);
  if (length !== undefined) return length;
  throw new CommandError(`${option} is "${text}": expected a number followed by s, m, h or d, such as 90d.`);
}
