import type { Dialect } from '../database.ts';

/** Adds to uploads what their check has found to change, as JSON. */
export function uploadChanges({ text }: Dialect): string[] {
  return [`ALTER TABLE uploads ADD COLUMN changes ${text}`];
}
