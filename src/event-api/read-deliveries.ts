import type { Reader } from '../database/database.ts';
import type { BoundParameters } from '../http/parameters/bind.ts';
import { DEFAULT_LIMIT, readPage } from '../http/parameters/page.ts';
import { type Delivery, listDeliveries } from '../webhooks/list-deliveries.ts';
import type { deliveriesParameters } from '../webhooks/parameters.ts';
import type { WebhookName } from '../webhooks/queries.ts';

/**
 * Reads a page of the deliveries to a webhook for `reader`, who is a merchant or the operator.
 * @throws {DomainError} `webhook_not_found`, or `invalid_parameters` for a cursor of another list
 */
export async function readDeliveries(
  database: Reader,
  reader: number,
  webhook: WebhookName,
  input: BoundParameters<typeof deliveriesParameters>,
): Promise<{ results: Delivery[]; next: string | null }> {
  const { after, limit = DEFAULT_LIMIT, only_failed: onlyFailed = false } = input;
  const { deliveries: results, next } = await readPage(
    { merchantId: reader, items: 'deliveries', selected: [webhook.id, onlyFailed], after },
    ['integer'],
    (place) => listDeliveries(database, webhook, { before: place?.[0], limit, onlyFailed }),
  );
  return { results, next };
}
