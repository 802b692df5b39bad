import type { CsvRow } from '../../files/csv-row-reader.ts';
import type { Rejection } from '../../files/parsed.ts';
import type { ValueReader } from '../../files/value-readers.ts';
import { MAX_IDENTIFIER, variationFields } from '../record/product.ts';
import type { VariationDraft } from '../record/product-draft.ts';
import { checkIdentifier, fieldReaders } from './read-fields.ts';
import type { ShopifyColumns } from './shopify-columns.ts';

const OPTIONS = [1, 2, 3];
const SIZE_WORDS = new Set(['size', 'taille', 'größe', 'groesse', 'talla', 'taglia', 'tamanho', 'maat']);
const COLOR_WORDS = new Set(['color', 'colour', 'couleur', 'farbe', 'colore', 'cor', 'kleur']);

/** Shopify exports a negative quantity if a shop continues to sell a product that is sold out. */
const quantityReader: ValueReader<number | null> = {
  fromJson: fieldReaders.count.fromJson,
  fromCell: (cell) => (/^\s*-\d+\s*$/.test(cell) ? 0 : fieldReaders.count.fromCell(cell)),
};

interface Choice {
  option: string;
  column: string;
  value: string;
}

/**
 * Reads a product's variations from its variant rows. Options named size (Taille, Größe, …) and color become
 * these fields. The values of other options are joined by ` / ` and added to the size if the product has no
 * size option, otherwise to the color. The identifier is the SKU if it is valid and new to the product,
 * otherwise the handle and the option values.
 */
export function readShopifyVariations(
  rows: readonly CsvRow[],
  columns: ShopifyColumns,
  rejections: Rejection[],
): VariationDraft[] {
  const [first] = rows;
  if (first === undefined) return [];
  const handle = columns.cell(first, 'Handle');
  const options = OPTIONS.map((number) => columns.cell(first, `Option${number} Name`));
  const hasSizes = options.some((option) => isNamed(option, SIZE_WORDS));
  const identifiers = new Identifiers();
  return rows.map((row) => {
    const choices = OPTIONS.map((number, index) => ({
      option: options[index] ?? '',
      column: `Option${number} Value`,
      value: columns.cell(row, `Option${number} Value`),
    })).filter(isChosen);
    const { size, color } = sizeAndColor(choices, hasSizes);
    // Some spreadsheets put an apostrophe before a number to mark it as text.
    const sku = columns.cell(row, 'Variant SKU').replace(/^'/, '');
    return {
      identifier: identifiers.choose(sku, [handle, ...choices.map(({ value }) => slug(value))]),
      size: columns.text(variationFields.size, joined(size), row, firstColumn(size), rejections),
      color: columns.text(variationFields.color, joined(color), row, firstColumn(color), rejections),
      quantity: columns.read(quantityReader, row, 'Variant Inventory Qty', rejections) ?? null,
    };
  });
}

function isNamed(option: string, words: ReadonlySet<string>): boolean {
  return option
    .toLowerCase()
    .split(/[^\p{L}]+/u)
    .some((word) => words.has(word));
}

/** Shopify exports a product without options with the option Title and the value Default Title. */
function isChosen({ option, value }: Choice): boolean {
  return value !== '' && !(option.toLowerCase() === 'title' && value.toLowerCase() === 'default title');
}

function sizeAndColor(choices: Choice[], hasSizes: boolean): { size: Choice[]; color: Choice[] } {
  const [size, color, others]: [Choice[], Choice[], Choice[]] = [[], [], []];
  for (const choice of choices) {
    if (isNamed(choice.option, SIZE_WORDS)) size.push(choice);
    else if (isNamed(choice.option, COLOR_WORDS)) color.push(choice);
    else others.push(choice);
  }
  (hasSizes ? color : size).push(...others);
  return { size, color };
}

function joined(choices: Choice[]): string {
  return choices.map(({ value }) => value).join(' / ');
}

/** Returns the column that a rejection of the joined text names. */
function firstColumn([first]: Choice[]): string {
  return first?.column ?? '';
}

class Identifiers {
  readonly #taken = new Set<string>();
  /** The next suffix to try for each name. Starting at 1 each time would take quadratic time. */
  readonly #numbers = new Map<string, number>();

  /** Returns the SKU if it is valid and unused, otherwise the joined parts, numbered if they are used. */
  choose(sku: string, parts: string[]): string {
    const name = cut(parts.filter((part) => part !== '').join('-'), MAX_IDENTIFIER);
    let identifier = typeof checkIdentifier(sku) === 'string' ? sku : name;
    let number = this.#numbers.get(name) ?? 1;
    for (; this.#taken.has(identifier); number++) {
      const suffix = number === 1 ? '' : `-${number}`;
      identifier = cut(name, MAX_IDENTIFIER - suffix.length) + suffix;
    }
    this.#numbers.set(name, number);
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
  // A character has at most two UTF-16 units, so the rest need not be split.
  return [...identifier.slice(0, 2 * characters)].slice(0, characters).join('');
}
