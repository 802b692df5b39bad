import { hash } from 'node:crypto';
import type { DomainError } from '../errors/domain-error.ts';
import { errors } from '../errors/errors.ts';

/** The list that a cursor continues. */
export interface CursorList {
  merchantId: number;
  /** The name of the listing, including everything that its order and its contents depend on. */
  listing: string;
}

type Values = readonly (string | number)[];

export type ValueType = 'integer' | 'number' | 'text';

/** The values of a cursor with these types. */
export type PlaceOf<Types extends readonly ValueType[]> = {
  readonly [Index in keyof Types]: Types[Index] extends 'text' ? string : number;
};

/** Characters of the checksum, which detects cursors that were changed or cut off. */
const CHECKSUM_LENGTH = 8;

/** Returns an opaque text for a position. It is not signed: it only has what the merchant already knows. */
export function encodeCursor({ merchantId, listing }: CursorList, values: Values): string {
  const content = JSON.stringify([merchantId, checksum(listing), ...values]);
  return Buffer.from(checksum(content) + content).toString('base64url');
}

/**
 * Returns the values of a cursor of this listing. `incomplete` tells what is wrong with other texts.
 * @throws {DomainError} `invalid_parameters` for the parameter `name` if the cursor is of another listing or
 *   merchant, or no cursor at all
 */
export function decodeCursor<const Types extends readonly ValueType[]>(
  name: string,
  cursor: string,
  { merchantId, listing }: CursorList,
  types: Types,
  incomplete = 'not a complete cursor, expected one from an earlier response',
): PlaceOf<Types> {
  const text = Buffer.from(cursor, 'base64url').toString();
  const content = text.slice(CHECKSUM_LENGTH);
  const decoded = text.slice(0, CHECKSUM_LENGTH) === checksum(content) ? readValues(content) : undefined;
  if (decoded === undefined) throw invalid(name, incomplete);
  const [owner, listed, ...values] = decoded;
  if (owner !== merchantId)
    throw invalid(name, 'a cursor of another merchant, expected one from an earlier response');
  if (listed !== checksum(listing) || !haveTypes(values, types)) {
    throw invalid(
      name,
      'a cursor of another list, expected one from an earlier response to the same parameters',
    );
  }
  return values;
}

function haveTypes<const Types extends readonly ValueType[]>(
  values: Values,
  types: Types,
): values is PlaceOf<Types> {
  const hasType = (value: unknown, type: ValueType | undefined): boolean =>
    type === 'text'
      ? typeof value === 'string' && !value.includes('\0') && value.isWellFormed()
      : type === 'integer'
        ? Number.isSafeInteger(value)
        : Number.isFinite(value);
  return values.length === types.length && values.every((value, index) => hasType(value, types[index]));
}

/** Returns undefined for a text that is not JSON. Anyone can compute the checksum of a text. */
function readValues(content: string): Values | undefined {
  try {
    const values: unknown = JSON.parse(content);
    return Array.isArray(values) ? values : undefined;
  } catch {
    return undefined;
  }
}

function checksum(text: string): string {
  return hash('sha1', text, 'base64url').slice(0, CHECKSUM_LENGTH);
}

function invalid(name: string, reason: string): DomainError {
  return errors.invalid_parameters([{ field: name, reason }]);
}
