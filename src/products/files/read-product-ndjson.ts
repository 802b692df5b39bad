import { type Parsed, type Rejection, rejection, withIdentifier } from '../../files/parsed.ts';
import {
  isJsonObject,
  type JsonObject,
  readMember,
  readMembers,
  readNdjson,
} from '../../files/read-ndjson.ts';
import { merchantReader } from '../../files/value-readers.ts';
import { originalNames } from '../record/original-fields.ts';
import { productFields, variationFields } from '../record/product.ts';
import type { ProductDraft, VariationDraft } from '../record/product-draft.ts';
import { MAX_VARIATIONS } from '../record/record-size.ts';
import { fieldReaders, readersOf } from './read-fields.ts';

/** Whether unlisted variations stay as they are. */
const KEEP = 'keep_variations';

/** The values from which a line, or one of its variations, was computed. */
const WAS = 'was';

const productReaders = readersOf(productFields)
  .set('identifier', null)
  .set('merchant', null)
  .set(KEEP, null)
  .set(WAS, null);
for (const name of originalNames) productReaders.set(name, null);
const variationReaders = readersOf(variationFields).set('identifier', null).set(WAS, null);
const productNames = new Set(Object.keys(productFields).filter((name) => name !== 'variations'));
const variationNames = new Set(Object.keys(variationFields));

/**
 * Reads product records as the API returns them, one per line, optionally with `merchant` (an ID or a name).
 * Internal ids are ignored; an unknown field rejects the line.
 */
export function readProductNdjson(chunks: AsyncIterable<Buffer>): AsyncGenerator<Parsed<ProductDraft>[]> {
  return readNdjson(chunks, readProduct);
}

/** Reads a line. Names each value that cannot be read. */
export function readProduct(object: JsonObject, line: number): Parsed<ProductDraft> {
  const rejections: Rejection[] = [];
  const identifier = readMember(fieldReaders.identifier, object, 'identifier', line, rejections);
  const merchant = readMember(merchantReader, object, 'merchant', line, rejections);
  const fields = readMembers<ProductDraft['fields']>(productReaders, object, line, rejections);
  const variations = readVariations(object.variations, line, rejections);
  const was = readWas<NonNullable<ProductDraft['was']>>(object, line, rejections, productNames);
  const keep = object[KEEP] ?? false;
  if (typeof keep !== 'boolean') rejections.push(rejection(line, KEEP, keep, 'expected true or false'));
  if (rejections.length > 0 || identifier === undefined || merchant === undefined)
    return { line, rejections: withIdentifier(rejections, identifier) };
  const item = { merchant, identifier, fields, variations, ...was, ...originalOf(object) };
  return { line, item: keep === true ? { ...item, keepsUnlisted: true } : item };
}

/** Returns the original's fields as they were sent, if there are any. */
function originalOf(object: JsonObject): Pick<ProductDraft, 'original'> {
  const sent = originalNames.filter((name) => object[name] !== undefined);
  return sent.length === 0 ? {} : { original: Object.fromEntries(sent.map((name) => [name, object[name]])) };
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
    const was = readWas<NonNullable<VariationDraft['was']>>(
      object,
      line,
      rejections,
      variationNames,
      `${place}.`,
    );
    variations.push({ ...fields, identifier, ...was });
  }
  return variations;
}

/** Reads the earlier values that an object states, exactly as a record shows them. */
function readWas<Was extends object>(
  object: JsonObject,
  line: number,
  rejections: Rejection[],
  names: ReadonlySet<string>,
  prefix = '',
): { was?: Was } {
  const was = object[WAS];
  if (was === undefined) return {};
  if (!isJsonObject(was)) {
    rejections.push(
      rejection(line, `${prefix}${WAS}`, was, 'expected an object with earlier values of fields'),
    );
    return {};
  }
  for (const name in was) {
    if (!names.has(name))
      rejections.push(rejection(line, `${prefix}${WAS}.${name}`, was[name], 'unknown field'));
  }
  // Safe, because each value is only compared.
  return { was: was as Was };
}
