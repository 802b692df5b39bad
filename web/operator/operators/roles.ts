import type { OperatorRole } from '../../../src/operators/role.ts';

/** The labels of roles, and what each can do, most first. */
export const roleTexts: readonly { role: OperatorRole; label: string; description: string }[] = [
  {
    role: 'admin',
    label: 'Admin',
    description: 'Everything, including keys, lists, webhooks, and operators.',
  },
  {
    role: 'support',
    label: 'Support',
    description: 'Manages merchants, moderation, and orders. Everything else is read-only.',
  },
  { role: 'viewer', label: 'Viewer', description: 'Sees everything, but can’t change anything.' },
];

export function roleLabel(role: OperatorRole): string {
  return roleTexts.find((text) => text.role === role)?.label ?? role;
}
