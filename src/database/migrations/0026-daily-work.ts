import type { Dialect } from '../database.ts';

/** Stores the views of the list of products that console users save, as a JSON array. */
export function dailyWork({ text }: Dialect): string[] {
  return [`ALTER TABLE console_users ADD COLUMN saved_views ${text} NOT NULL DEFAULT '[]'`];
}
