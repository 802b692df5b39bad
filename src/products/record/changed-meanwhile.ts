import type { Problem } from '../../errors/domain-error.ts';
import { shorten } from '../../files/parsed.ts';
import type { Product, ProductStatus, Variation } from './product.ts';
import type { ProductDraft } from './product-draft.ts';
import { stockStatuses } from './product-status.ts';

/**
 * Returns a problem for each value of `was` that the product no longer has. Sales and deliveries move a
 * product between the statuses for sale, so these count as the same status.
 */
export function changedMeanwhile(before: Product | undefined, draft: ProductDraft): Problem[] {
  const problems = [...valueProblems(before, draft.was, draft.fields)];
  const listed = draft.variations?.filter(({ was }) => was !== undefined) ?? [];
  if (listed.length === 0) return problems;
  const known = new Map(before?.variations.map((variation) => [variation.identifier, variation]));
  for (const variation of listed) {
    const { identifier, was } = variation;
    for (const problem of valueProblems(known.get(identifier), was, variation))
      problems.push({ ...problem, field: `variations[${identifier}][${problem.field}]` });
  }
  return problems;
}

function* valueProblems<Name extends keyof Product | keyof Variation>(
  before: Partial<Record<Name, unknown>> | undefined,
  was: Partial<Record<Name, unknown>> | undefined,
  wanted: Partial<Record<Name, unknown>>,
): Generator<Problem> {
  for (const name in was) {
    const value = before?.[name] ?? null;
    if (isSame(name, was[name], value)) continue;
    const change = `from ${textOf(was[name])} to ${textOf(value)}`;
    const reason = `changed meanwhile ${change}; the product is left alone`;
    yield { field: name, value: wanted[name], reason };
  }
}

function isSame(name: string, one: unknown, other: unknown): boolean {
  return one === other || (name === 'status' && isForSale(one) && isForSale(other));
}

function isForSale(status: unknown): boolean {
  return status === 'enabled' || stockStatuses.includes(status as ProductStatus);
}

function textOf(value: unknown): string {
  return shorten(value) || 'none';
}
