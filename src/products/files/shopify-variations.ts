import type { Rejection } from '../../imports/parsed.ts';
import type { CsvRow } from '../../imports/read-csv.ts';
import type { ValueReader } from '../../imports/refusal.ts';
import { variationFields } from '../record/product.ts';
import type { VariationDraft } from '../record/product-draft.ts';
import { checkIdentifier, fieldReaders } from './read-fields.ts';
import type { ShopifyColumns } from './shopify-columns.ts';

const MAX_IDENTIFIER = 100;
const OPTIONS = [1, 2, 3];
const SIZE_WORDS = new Set(['size', 'taille', 'größe', 'groesse', 'talla', 'taglia', 'tamanho', 'maat']);
const COLOR_WORDS = new Set(['color', 'colour', 'couleur', 'farbe', 'colore', 'cor', 'kleur']);

/** Shopify sells beyond zero on request, and then counts below it. */
const quantityReader: ValueReader<number | null> = {
  fromJson: fieldReaders.count.fromJson,
  fromCell: (cell) => (/^\s*-\d+\s*$/.test(cell) ? 0 : fieldReaders.count.fromCell(cell)),
};

/** What one variant is of one option of its product. */
interface Choice {
  option: string;
  value: string;
}

/**
 * The variations of one product, from its variant rows. The option named size (or Taille, Größe, …) gives
 * the size, the one named color the color. The values of other options are joined by ` / `, and stand in the
 * size where the product has no size option, else behind the color. The SKU is the identifier where it is
 * allowed and not yet taken in the product, else the handle and the option values make one.
 */
export function readShopifyVariations(
  rows: readonly CsvRow[],
  columns: ShopifyColumns,
  problems: Rejection[],
): VariationDraft[] {
  const [first] = rows;
  if (first === undefined) return [];
  const handle = columns.cell(first, 'Handle');
  const options = OPTIONS.map((number) => columns.cell(first, `Option${number} Name`));
  const sized = options.some((option) => isNamed(option, SIZE_WORDS));
  const identifiers = new Identifiers();
  return rows.map((row) => {
    const choices = OPTIONS.map((number, index) => ({
      option: options[index] ?? '',
      value: columns.cell(row, `Option${number} Value`),
    })).filter(isChosen);
    const { size, color } = sizeAndColor(choices, sized);
    // Some spreadsheets keep an apostrophe before a number that is to stay text.
    const sku = columns.cell(row, 'Variant SKU').replace(/^'/, '');
    return {
      identifier: identifiers.choose(sku, [handle, ...choices.map(({ value }) => slug(value))]),
      size: columns.text(variationFields.size, size, row, 'Option1 Value', problems),
      color: columns.text(variationFields.color, color, row, 'Option1 Value', problems),
      quantity: columns.read(quantityReader, row, 'Variant Inventory Qty', problems) ?? null,
    };
  });
}

function isNamed(option: string, words: ReadonlySet<string>): boolean {
  return option
    .toLowerCase()
    .split(/[^\p{L}]+/u)
    .some((word) => words.has(word));
}

/** A product without options has one called Title, with Default Title for its value. */
function isChosen({ option, value }: Choice): boolean {
  return value !== '' && !(option.toLowerCase() === 'title' && value.toLowerCase() === 'default title');
}

function sizeAndColor(choices: Choice[], sized: boolean): { size: string; color: string } {
  const sizes: string[] = [];
  const colors: string[] = [];
  const others: string[] = [];
  for (const { option, value } of choices) {
    if (isNamed(option, SIZE_WORDS)) sizes.push(value);
    else if (isNamed(option, COLOR_WORDS)) colors.push(value);
    else others.push(value);
  }
  (sized ? colors : sizes).push(...others);
  return { size: sizes.join(' / '), color: colors.join(' / ') };
}

/** The identifiers of one product's variations, each given once. */
class Identifiers {
  readonly #taken = new Set<string>();
  /** The next number to try for each name: to begin at 1 each time would take quadratic time. */
  readonly #numbers = new Map<string, number>();

  /** The SKU if it is allowed and free, else a name from the parts, with a number if that is taken. */
  choose(sku: string, parts: string[]): string {
    const made = cut(parts.filter((part) => part !== '').join('-'), MAX_IDENTIFIER);
    let identifier = typeof checkIdentifier(sku) === 'string' ? sku : made;
    let number = this.#numbers.get(made) ?? 1;
    for (; this.#taken.has(identifier); number++) {
      const suffix = number === 1 ? '' : `-${number}`;
      identifier = cut(made, MAX_IDENTIFIER - suffix.length) + suffix;
    }
    this.#numbers.set(made, number);
    this.#taken.add(identifier);
    return identifier;
  }
}

function slug(value: string): string {
  const text = value.toLowerCase().replace(/[^\p{L}\p{N}_-]+/gu, '-');
  let [start, end] = [0, text.length];
  // A regular expression would take quadratic time for a run of dashes in the middle.
  while (start < end && text[start] === '-') start += 1;
  while (end > start && text[end - 1] === '-') end -= 1;
  return text.slice(start, end);
}

function cut(identifier: string, characters: number): string {
  // A character takes at most two units: longer text is not taken apart as a whole.
  return [...identifier.slice(0, 2 * characters)].slice(0, characters).join('');
}
