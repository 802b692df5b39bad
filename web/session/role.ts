import { isAtLeast, type Role } from '../../src/users/role.ts';
import { useSession } from './session.ts';

/** The labels of roles, and what each can do, most first. */
export const roleTexts: readonly { role: Role; label: string; description: string }[] = [
  {
    role: 'owner',
    label: 'Owner',
    description: 'Everything, including the team, API keys, webhooks, and settings.',
  },
  {
    role: 'editor',
    label: 'Editor',
    description: 'Can edit products and campaigns, and ship and refund orders. Everything else is read-only.',
  },
  { role: 'viewer', label: 'Viewer', description: 'Sees everything, but can’t change anything.' },
];

export function roleLabel(role: Role): string {
  return roleTexts.find((text) => text.role === role)?.label ?? role;
}

/** Whether the user's role is at least this one. The server enforces it; pages hide what is not allowed. */
export function useAllows(least: Role): boolean {
  return isAtLeast(useSession().user.role, least);
}
