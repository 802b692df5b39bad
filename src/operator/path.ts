import { normalizeTarget, pathOf } from '../http/gate/request-target.ts';

/** Everything for the operator is below this path. */
export const OPERATOR_PATH = '/operator';
/** The endpoints of the operator API are below this path. */
export const OPERATOR_BASE_PATH = `${OPERATOR_PATH}/v1`;

/** Whether a target is for the operator, in any spelling. */
export function isOperatorTarget(target: string | undefined): boolean {
  const path = pathOf(normalizeTarget(target));
  return path === OPERATOR_PATH || path.startsWith(`${OPERATOR_PATH}/`);
}
