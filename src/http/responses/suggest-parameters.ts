import { nearest } from '../../shared/nearest.ts';

/** Names that other APIs use, and this API's names for the same, of which an endpoint has a few. */
const SYNONYMS: Readonly<Record<string, readonly string[]>> = {
  limit: ['per_page'],
  page_size: ['per_page'],
  offset: ['page'],
  cursor: ['after', 'changed_since'],
  since: ['changed_since', 'after'],
  updated_since: ['changed_since'],
  q: ['query'],
  search: ['query'],
  order: ['sort'],
  order_by: ['sort'],
  sort_by: ['sort'],
  id: ['identifier', 'internal_id'],
  sku: ['identifier'],
  price: ['buy_now_price', 'retail_price'],
  stock: ['quantity', 'available_quantity'],
  budget: ['daily_budget'],
};
/** Endpoints that write products know too many names to list. */
const MAX_LISTED = 15;

/**
 * Returns the names that were probably meant, and then all names. Blank if nothing similar is known:
 * published clients expect exactly the message.
 */
export function suggestParameters(unrecognized: readonly string[], known: readonly string[]): string {
  const meant = new Set(unrecognized.slice(0, MAX_LISTED).flatMap((name) => meantBy(name, known) ?? []));
  if (meant.size === 0) return '';
  const suggestion = ` Did you mean ${[...meant].join(', ')}?`;
  return known.length > MAX_LISTED ? suggestion : `${suggestion} Known: ${known.join(', ')}.`;
}

function meantBy(name: string, known: readonly string[]): string | undefined {
  const synonyms = Object.hasOwn(SYNONYMS, name) ? SYNONYMS[name] : undefined;
  return synonyms?.find((synonym) => known.includes(synonym)) ?? nearest(name, known);
}
