import type { Rejection } from '../imports/parsed.ts';
import type { CsvRow } from '../imports/read-csv.ts';
import type { ValueReader } from '../imports/refusal.ts';
import type { VariationDraft } from './product-draft.ts';
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
  const taken = new Set<string>();
  return rows.map((row) => {
    const choices = OPTIONS.map((number, index) => ({
      option: options[index] ?? '',
      value: columns.cell(row, `Option${number} Value`),
    })).filter(isChosen);
    const { size, color } = sizeAndColor(choices, sized);
    // Some spreadsheets keep an apostrophe before a number that is to stay text.
    const sku = columns.cell(row, 'Variant SKU').replace(/^'/, '');
    return {
      identifier: chooseIdentifier(sku, [handle, ...choices.map(({ value }) => slug(value))], taken),
      size: columns.text(size, row, 'Option1 Value', problems),
      color: columns.text(color, row, 'Option1 Value', problems),
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

function chooseIdentifier(sku: string, parts: string[], taken: Set<string>): string {
  const made = cut(parts.filter((part) => part !== '').join('-'), MAX_IDENTIFIER);
  let identifier = typeof checkIdentifier(sku) === 'string' ? sku : made;
  for (let number = 1; taken.has(identifier); number++) {
    const suffix = number === 1 ? '' : `-${number}`;
    identifier = cut(made, MAX_IDENTIFIER - suffix.length) + suffix;
  }
  taken.add(identifier);
  return identifier;
}

function slug(value: string): string {
  return value
    .toLowerCase()
    .replace(/[^\p{L}\p{N}_-]+/gu, '-')
    .replace(/^-+|-+$/g, '');
}

function cut(identifier: string, characters: number): string {
  return [...identifier].slice(0, characters).join('');
}
