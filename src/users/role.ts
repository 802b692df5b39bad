/** Least first: viewers only read, editors change the shop's data, owners may do everything. */
export const roles = ['viewer', 'editor', 'owner'] as const;
export type Role = (typeof roles)[number];

export const DEFAULT_ROLE: Role = 'owner';

/** Whether `role` allows what requires `least`. */
export function isAtLeast(role: Role, least: Role): boolean {
  return roles.indexOf(role) >= roles.indexOf(least);
}

/** @throws {Error} for a text that is no role */
export function parseRole(text: string): Role {
  const role = roles.find((one) => one === text);
  if (role === undefined) throw new Error(`no role ${text}`);
  return role;
}
