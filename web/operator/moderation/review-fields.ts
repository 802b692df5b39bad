import type { QueueEntry } from '../../../src/products/moderation/list-queue.ts';
import type { Moderation } from '../../../src/products/record/product-status.ts';
import { type ReviewedField, reviewedFields } from '../../../src/products/record/review-state.ts';
import { isMoney } from '../../products/money-fields.ts';

/** What a decision is called, as an action and as a state. */
export const decisions: Readonly<Record<Moderation, { action: string; done: string; key: string }>> = {
  ok: { action: 'Approve', done: 'approved', key: 'a' },
  problematic: { action: 'Problematic', done: 'marked as problematic', key: 'p' },
  banned: { action: 'Ban', done: 'banned', key: 'b' },
};

export const decisionStates = Object.keys(decisions) as Moderation[];

const pictureFields: readonly ReviewedField[] = ['primary_image', 'extra_images'];
/** Shown above the fields, even if they are unchanged. */
const headFields: readonly ReviewedField[] = ['title'];

/** The fields that are shown as names and values: those that have a value or have changed. */
export function shownFields({ product, changed }: QueueEntry): ReviewedField[] {
  return reviewedFields.filter((name) => {
    if (pictureFields.includes(name)) return false;
    if (headFields.includes(name)) return changed.includes(name);
    return changed.includes(name) || product[name] !== null;
  });
}

/** The URLs of pictures, first the main one. */
export function picturesOf(values: {
  primary_image?: string | null;
  extra_images?: string | null;
}): string[] {
  const all = [values.primary_image ?? '', ...(values.extra_images ?? '').split('|')];
  return [...new Set(all.map((url) => url.trim()).filter((url) => url !== ''))];
}

/** Returns the text of a value; amounts in the merchant's currency. */
export function textOf(name: ReviewedField, value: string | number | null, currency: string): string {
  if (typeof value !== 'number') return value ?? '';
  if (!isMoney(name)) return String(value);
  return new Intl.NumberFormat(undefined, { style: 'currency', currency }).format(value);
}

/** What of the pictures before is gone, and what is new; both are empty unless they changed. */
export function pictureChanges({ product, changed, before }: QueueEntry): {
  removed: string[];
  added: ReadonlySet<string>;
} {
  if (!changed.some((name) => pictureFields.includes(name))) return { removed: [], added: new Set() };
  const known = changed.every((name) => !pictureFields.includes(name) || name in before);
  if (!known) return { removed: [], added: new Set() };
  const earlier = picturesOf({ ...product, ...before });
  const current = picturesOf(product);
  return {
    removed: earlier.filter((url) => !current.includes(url)),
    added: new Set(current.filter((url) => !earlier.includes(url))),
  };
}

/** Returns the name of a product. */
export function nameOf({ product, identifier }: QueueEntry): string {
  return product.title ?? identifier;
}
