import { type Parsed, type Rejection, rejection } from '../../imports/parsed.ts';
import {
  isJsonObject,
  type JsonObject,
  readMember,
  readMembers,
  readNdjson,
} from '../../imports/read-ndjson.ts';
import { merchantReader } from '../../imports/value-readers.ts';
import { productFields, variationFields } from '../record/product.ts';
import type { ProductDraft, VariationDraft } from '../record/product-draft.ts';
import { MAX_VARIATIONS } from '../record/record-size.ts';
import { fieldReaders, readersOf } from './read-fields.ts';

/** Whether variations that a line does not list stay as they are. */
const KEEP = 'keep_variations';

const productReaders = readersOf(productFields).set('identifier', null).set('merchant', null).set(KEEP, null);
const variationReaders = readersOf(variationFields).set('identifier', null);

/**
 * Reads product records as the API returns them, one per line, optionally with `merchant` (an ID or a name). Internal
 * ids are ignored. A line with an unknown field is rejected.
 */
export function readProductNdjson(chunks: AsyncIterable<Buffer>): AsyncGenerator<Parsed<ProductDraft>[]> {
  return readNdjson(chunks, readProduct);
}

function readProduct(object: JsonObject, line: number): Parsed<ProductDraft> {
  const rejections: Rejection[] = [];
  const identifier = readMember(fieldReaders.identifier, object, 'identifier', line, rejections);
  const merchant = readMember(merchantReader, object, 'merchant', line, rejections);
  const fields = readMembers<ProductDraft['fields']>(productReaders, object, line, rejections);
  const variations = readVariations(object.variations, line, rejections);
  const keep = object[KEEP] ?? false;
  if (typeof keep !== 'boolean') rejections.push(rejection(line, KEEP, keep, 'expected true or false'));
  if (rejections.length > 0 || identifier === undefined || merchant === undefined)
    return { line, rejections };
  const item = { merchant, identifier, fields, variations };
  return { line, item: keep === true ? { ...item, keepsUnlisted: true } : item };
}

function readVariations(value: unknown, line: number, rejections: Rejection[]): VariationDraft[] | undefined {
  if (value === undefined) return undefined;
  const reject = (column: string, rejected: unknown, reason: string): void => {
    rejections.push(rejection(line, column, rejected, reason));
  };
  if (!Array.isArray(value)) {
    reject('variations', value, 'expected an array of variations, [] for none');
    return undefined;
  }
  if (value.length > MAX_VARIATIONS) {
    reject('variations', value, `expected at most ${MAX_VARIATIONS} variations, found ${value.length}`);
    return undefined;
  }
  const listed = new Set<string>();
  const variations: VariationDraft[] = [];
  for (const [index, object] of value.entries()) {
    const place = `variations[${index}]`;
    if (!isJsonObject(object)) {
      reject(place, object, 'expected an object');
      continue;
    }
    const fields = readMembers<VariationDraft>(variationReaders, object, line, rejections, `${place}.`);
    const identifier = readMember(
      fieldReaders.identifier,
      object,
      'identifier',
      line,
      rejections,
      `${place}.`,
    );
    if (identifier === undefined) continue;
    if (listed.has(identifier)) {
      reject(`${place}.identifier`, identifier, 'expected each variation once per product');
    }
    listed.add(identifier);
    variations.push({ ...fields, identifier });
  }
  return variations;
}
