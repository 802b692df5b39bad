import { isUtf8 } from 'node:buffer';
import { messageOf } from '../shared/error-message.ts';
import { InvalidValue } from '../shared/invalid-value.ts';
import { type Parsed, type Rejection, rejection } from './parsed.ts';
import { readLines } from './read-lines.ts';
import type { Row } from './split-rows.ts';
import type { ValueReader } from './value-readers.ts';

export type JsonObject = Record<string, unknown>;

export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Reads one JSON object per line, in batches. Rejects an invalid line and continues. */
export async function* readNdjson<Item>(
  chunks: AsyncIterable<Buffer>,
  read: (object: JsonObject, line: number) => Parsed<Item>,
): AsyncGenerator<Parsed<Item>[]> {
  for await (const rows of readLines(chunks)) {
    const batch: Parsed<Item>[] = [];
    for (const row of rows) {
      const object = parseObject(row);
      if (object === undefined) continue;
      batch.push(
        object instanceof InvalidValue
          ? { line: row.line, rejections: [rejection(row.line, null, row.bytes.toString(), object.reason)] }
          : read(object, row.line),
      );
    }
    if (batch.length > 0) yield batch;
  }
}

/** Returns undefined for a blank line. */
function parseObject({ bytes, tooLong }: Row): JsonObject | InvalidValue | undefined {
  if (tooLong) return new InvalidValue('the line is longer than 4 MiB; expected one JSON object per line');
  if (!isUtf8(bytes)) return new InvalidValue('the line is not UTF-8; save the file as UTF-8');
  const text = bytes.toString();
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    if (text.trim() === '') return undefined;
    const message = messageOf(error).replace(/ \(line 1 column \d+\)/, '');
    return new InvalidValue(`the line is not valid JSON: ${message}`);
  }
  return isJsonObject(value) ? value : new InvalidValue('expected a JSON object');
}

/** Reads one member. If it is invalid, returns undefined and adds the reason to `rejections`. */
export function readMember<T>(
  reader: ValueReader<T>,
  object: JsonObject,
  name: string,
  line: number,
  rejections: Rejection[],
  prefix = '',
): T | undefined {
  const value = reader.fromJson(object[name]);
  if (!(value instanceof InvalidValue)) return value;
  rejections.push(rejection(line, prefix + name, object[name], value.reason));
  return undefined;
}

/**
 * Reads each member of an object with the reader for its name. Ignores members whose reader is null, and
 * rejects members without a reader. Adds reasons to `rejections`, with `prefix` before the names.
 */
export function readMembers<Fields extends object>(
  readers: ReadonlyMap<string, ValueReader<Fields[keyof Fields]> | null>,
  object: JsonObject,
  line: number,
  rejections: Rejection[],
  prefix = '',
): Partial<Fields> {
  const fields: Record<string, Fields[keyof Fields]> = {};
  for (const name in object) {
    const reader = readers.get(name);
    if (reader === null) continue;
    const value = reader === undefined ? UNKNOWN : reader.fromJson(object[name]);
    if (value instanceof InvalidValue)
      rejections.push(rejection(line, prefix + name, object[name], value.reason));
    else fields[name] = value;
  }
  // Safe if readers return the types of their fields: the tables of readers are built from the fields.
  return fields as Partial<Fields>;
}

const UNKNOWN = new InvalidValue('unknown field');
