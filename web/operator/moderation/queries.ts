import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import type { DecisionLineResult } from '../../../src/products/moderation/decision-schema.ts';
import type { QueueEntry } from '../../../src/products/moderation/list-queue.ts';
import type { ModerationQueue } from '../../../src/products/moderation/queue-schema.ts';
import type { Moderation } from '../../../src/products/record/product-status.ts';
import { queryClient, refresh } from '../../server/query-client.ts';
import { call } from '../call.ts';
import { ROWS_OF_PART } from '../paged.ts';

/** Of one call. */
const MAX_DECISIONS = 200;

/** The products that wait for a review, of all merchants or of one. */
export function queueQuery(merchant: string | undefined) {
  return infiniteQueryOptions({
    queryKey: ['moderation', merchant ?? ''],
    initialPageParam: undefined as string | undefined,
    // The types of the client say less about `before` and `product` than the endpoint's.
    queryFn: async ({ pageParam: after, signal }) =>
      (await call(
        'listModerationQueue',
        {},
        { merchant, after, limit: ROWS_OF_PART },
        { signal },
      )) as unknown as ModerationQueue,
    getNextPageParam: ({ next }) => next ?? undefined,
  });
}

/** A reason as the list `moderation_reasons` has it. */
export interface ReasonTemplate {
  code: string;
  message: string;
}

export const reasonTemplatesQuery = queryOptions({
  queryKey: ['lists', 'moderation_reasons', 'templates'],
  queryFn: async ({ signal }): Promise<ReasonTemplate[]> => {
    const { entries } = await call('retrieveMetadataList', { list: 'moderation_reasons' }, {}, { signal });
    return Object.entries(entries).map(([message, code]) => ({ message, code: String(code) }));
  },
});

export interface Decision {
  state: Moderation;
  reasons: readonly ReasonTemplate[];
}

/** Identifies a product among those of all merchants. */
export function keyOf({ merchant, identifier }: Pick<QueueEntry, 'merchant' | 'identifier'>): string {
  return `${merchant.external_id} ${identifier}`;
}

/** Decides about products as they are shown. Resolves to what was done about each, in order. */
export async function decide(
  entries: readonly QueueEntry[],
  { state, reasons }: Decision,
): Promise<DecisionLineResult[]> {
  const lines = entries.map(({ merchant, identifier, version }) => ({
    merchant: merchant.external_id,
    identifier,
    state,
    reasons,
    version,
  }));
  const results: DecisionLineResult[] = [];
  for (let start = 0; start < lines.length; start += MAX_DECISIONS) {
    const some = await call('moderateProducts', {}, lines.slice(start, start + MAX_DECISIONS));
    results.push(...(some.results as DecisionLineResult[]));
  }
  return results;
}

/** Takes products that were decided about out of the lists that are shown. */
export function removeFromQueue(decided: ReadonlySet<string>): void {
  queryClient.setQueriesData<{ pages: ModerationQueue[]; pageParams: unknown[] }>(
    { queryKey: ['moderation'] },
    (data) =>
      data && {
        ...data,
        pages: data.pages.map((page) => ({
          ...page,
          results: page.results.filter((entry) => !decided.has(keyOf(entry))),
        })),
      },
  );
}

export function reloadQueue(): Promise<void> {
  return refresh('moderation');
}
