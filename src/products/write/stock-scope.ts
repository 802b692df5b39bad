import { hasScope, type Scope } from '../../api-keys/scopes.ts';
import type { Problem } from '../../errors/domain-error.ts';
import { errors } from '../../errors/errors.ts';
import type { Product } from '../record/product.ts';
import type { StockChange } from './change-stock.ts';
import type { ProductInput } from './parameters.ts';
import type { SentDraft } from './read-draft.ts';

// What a key with the scope `stock`, and without `write`, may send: what names a record, and its quantities.

const productFields = ['identifier', 'internal_id', 'available_quantity', 'variations'];
const entryFields = ['identifier', 'internal_id', 'quantity'];
const stockFields = ['quantity', 'quantity_change', 'quantity_was'] satisfies (keyof StockChange)[];
const variationFields = [
  'identifier',
  'internal_id',
  'product_identifier',
  'product_internal_id',
  ...stockFields,
];
const stockLineFields = ['identifier', 'variation', ...stockFields];

/** As messages name them. */
const allowedInProduct = ['identifier', 'internal_id', 'available_quantity', 'variations[SKU][quantity]'];

/** Whether a caller may change nothing but quantities. Sessions, which have no key, are not limited. */
export function changesOnlyQuantities(key: { scopes: readonly Scope[] } | undefined): boolean {
  return key !== undefined && !hasScope(key.scopes, 'write');
}

/** @throws {DomainError} `only_quantities` if a change of a product sends other fields */
export function requireProductQuantities(input: ProductInput): void {
  const fields = otherProductFields(input);
  if (fields.length > 0) throw errors.only_quantities(fields, allowedInProduct);
}

/** @throws {DomainError} `only_quantities` if a change of a variation sends other fields */
export function requireVariationQuantities(input: object): void {
  const fields = otherFields(input, variationFields);
  if (fields.length > 0) throw errors.only_quantities(fields, variationFields);
}

/** Returns a problem for each field of a line that a single call would refuse with `only_quantities`. */
export function lineProblems(line: { product: ProductInput } | { stock: object }): Problem[] {
  const [fields, allowed] =
    'product' in line
      ? [otherProductFields(line.product), allowedInProduct]
      : [otherFields(line.stock, stockLineFields), stockLineFields];
  const reason = `only quantities may be changed with the scope stock: expected only ${allowed.join(', ')}`;
  return fields.map((field) => ({ field, reason }));
}

/** Returns what is wrong with a line of a batch that names no product, and would create it. */
export function creationProblem(identifier: string): Problem {
  const reason = `there is no product with the unique ID ${identifier}, and the scope stock creates none`;
  return { field: 'identifier', value: identifier, reason };
}

/** Adds a problem for each listed variation that the product does not have, and that a write would add. */
export function withoutNewVariations({ draft, problems }: SentDraft, { variations }: Product): SentDraft {
  if (draft.variations === undefined) return { draft, problems };
  const known = new Set(variations.map(({ identifier }) => identifier));
  const added = draft.variations.flatMap(({ identifier }): Problem[] => {
    if (known.has(identifier)) return [];
    const reason = 'the product has no variation with this unique ID, and the scope stock adds none';
    return [{ field: `variations[${identifier}]`, value: identifier, reason }];
  });
  return { draft, problems: [...problems, ...added] };
}

function otherProductFields(input: ProductInput): string[] {
  const ofVariations = (input.variations ?? []).flatMap((entry) =>
    otherFields(entry, entryFields).map((name) => `variations[${entry.identifier}][${name}]`),
  );
  return [...otherFields(input, productFields), ...ofVariations];
}

/** Returns the names of the sent fields that are not allowed. */
function otherFields(sent: object, allowed: readonly string[]): string[] {
  return Object.entries(sent).flatMap(([name, value]) =>
    value === undefined || allowed.includes(name) ? [] : [name],
  );
}
