import type { Rejection } from './parsed.ts';

const SHOWN_CHARACTERS = 200;

/** Why a reader does not take a value. */
export class Refusal {
  readonly reason: string;

  constructor(reason: string) {
    this.reason = reason;
  }
}

/** Reads one kind of value; a `Refusal` says what was expected. */
export interface ValueReader<T> {
  fromJson(value: unknown): T | Refusal;
  /** From the text of a CSV cell, which may be blank. */
  fromCell(cell: string): T | Refusal;
}

/** What was not taken, for people: text is cut to 200 characters, and only the kind of anything nested shown. */
export function rejection(line: number, column: string | null, value: unknown, reason: string): Rejection {
  return { line, column, value: shown(value), reason };
}

function shown(value: unknown): string {
  if (typeof value === 'object' && value !== null) return Array.isArray(value) ? '[…]' : '{…}';
  // Cut text may end within a pair of surrogates.
  return value === undefined || value === null ? '' : String(value).slice(0, SHOWN_CHARACTERS).toWellFormed();
}
