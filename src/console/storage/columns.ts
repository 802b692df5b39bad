import { hash } from 'node:crypto';
import type { Value } from '../../database/database.ts';
import type { ModelTable } from './tables.ts';

/** The hash that stands for a secret in the database. */
export function hashSecret(secret: string): string {
  return hash('sha256', secret, 'base64url');
}

/** Every column, in one order. */
export function everyColumn({ columns }: ModelTable): string {
  return Object.values(columns).join(', ');
}

/** The column of a field. @throws where the table keeps no such field */
export function columnOf({ table, columns }: ModelTable, field: string): string {
  const column = Object.hasOwn(columns, field) ? columns[field] : undefined;
  if (column === undefined) throw new Error(`${table} keeps no ${field}`);
  return column;
}

/** The fields of a row that the table keeps. What has no column may be left out only where it says nothing. */
export function keptFields({ columns }: ModelTable, row: Record<string, unknown>): [string, unknown][] {
  const empty = (value: unknown): boolean =>
    value === undefined || value === null || value === '' || value === 0;
  return Object.entries(row).filter(([field, value]) => Object.hasOwn(columns, field) || !empty(value));
}

/** A field's value as its column has it. */
export function stored({ hashed }: ModelTable, field: string, value: unknown): Value {
  if (field === hashed && typeof value === 'string') return hashSecret(value);
  if (value instanceof Date) return value.getTime();
  if (typeof value === 'boolean') return Number(value);
  if (typeof value === 'string' || typeof value === 'number' || value === null) return value;
  throw new Error(`${field} cannot be kept`);
}
