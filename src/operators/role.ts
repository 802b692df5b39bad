/**
 * Least first: viewers read everything but orders; support also suspends merchants, moderates products and
 * handles orders; admins may do everything, also with keys, users, lists, campaigns and operators.
 */
export const operatorRoles = ['viewer', 'support', 'admin'] as const;
export type OperatorRole = (typeof operatorRoles)[number];

/** Whether `role` allows what requires `least`. */
export function isAtLeastOperator(role: OperatorRole, least: OperatorRole): boolean {
  return operatorRoles.indexOf(role) >= operatorRoles.indexOf(least);
}

/** @throws {Error} for a text that is no role */
export function parseOperatorRole(text: string): OperatorRole {
  const role = operatorRoles.find((one) => one === text);
  if (role === undefined) throw new Error(`no role ${text}`);
  return role;
}
