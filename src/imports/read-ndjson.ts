import { isUtf8 } from 'node:buffer';
import type { Parsed, Rejection } from './parsed.ts';
import { readLines } from './read-lines.ts';
import { Refusal, rejection, type ValueReader } from './refusal.ts';
import type { Row } from './split-rows.ts';

export type JsonObject = Record<string, unknown>;

/** Whether a JSON value is an object, and no array. */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/**
 * One JSON object a line, each turned into an item by `read`, in batches. A line that cannot be read is
 * rejected and the rest goes on.
 */
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
        object instanceof Refusal
          ? { line: row.line, rejections: [rejection(row.line, null, row.bytes.toString(), object.reason)] }
          : read(object, row.line),
      );
    }
    if (batch.length > 0) yield batch;
  }
}

/** Undefined for a line of nothing but spaces. */
function parseObject({ bytes, tooLong }: Row): JsonObject | Refusal | undefined {
  if (tooLong) return new Refusal('the line is longer than 4 MiB; expected one JSON object a line');
  if (!isUtf8(bytes)) return new Refusal('the line is not UTF-8; save the file as UTF-8');
  const text = bytes.toString();
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    if (text.trim() === '') return undefined;
    const message =
      error instanceof Error ? error.message.replace(/ \(line 1 column \d+\)/, '') : String(error);
    return new Refusal(`the line is not valid JSON: ${message}`);
  }
  return isJsonObject(value) ? value : new Refusal('expected a JSON object');
}

/** Reads one member of an object, absent or not; undefined where it is refused, which `problems` then says. */
export function readMember<T>(
  reader: ValueReader<T>,
  object: JsonObject,
  name: string,
  line: number,
  problems: Rejection[],
  prefix = '',
): T | undefined {
  const value = reader.fromJson(object[name]);
  if (!(value instanceof Refusal)) return value;
  problems.push(rejection(line, prefix + name, object[name], value.reason));
  return undefined;
}

/**
 * Reads the other members of an object, each with the reader of its name; a name with null for a reader is
 * passed over, an unknown one refused. Every problem is added to `problems`, `prefix` before its column.
 */
export function readMembers<Fields extends object>(
  readers: ReadonlyMap<string, ValueReader<Fields[keyof Fields]> | null>,
  object: JsonObject,
  line: number,
  problems: Rejection[],
  prefix = '',
): Partial<Fields> {
  const fields: Record<string, Fields[keyof Fields]> = {};
  for (const name in object) {
    const reader = readers.get(name);
    if (reader === null) continue;
    const value = reader === undefined ? UNKNOWN : reader.fromJson(object[name]);
    if (value instanceof Refusal) problems.push(rejection(line, prefix + name, object[name], value.reason));
    else fields[name] = value;
  }
  // Sound as far as each name's reader gives the type of that field: tables are built from the fields.
  return fields as Partial<Fields>;
}

const UNKNOWN = new Refusal('there is no field of this name');
