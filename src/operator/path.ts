import { normalizeTarget, pathOf } from '../http/gate/request-target.ts';

/** The path that everything for the operator is below. */
export const OPERATOR_PATH = '/operator';
/** The path that the endpoints of the operator API are below. */
export const OPERATOR_BASE_PATH = `${OPERATOR_PATH}/v1`;

/** Whether a request target, in any spelling, is for the operator. */
export function isOperatorTarget(target: string | undefined): boolean {
  const path = pathOf(normalizeTarget(target));
  return path === OPERATOR_PATH || path.startsWith(`${OPERATOR_PATH}/`);
}
