import { hash } from 'node:crypto';
import { pick } from '../../shared/pick.ts';
import type { Product } from '../record/product.ts';
import { type ReviewedValues, reviewedFields } from '../record/review-state.ts';

/** Of 64 characters each stands for 6 bits. */
const VERSION_LENGTH = 22;

/** Returns the values that a reviewer looks at. */
export function reviewedValues(product: Omit<Product, 'variations'>): ReviewedValues {
  return pick(product, reviewedFields);
}

/** Returns a text that differs once a reviewer would see other values, but not when the stock changes. */
export function reviewedVersion(values: ReviewedValues): string {
  const json = JSON.stringify(reviewedFields.map((name) => values[name]));
  return hash('sha256', json, 'base64url').slice(0, VERSION_LENGTH);
}
