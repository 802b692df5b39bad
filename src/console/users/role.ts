/** What a console user may do: owners everything, editors change the shop’s data, viewers only read. Least first. */
export const roles = ['viewer', 'editor', 'owner'] as const;
export type Role = (typeof roles)[number];

/** The role of a user who is created without one. */
export const DEFAULT_ROLE: Role = 'owner';

/** Whether a role allows what requires at least another one. */
export function isAtLeast(role: Role, least: Role): boolean {
  return roles.indexOf(role) >= roles.indexOf(least);
}

/** Returns a stored role. @throws {Error} for a text that is none */
export function parseRole(text: string): Role {
  const role = roles.find((one) => one === text);
  if (role === undefined) throw new Error(`no role ${text}`);
  return role;
}
