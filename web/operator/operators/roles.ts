import type { OperatorRole } from '../../../src/operators/role.ts';

/** The labels of roles, and what each can do, most first. */
export const roleTexts: readonly { role: OperatorRole; label: string; description: string }[] = [
  {
    role: 'admin',
    label: 'Admin',
    description: 'Everything, including keys, users, lists, campaigns, webhooks, and operators.',
  },
  {
    role: 'support',
    label: 'Support',
    description:
      'Suspends merchants, reviews products, cancels imports, and handles orders. Everything else is read-only.',
  },
  {
    role: 'viewer',
    label: 'Viewer',
    description: 'Sees everything except orders, and can’t change anything.',
  },
];

export function roleLabel(role: OperatorRole): string {
  return roleTexts.find((text) => text.role === role)?.label ?? role;
}
