import type { AuditAction } from '../../audit/audit-entry.ts';
import type { ActivityType } from '../activity-api.ts';

const typeOfGroup: Readonly<Record<string, ActivityType>> = {
  key: 'key',
  marketplace: 'settings',
  backup: 'settings',
  user: 'user',
  support_view: 'user',
  product: 'product',
  products: 'product',
  import: 'product',
  campaign: 'campaign',
  order: 'order',
  merchant: 'settings',
  webhook: 'webhook',
  metadata: 'settings',
} satisfies Record<GroupOf<AuditAction>, ActivityType>;

type GroupOf<Action extends string> = Action extends `${infer Group}.${string}` ? Group : never;

/** Returns what the actions of a type begin with. */
export function groupsOf(type: ActivityType): string[] {
  return Object.entries(typeOfGroup).flatMap(([group, of]) => (of === type ? [group] : []));
}

/** Returns the type of an action of the audit log. */
export function typeOfAction(action: AuditAction): ActivityType {
  return typeOfGroup[action.slice(0, action.indexOf('.'))] ?? 'settings';
}

/**
 * Actions that are in the log alone, although their type has a history: they change no field that it has.
 */
export const unrecordedActions: readonly AuditAction[] = [
  'import.canceled',
  'order.annotated',
  'order.customer_revealed',
];
