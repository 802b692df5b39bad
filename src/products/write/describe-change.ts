import type { AuditAction } from '../../audit/audit-entry.ts';
import type { NewAuditEntry } from '../../audit/record-audit.ts';
import { changedFields } from '../record/changed-fields.ts';
import type { Product } from '../record/product.ts';
import { isDeleted, isDisabled } from './products.ts';

/** These follow from other changes. */
const DERIVED: readonly string[] = [
  ...['status', 'created_at', 'updated_at', 'disabled_at', 'deleted_at', 'catalog_only_at'],
];

/**
 * Returns the audit log's words for a change: the product's identifier, and the changed fields unless the
 * action says all. Undefined if nothing changed.
 */
export function describeChange(before: Product | undefined, after: Product): NewAuditEntry | undefined {
  const { identifier } = after;
  const action = stateAction(before, after);
  if (action !== undefined || before === undefined)
    return { action: action ?? 'product.created', subject: identifier };
  const names = changedFields(before, after).filter((name) => !DERIVED.includes(name));
  if (names.length === 0) return undefined;
  return { action: 'product.changed', subject: `${identifier}: ${names.join(', ')}` };
}

function stateAction(before: Product | undefined, after: Product): AuditAction | undefined {
  const wasDeleted = before === undefined || isDeleted(before);
  if (wasDeleted !== isDeleted(after)) return wasDeleted ? 'product.created' : 'product.deleted';
  if (before === undefined) return undefined;
  const [earlier, now] = [saleOf(before), saleOf(after)];
  return earlier === now ? undefined : `product.${now}`;
}

/** Where a product is sold. */
function saleOf(product: Product): 'disabled' | 'catalog_only' | 'enabled' {
  if (isDisabled(product)) return 'disabled';
  return product.catalog_only_at === null ? 'enabled' : 'catalog_only';
}
