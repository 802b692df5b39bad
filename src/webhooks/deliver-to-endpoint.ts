import { recordAudit } from '../audit/record-audit.ts';
import type { Connection, Database } from '../database/database.ts';
import { liveSideOf } from '../database/sides.ts';
import { renderEvent } from '../event-feed/render-event.ts';
import { recordEvent } from '../events/record-event.ts';
import { ownerOf } from './endpoint.ts';
import {
  type AttemptRow,
  type DueDelivery,
  type EndpointRow,
  endDelivery,
  failWaiting,
  insertAttempt,
  type QueueStatements,
  releaseEndpoint,
  setFailing,
  updateEndpoint,
} from './queries.ts';
import { retryDelay } from './retry-times.ts';
import { type AttemptResult, hasSucceeded, type Receiver, type Sender, sendMessage } from './send-message.ts';

/** How many messages an endpoint gets at a time. One that fails gets one, so that it occupies few connections. */
const AT_ONCE = 16;
/** How long an endpoint's attempts may all fail until it is disabled. */
const MAX_FAILING_MS = 5 * 24 * 60 * 60 * 1000;
/** How long a batch starts further messages. The last one may take 15 seconds more, and must end within the lease. */
const BATCH_MS = 10_000;
/** Longer than a batch takes, and how long a dead process keeps an endpoint. */
const LEASE_MICROSECONDS = 40_000_000;
const GONE = 410;

/** How an attempt ended, for metrics. */
export type DeliveryOutcome = 'delivered' | 'retried' | 'failed';

/** The parts that deliver. */
export interface DeliveryParts {
  database: Database;
  statements: QueueStatements;
  sender: Sender;
  /** Identifies this process. */
  holder: string;
  /** Resolves when results may be stored: for many endpoints at once, so that their transactions share a commit. */
  nextCommit(): Promise<void>;
  onAttempt(outcome: DeliveryOutcome): void;
}

interface Attempt {
  delivery: DueDelivery;
  result: AttemptResult;
}

/** Takes the lease of an endpoint. Undefined if it is not due, or another process has it. */
export async function takeEndpoint(
  connection: Connection,
  { statements, holder }: DeliveryParts,
  id: string,
): Promise<EndpointRow | undefined> {
  return await connection.first(statements.takeEndpoint, { id, holder, duration: LEASE_MICROSECONDS });
}

/**
 * Sends what is due to an endpoint whose lease this process has, and ends the lease. Stops after a batch if it `shouldYield`
 * or the endpoint fails, so that others have their turn. The first attempts of events about one object are made in their
 * order.
 */
export async function deliverToEndpoint(
  parts: DeliveryParts,
  endpoint: EndpointRow,
  shouldYield: () => boolean,
): Promise<void> {
  const { database, statements } = parts;
  let current: EndpointRow | undefined = endpoint;
  while (current !== undefined) {
    const limit: number = current.failing_since === null ? AT_ONCE : 1;
    const due: DueDelivery[] = await database.all(statements.listDueDeliveries, {
      endpointId: endpoint.id,
      limit,
    });
    const sent: Attempt[] = await sendAll(parts, current, due);
    // What was interrupted does not count: another process sends it again.
    const attempts = sent.filter(({ result }) => result.status !== null || !parts.sender.stopping.aborted);
    const isHealthy = attempts.every(({ result }) => hasSucceeded(result));
    const shouldRelease = due.length < limit || !isHealthy || shouldYield();
    await parts.nextCommit();
    current = await database.transaction((connection) =>
      recordAttempts(connection, parts, endpoint.id, attempts, shouldRelease),
    );
    for (const attempt of attempts) parts.onAttempt(outcomeOf(attempt));
  }
}

/**
 * Sends a batch, one message about each subject at a time. After a failure, or if the batch takes long, the further ones about
 * that subject remain due: the lease must not expire meanwhile.
 */
async function sendAll(parts: DeliveryParts, endpoint: EndpointRow, due: DueDelivery[]): Promise<Attempt[]> {
  const startedAt = performance.now();
  const bySubject = [...Map.groupBy(due, subjectOf).values()];
  const sent = await Promise.all(
    bySubject.map(async (deliveries) => {
      const attempts: Attempt[] = [];
      for (const delivery of deliveries) {
        const message = { id: delivery.id, body: renderEvent(delivery) };
        const result = await sendMessage(parts.sender, receiverOf(endpoint, parts.sender.now()), message);
        attempts.push({ delivery, result });
        if (!hasSucceeded(result) || performance.now() - startedAt > BATCH_MS) break;
      }
      return attempts;
    }),
  );
  return sent.flat();
}

/** Returns where and how to send to an endpoint at a time. */
export function receiverOf(endpoint: EndpointRow, now: number): Receiver {
  const { url, secret, former_secret: former, former_secret_until: until } = endpoint;
  const hasFormer = former !== null && until !== null && until > now;
  return { url, owner: ownerOf(endpoint), secrets: hasFormer ? [secret, former] : [secret] };
}

