import type { Dialect } from '../database.ts';

/** Adds to merchants whether their test side is open, that is, whether there are rows with its id. */
export function testSides({ integer }: Dialect): string[] {
  return [`ALTER TABLE merchants ADD COLUMN has_test_side ${integer} NOT NULL DEFAULT 0`];
}
