import type { Database } from '../database/database.ts';
import type { Variation } from '../products/record/product.ts';
import { type RecordSources, readWithRecord } from '../products/record/read-record.ts';
import { findVariation } from './queries.ts';

/** In wire order (contract, “Variation”). */
export interface RetrievedVariation extends Variation {
  product_identifier: string;
  product_internal_id: number;
}

/** The number of characters to read first, and for longer variations. */
const EXCERPT_LENGTHS = [2_000, 2 ** 31 - 1];

/** Returns the merchant's variation as JSON text. Never finds other merchants' variations. */
export async function retrieveVariation(
  sources: RecordSources & { database: Database },
  merchantId: number,
  identifier: string,
): Promise<string | undefined> {
  const statement = findVariation(sources.database.dialect);
  const beginning = beginningOf(identifier);
  for (const length of EXCERPT_LENGTHS) {
    const row = await readWithRecord(sources, merchantId, (reader, maxBytes) =>
      reader.first(statement, { merchantId, identifier, beginning, length, maxBytes }),
    );
    if (row === undefined) return undefined;
    const variation = firstObject(row.record);
    if (variation === undefined) continue;
    const product = { product_identifier: row.identifier, product_internal_id: row.internal_id };
    return `${JSON.stringify(product).slice(0, -1)},${variation.slice(1)}`;
  }
  return undefined;
}

/**
 * As `renderProduct` writes it. JSON escapes quotes in texts, so only the variation, and a record with the
 * same identifier, begin like this.
 */
function beginningOf(identifier: string): string {
  return `{"identifier":${JSON.stringify(identifier)},`;
}

/** Returns the flat JSON object at the beginning of a text; undefined if the text ends before it does. */
function firstObject(text: string): string | undefined {
  let inText = false;
  for (let index = 0; index < text.length; index += 1) {
    const letter = text[index];
    if (letter === '"') inText = !inText;
    else if (letter === '\\') index += 1;
    else if (letter === '}' && !inText) return text.slice(0, index + 1);
  }
  return undefined;
}
