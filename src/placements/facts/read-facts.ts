import type { Parsed, Rejection } from '../../files/parsed.ts';
import { type JsonObject, readMembers, readNdjson } from '../../files/read-ndjson.ts';
import { type FactDraft, factReaders, requiredFields } from './fact-draft.ts';

const missing = Object.fromEntries(requiredFields.map((name) => [name, null]));

/** Reads one JSON object per line. Rejects an invalid line. */
export function readFactNdjson(chunks: AsyncIterable<Buffer>): AsyncGenerator<Parsed<FactDraft>[]> {
  return readNdjson(chunks, readFact);
}

function readFact(object: JsonObject, line: number): Parsed<FactDraft> {
  const rejections: Rejection[] = [];
  const { merchant = null, ...fields } = readMembers<FactDraft>(
    factReaders,
    { ...missing, ...object },
    line,
    rejections,
  );
  // Without rejections, every required field has been read.
  return rejections.length > 0
    ? { line, rejections }
    : { line, item: { merchant, ...(fields as Omit<FactDraft, 'merchant'>) } };
}
