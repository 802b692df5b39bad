import { normalizeTarget, pathOf } from '../http/gate/request-target.ts';

/** Everything for the operator is below this path. */
export const OPERATOR_PATH = '/operator';
/** The endpoints of the operator API are below this path. */
export const OPERATOR_BASE_PATH = `${OPERATOR_PATH}/v1`;
export const OPERATOR_DOCUMENT_PATH = `${OPERATOR_PATH}/openapi.json` as const;

/** Whether a target is a page of the operator's screen or a call of its pages, and not the API's. */
export function isScreenTarget(target: string | undefined): boolean {
  const path = pathOf(normalizeTarget(target));
  const isApi = path === OPERATOR_BASE_PATH || path.startsWith(`${OPERATOR_BASE_PATH}/`);
  return isOperatorTarget(target) && !isApi && path !== OPERATOR_DOCUMENT_PATH;
}

/** Whether a target is for the operator, in any spelling. */
export function isOperatorTarget(target: string | undefined): boolean {
  const path = pathOf(normalizeTarget(target));
  return path === OPERATOR_PATH || path.startsWith(`${OPERATOR_PATH}/`);
}
