import type { Database } from '../database/database.ts';
import type { Variation } from '../products/record/product.ts';
import { type RecordSources, readWithRecord } from '../products/record/read-record.ts';
import { findVariation } from './queries.ts';

/** A variation as the API shows it by itself, its fields in wire order (contract, “Variation”). */
export interface RetrievedVariation extends Variation {
  product_identifier: string;
  product_internal_id: number;
}

/** How many characters of a variation are read at first, and where they do not hold all of it. */
const EXCERPT_LENGTHS = [2_000, 2 ** 31 - 1];

/**
 * The merchant's variation of that identifier, as JSON text; undefined if it has none. Another merchant's variation is
 * not there.
 */
export async function retrieveVariation(
  sources: RecordSources & { database: Database },
  merchantId: number,
  identifier: string,
): Promise<string | undefined> {
  const statement = findVariation(sources.database.dialect);
  for (const length of EXCERPT_LENGTHS) {
    const values = [beginningOf(identifier), length, merchantId, identifier];
    const row = await readWithRecord(sources, statement, merchantId, values);
    if (row === undefined) return undefined;
    const variation = cutOutObject(row.record);
    if (variation === undefined) continue;
    const product = { product_identifier: row.identifier, product_internal_id: row.internal_id };
    return `${JSON.stringify(product).slice(0, -1)},${variation.slice(1)}`;
  }
  return undefined;
}

/**
 * How the JSON text of a variation begins, as `renderProduct` writes it. A quote inside a text is escaped, so that this is
 * found nowhere else in a record but at its very beginning, if the product has the same identifier.
 */
function beginningOf(identifier: string): string {
  return `{"identifier":${JSON.stringify(identifier)},`;
}

/** The flat JSON object that a text begins with; undefined where it does not end in the text. */
function cutOutObject(text: string): string | undefined {
  let inText = false;
  for (let index = 0; index < text.length; index += 1) {
    const letter = text[index];
    if (letter === '"') inText = !inText;
    else if (letter === '\\') index += 1;
    else if (letter === '}' && !inText) return text.slice(0, index + 1);
  }
  return undefined;
}