/** Returns what an event is about: a product, a campaign, or the whole merchant. */
function subjectOf({ merchant_id, type, data }: DueDelivery): string {
  const { internal_id: id = '' }: { internal_id?: unknown } = JSON.parse(data);
  return `${merchant_id} ${type.split('.')[0]} ${String(id)}`;
}

/**
 * Stores attempts, and releases the endpoint if it should, or if its merchant was suspended. Resolves to the endpoint as it is
 * now; undefined if this process does not have its lease any more.
 */
async function recordAttempts(
  connection: Connection,
  { statements, holder, sender }: DeliveryParts,
  id: string,
  attempts: readonly Attempt[],
  shouldRelease: boolean,
): Promise<EndpointRow | undefined> {
  const endpoint = await connection.first(statements.holdEndpoint, {
    id,
    holder,
    duration: LEASE_MICROSECONDS,
  });
  // Another process repeats the attempts: an event is delivered at least once.
  if (endpoint === undefined) return undefined;
  await connection.runEach(insertAttempt, attempts.map(attemptRow(id)));
  for (const attempt of attempts) await recordOutcome(connection, statements, id, attempt);
  const isFailing = attempts.length > 0 && attempts.every(({ result }) => !hasSucceeded(result));
  const hasDelivered = attempts.length > 0 && !isFailing;
  const now = sender.now();
  const failingSince = hasDelivered
    ? null
    : isFailing
      ? (endpoint.failing_since ?? now)
      : endpoint.failing_since;
  if (failingSince !== endpoint.failing_since) await connection.run(setFailing, { id, failingSince });
  const reason = attempts.some(({ result }) => result.status === GONE)
    ? 'gone'
    : failingSince !== null && now - failingSince > MAX_FAILING_MS
      ? 'failures'
      : undefined;
  if (reason !== undefined)
    await disable(connection, { ...endpoint, failing_since: failingSince }, reason, now);
  if (shouldRelease || endpoint.suspended_at !== null) {
    await connection.run(releaseEndpoint, { id, holder });
    return undefined;
  }
  return { ...endpoint, failing_since: failingSince };
}

const attemptRow =
  (endpointId: string) =>
  ({ delivery, result }: Attempt): AttemptRow => ({
    event_number: delivery.number,
    endpoint_id: endpointId,
    attempt: delivery.attempts + 1,
    at: result.at,
    duration_ms: result.durationMs,
    status: result.status,
    error: result.error,
    response: result.response,
  });

async function recordOutcome(
  connection: Connection,
  { postponeDelivery }: QueueStatements,
  endpointId: string,
  { delivery, result }: Attempt,
): Promise<void> {
  const { number: eventNumber, due_at: dueAt } = delivery;
  const outcome = { endpointId, eventNumber, dueAt, attempts: delivery.attempts + 1 };
  const delay = delayAfter({ delivery, result });
  if (delay === undefined) {
    const state = hasSucceeded(result) ? 'delivered' : 'failed';
    await connection.run(endDelivery, { ...outcome, state });
  } else {
    const failures = delivery.failures + 1;
    await connection.run(postponeDelivery, { ...outcome, failures, delay: delay * 1000 });
  }
}

/** Returns the milliseconds until the next attempt; undefined if there is none. */
function delayAfter({ delivery, result }: Attempt): number | undefined {
  if (hasSucceeded(result) || result.status === GONE) return undefined;
  return retryDelay(delivery.failures + 1, result.retryAfter, Math.random());
}

function outcomeOf(attempt: Attempt): DeliveryOutcome {
  if (hasSucceeded(attempt.result)) return 'delivered';
  return delayAfter(attempt) === undefined ? 'failed' : 'retried';
}

/** Disables an endpoint, with an event for its owner. Its deliveries that wait count as failed, for a replay. */
async function disable(
  connection: Connection,
  endpoint: EndpointRow,
  reason: 'gone' | 'failures',
  now: number,
): Promise<void> {
  const { id, merchant_id: merchantId, url, description, types, failing_since: failingSince } = endpoint;
  await connection.run(updateEndpoint, {
    merchantId,
    id,
    url,
    description,
    types,
    disabledAt: now,
    disabledReason: reason,
    failingSince,
  });
  await connection.run(failWaiting, { endpointId: id });
  await recordEvent(connection, {
    merchantId,
    type: 'endpoint.disabled',
    occurredAt: now,
    data: { id, url, reason },
  });
  const subject = `${id} ${new URL(url).host}: ${reason}`;
  const entry = {
    merchantId: liveSideOf(merchantId),
    who: 'Tradepost',
    action: 'webhook.disabled',
    subject,
  } as const;
  await recordAudit(connection, entry, now);
}
