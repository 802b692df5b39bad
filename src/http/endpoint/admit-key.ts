import type { IncomingMessage } from 'node:http';
import type { KeyUsageRecorder } from '../../api-keys/record-usage.ts';
import { hasScope, widerScope } from '../../api-keys/scopes.ts';
import type { Caller } from '../../api-keys/verify-token.ts';
import type { ConcurrentUse } from '../../budgets/concurrent-use.ts';
import type { Metrics } from '../../observability/metrics.ts';
import type { RateLimits } from '../rate-limits/limits.ts';
import { contextOf } from '../request-context.ts';
import { requestErrors } from '../responses/request-errors.ts';

/** Services that count the use of keys. */
export interface KeyUseServices {
  limits: RateLimits;
  metrics: Metrics;
  usageRecorder: KeyUsageRecorder;
  /** Counts the unread bytes of each merchant's responses. */
  unreadBytes: ConcurrentUse;
}

/** Counts a request with a key. @throws {DomainError} `rate_limited` */
export async function countKey(
  services: KeyUseServices,
  request: IncomingMessage,
  key: Caller<string>,
): Promise<void> {
  const secondsToWait = await services.limits.byKey.take(key.key, key, key.requestLimit);
  recordKeyUse(services, request, key);
  if (secondsToWait > 0) {
    services.metrics.limited('key');
    throw requestErrors.rate_limited(secondsToWait);
  }
}

/** Accepts a scope that includes the needed one. @throws {DomainError} `scope_missing` */
export function requireScope<Granted extends string>(
  { scopes }: Pick<Caller<Granted>, 'scopes'>,
  scope: Granted | undefined,
): void {
  if (scope !== undefined && !hasScope(scopes, scope))
    throw requestErrors.scope_missing(scope, widerScope(scope));
}

/** Completes the request's context with its key, and records the use of the key. */
export function recordKeyUse(
  { usageRecorder, limits, unreadBytes }: Omit<KeyUseServices, 'metrics'>,
  request: IncomingMessage,
  key: Caller<string>,
): void {
  const context = contextOf(request);
  context.caller = key;
  context.rateLimitHeaders = limits.byKey.headers(key.key, key.requestLimit);
  context.holdUnread = (bytes) => unreadBytes.hold(key.merchantId, bytes);
  const { 'x-erp-name': erpName, 'user-agent': userAgent } = request.headers;
  usageRecorder.record(key, typeof erpName === 'string' ? erpName : undefined, userAgent);
}
