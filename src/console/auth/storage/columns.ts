import { hash } from 'node:crypto';
import type { Value } from '../../../database/database.ts';
import type { ModelTable } from './tables.ts';

/** Returns what is stored instead of a secret. */
export function hashSecret(secret: string): string {
  return hash('sha256', secret, 'base64url');
}

export function allColumns({ columns }: ModelTable): string {
  return Object.values(columns).join(', ');
}

/** @throws if the table does not store the field */
export function columnOf({ table, columns }: ModelTable, field: string): string {
  const column = Object.hasOwn(columns, field) ? columns[field] : undefined;
  if (column === undefined) throw new Error(`${table} does not store ${field}`);
  return column;
}

/** Omits empty fields that have no column. For other fields without a column, `columnOf` throws later. */
export function storedFields({ columns }: ModelTable, row: Record<string, unknown>): [string, unknown][] {
  const isEmpty = (value: unknown): boolean =>
    value === undefined || value === null || value === '' || value === 0;
  return Object.entries(row).filter(([field, value]) => Object.hasOwn(columns, field) || !isEmpty(value));
}

export function toColumnValue({ hashed }: ModelTable, field: string, value: unknown): Value {
  if (field === hashed && typeof value === 'string') return hashSecret(value);
  if (value instanceof Date) return value.getTime();
  if (typeof value === 'boolean') return Number(value);
  if (typeof value === 'string' || typeof value === 'number' || value === null) return value;
  throw new Error(`${field} has a type that cannot be stored`);
}
