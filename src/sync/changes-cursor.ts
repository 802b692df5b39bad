import { errors } from '../errors/errors.ts';
import { type CursorList, decodeCursor, encodeCursor } from './cursor.ts';

/** The value of `changed_since` that starts with everything. */
const START = 'start';

const NOT_CURSOR = `not a complete cursor, expected ${START} or a cursor from an earlier response; times are not supported`;

/** The revision of the last change listed, and the key of its row. */
export interface ChangePosition<Key extends string | number> {
  revision: number;
  key: Key;
}

/** `epoch` is the database's, which a restored backup does not have. */
export function encodeChangesCursor(
  list: CursorList,
  epoch: number,
  { revision, key }: ChangePosition<string | number>,
): string {
  return encodeCursor(list, [epoch, revision, key]);
}

export interface ChangesCursor extends ChangePosition<string | number> {
  epoch: number;
}

/**
 * Returns the position of `changed_since`; undefined for `start`. `keyType` is the type of the rows' keys.
 * @throws {DomainError} `invalid_parameters` as `decodeCursor`
 */
export function decodeChangesCursor(
  changedSince: string,
  list: CursorList,
  keyType: 'integer' | 'text',
): ChangesCursor | undefined {
  if (changedSince === START) return undefined;
  const types = ['integer', 'integer', keyType] as const;
  const [epoch, revision, key] = decodeCursor('changed_since', changedSince, list, types, NOT_CURSOR);
  return { epoch: Number(epoch), revision: Number(revision), key: key ?? '' };
}

/**
 * Checks that the database continues the one that a cursor came from. A restored backup has another epoch,
 * or, if it was not created by Tradepost, an earlier revision.
 * @throws {DomainError} `cursor_expired`
 */
export function requireSameHistory(
  cursor: ChangesCursor | undefined,
  { epoch, revision }: { epoch: number; revision: number },
): void {
  if (cursor === undefined) return;
  if (cursor.epoch !== epoch || cursor.revision > revision) throw errors.cursor_expired();
}

/**
 * Checks that a list of changes has no other parameters.
 * @throws {DomainError} `invalid_parameters`
 */
export function requireOnlyChanges(others: Readonly<Record<string, unknown>>): void {
  const problems = Object.entries(others).flatMap(([name, value]) =>
    value === undefined ? [] : [{ field: name, reason: 'cannot be combined with changed_since' }],
  );
  if (problems.length > 0) throw errors.invalid_parameters(problems);
}
