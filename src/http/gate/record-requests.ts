import type { IncomingMessage } from 'node:http';
import { tokenRedactor } from '../../api-keys/redact-tokens.ts';
import type { TokenVerifier } from '../../api-keys/verify-token.ts';
import { OPERATOR_ID } from '../../database/sides.ts';
import type { Failure, RequestRecorder } from '../../requests/request-recorder.ts';
import { bearerToken, readQuery } from '../parameters/read.ts';
import { contextOf, REFUSED_EARLY, type RequestContext, UNKNOWN_ROUTE } from '../request-context.ts';
import { isErrorName, statusOf } from '../responses/statuses.ts';
import { normalizeTarget, pathOf } from './request-target.ts';

const MAX_NAMES = 30;
const MAX_PATH_LENGTH = 200;
const MAX_CLIENT_LENGTH = 200;
const MAX_MESSAGE_LENGTH = 1_000;
/** Other names may be a whole file, or JSON that was sent as a form. */
const NAME = /^[\w.[\] -]{1,100}$/;
const CLOSED = 'The client closed the connection before it had received the whole response.';

interface RecordingServices {
  verifier: Pick<TokenVerifier, 'lastCallerOf'>;
  requestRecorder: RequestRecorder;
}

/**
 * Counts a merchant's call when it is over, and logs it if it failed. A call that was refused before
 * authentication counts for the merchant of its token, if the token was valid at its last lookup.
 */
export function recordRequests({
  verifier,
  requestRecorder,
}: RecordingServices): (request: IncomingMessage, status: number) => void {
  return (request, status) => {
    const context = contextOf(request);
    const key =
      context.caller ?? refusedKey(context) ?? (status >= 400 ? lastCaller(verifier, request) : undefined);
    if (key === undefined || key.merchantId === OPERATOR_ID) return;
    const { method = '' } = request;
    requestRecorder.count(key, `${method} ${context.route}`, statusToCount(context, status));
    if (status < 400) return;
    const failure = describeFailure(request, context, status);
    requestRecorder.log(key, failure, {
      isRefused: context.caller === undefined && context.refusedKey !== undefined,
    });
  };
}

/** Returns 403 for a missing scope that was sent as 401: counts of 401 find keys that are no longer valid. */
function statusToCount({ caller, error }: RequestContext, status: number): number {
  return caller !== undefined && error !== undefined && status === 401 ? statusOf(error) : status;
}

function refusedKey({ refusedKey: key }: RequestContext): { merchantId: number; keyId: number } | undefined {
  return key && { merchantId: key.merchantId, keyId: key.id };
}

function lastCaller(
  verifier: Pick<TokenVerifier, 'lastCallerOf'>,
  { url, headers }: IncomingMessage,
): { merchantId: number; keyId: number } | undefined {
  const inQuery = tokensInQuery(url)[0];
  const token = inQuery ?? bearerToken(headers.authorization);
  return token === undefined ? undefined : verifier.lastCallerOf(token);
}

function tokensInQuery(url: string | undefined): string[] {
  return readQuery(url).flatMap(({ name, text }) => (name === 'access_token' ? [text] : []));
}

function tokensOf({ url, headers }: IncomingMessage, { parameters }: RequestContext): string[] {
  const inHeader = bearerToken(headers.authorization);
  const merged = parameters?.get('access_token')?.map(({ text }) => text) ?? [];
  return [...tokensInQuery(url), ...(inHeader === undefined ? [] : [inHeader]), ...merged];
}

function describeFailure(request: IncomingMessage, context: RequestContext, status: number): Failure {
  const { method = '', url, headers } = request;
  const { id, route, parameters, error } = context;
  const redact = tokenRedactor(tokensOf(request, context));
  const printable = (text: string, maximum: number): string =>
    redact(text).slice(0, maximum).toWellFormed().replaceAll('\0', '');
  const { 'x-erp-name': erpName, 'user-agent': userAgent } = headers;
  const client = typeof erpName === 'string' ? erpName : userAgent;
  const hasRoute = route !== UNKNOWN_ROUTE && route !== REFUSED_EARLY;
  return {
    client: client === undefined ? null : printable(client, MAX_CLIENT_LENGTH),
    method,
    path: hasRoute ? route : printable(pathOf(normalizeTarget(url)), MAX_PATH_LENGTH),
    parameters: JSON.stringify(namesOf(parameters, redact)),
    status,
    error: error !== undefined && isErrorName(error.code) ? error.code : null,
    message: printable(error?.message ?? CLOSED, MAX_MESSAGE_LENGTH),
    request_id: redact(id),
  };
}

function namesOf(parameters: RequestContext['parameters'], redact: (text: string) => string): string[] {
  const names = new Set<string>();
  for (const name of parameters?.keys() ?? []) {
    if (name === 'access_token') continue;
    if (names.size === MAX_NAMES) return [...names, '…'];
    names.add(NAME.test(name) ? redact(name) : '(not a name)');
  }
  return [...names];
}
