import type { Problem } from '../../errors/domain-error.ts';
import { type Field, MAX_COUNT, type Product, productFields } from './product.ts';

/** A URL that browsers open with HTTP. Spaces around it are allowed. */
export const WEB_URL = String.raw`^\s*[Hh][Tt][Tt][Pp][Ss]?://[^\s/?#|][^|]*$`;
const webUrl = new RegExp(WEB_URL);

export function isWebUrl(text: string): boolean {
  return webUrl.test(text);
}

const urlFields = Object.entries<Field>(productFields).flatMap(([name, field]) =>
  field.kind === 'text' && field.urls !== undefined
    ? [{ name: name as 'primary_image' | 'extra_images', urls: field.urls }]
    : [],
);

/**
 * Rejects more stock than a 32-bit integer can hold and URLs that are not HTTP. Stored values of earlier
 * versions may stay, but stock may only fall.
 */
export function checkRecord(before: Product | undefined, product: Product): Problem[] {
  return [...stockProblems(before, product), ...urlProblems(before, product)];
}

function stockProblems(before: Product | undefined, product: Product): Problem[] {
  const { available_quantity: units, variations } = product;
  if (units === null || units <= MAX_COUNT || units <= (before?.available_quantity ?? 0)) return [];
  const expected = `expected at most ${MAX_COUNT}`;
  const reason =
    variations.length === 0 ? expected : `${expected}, found ${units} as the sum of the variations`;
  return [{ field: 'available_quantity', value: units, reason }];
}

function urlProblems(before: Product | undefined, product: Product): Problem[] {
  return urlFields.flatMap(({ name: field, urls }) => {
    const value = product[field];
    if (value === null || value === before?.[field]) return [];
    const listed = (text: string): string[] => (urls === 'one' ? [text] : text.split('|'));
    const known = new Set(listed(before?.[field] ?? ''));
    const isWrong = (url: string): boolean => url.trim() !== '' && !known.has(url) && !isWebUrl(url);
    if (!listed(value).some(isWrong)) return [];
    const expected = urls === 'one' ? 'a URL that starts' : 'URLs, separated by |, that start';
    return [{ field, value, reason: `expected ${expected} with https:// or http://` }];
  });
}
