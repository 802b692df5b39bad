import type { Parsed, Rejection } from '../../imports/parsed.ts';
import {
  isJsonObject,
  type JsonObject,
  readMember,
  readMembers,
  readNdjson,
} from '../../imports/read-ndjson.ts';
import { rejection } from '../../imports/refusal.ts';
import { merchant } from '../../imports/value-readers.ts';
import { productFields, variationFields } from '../record/product.ts';
import type { ProductDraft, VariationDraft } from '../record/product-draft.ts';
import { MAX_VARIATIONS } from '../record/record-size.ts';
import { fieldReaders, readersOf } from './read-fields.ts';

const productReaders = readersOf(productFields).set('identifier', null).set('merchant', null);
const variationReaders = readersOf(variationFields).set('identifier', null);

/**
 * Product records as the API gives them, one a line, each with `merchant` (an id or a name) where the file
 * says whose it is. Ids of the service are passed over; a field that no product has is refused.
 */
export function readProductNdjson(chunks: AsyncIterable<Buffer>): AsyncGenerator<Parsed<ProductDraft>[]> {
  return readNdjson(chunks, readProduct);
}

function readProduct(object: JsonObject, line: number): Parsed<ProductDraft> {
  const rejections: Rejection[] = [];
  const identifier = readMember(fieldReaders.identifier, object, 'identifier', line, rejections);
  const owner = readMember(merchant, object, 'merchant', line, rejections);
  const fields = readMembers<ProductDraft['fields']>(productReaders, object, line, rejections);
  const variations = readVariations(object.variations, line, rejections);
  if (rejections.length > 0 || identifier === undefined || owner === undefined) return { line, rejections };
  return { line, item: { merchant: owner, identifier, fields, variations } };
}

function readVariations(value: unknown, line: number, problems: Rejection[]): VariationDraft[] | undefined {
  if (value === undefined) return undefined;
  const refuse = (column: string, refused: unknown, reason: string): void => {
    problems.push(rejection(line, column, refused, reason));
  };
  if (!Array.isArray(value)) {
    refuse('variations', value, 'expected an array of variations, [] for none');
    return undefined;
  }
  if (value.length > MAX_VARIATIONS) {
    refuse('variations', value, `expected at most ${MAX_VARIATIONS} variations, found ${value.length}`);
    return undefined;
  }
  const listed = new Set<string>();
  const variations: VariationDraft[] = [];
  for (const [index, object] of value.entries()) {
    const place = `variations[${index}]`;
    if (!isJsonObject(object)) {
      refuse(place, object, 'expected an object');
      continue;
    }
    const fields = readMembers<VariationDraft>(variationReaders, object, line, problems, `${place}.`);
    const identifier = readMember(fieldReaders.identifier, object, 'identifier', line, problems, `${place}.`);
    if (identifier === undefined) continue;
    if (listed.has(identifier))
      refuse(`${place}.identifier`, identifier, 'expected each variation of a product once');
    listed.add(identifier);
    variations.push({ ...fields, identifier });
  }
  return variations;
}
