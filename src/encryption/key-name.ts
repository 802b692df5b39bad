import { KEY_ID } from './key-lines.ts';
import { MONTH, type Month } from './month.ts';

/** Names the key of a month: `2026-11:1a2b3c4d`. */
export interface MonthlyKeyName {
  month: Month;
  /** The ID of the secret from which the key follows. */
  id: string;
}

const NAME = new RegExp(`^(${MONTH.source}):(${KEY_ID.source})$`);

/** Undefined for any other text. */
export function parseKeyName(text: string): MonthlyKeyName | undefined {
  const [, month, id] = NAME.exec(text) ?? [];
  return month === undefined || id === undefined ? undefined : { month, id };
}

export function formatKeyName({ month, id }: MonthlyKeyName): string {
  return `${month}:${id}`;
}
