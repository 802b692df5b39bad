import { everyResult } from './iterate.ts';
import type { OperatorCallOptions } from './operator-caller.ts';
import { OperatorEvents, PER_PAGE } from './operator-events.ts';
import type { OperatorParametersOf, OperatorResponseOf } from './operator-operations.ts';

type MerchantImport = OperatorResponseOf<'listImports'>['results'][number];
type MerchantWebhook = OperatorResponseOf<'retrieveMerchantWebhook'>;

/** How merchants' software works with the marketplace: failed calls, imports and webhooks. */
export class OperatorIntegrations extends OperatorEvents {
  /** Groups the failed calls of all merchants by cause and endpoint. */
  listFailedCalls(
    parameters: OperatorParametersOf<'listFailedCalls'> = {},
    options: OperatorCallOptions = {},
  ): Promise<OperatorResponseOf<'listFailedCalls'>> {
    return this.caller.call('listFailedCalls', {}, parameters, options);
  }

  /** Lists one page of a merchant's failed calls, newest first. */
  listMerchantFailedCalls(
    externalId: string,
    parameters: OperatorParametersOf<'listMerchantFailedCalls'> = {},
    options: OperatorCallOptions = {},
  ): Promise<OperatorResponseOf<'listMerchantFailedCalls'>> {
    return this.caller.call('listMerchantFailedCalls', { external_id: externalId }, parameters, options);
  }

  /** Lists one page of the imports of all merchants, newest first. */
  listImports(
    parameters: OperatorParametersOf<'listImports'> = {},
    options: OperatorCallOptions = {},
  ): Promise<OperatorResponseOf<'listImports'>> {
    return this.caller.call('listImports', {}, parameters, options);
  }

  /** Iterates over the imports of all merchants, newest first. */
  imports(
    filter: Omit<OperatorParametersOf<'listImports'>, 'after'> = {},
    options: OperatorCallOptions = {},
  ): AsyncGenerator<MerchantImport, void, undefined> {
    return everyResult((after: string | undefined) =>
      this.listImports({ limit: PER_PAGE, ...filter, ...(after === undefined ? {} : { after }) }, options),
    );
  }

  /** What has been imported stays. An import that has ended does not change. */
  cancelImport(
    externalId: string,
    id: string,
    options: OperatorCallOptions = {},
  ): Promise<OperatorResponseOf<'cancelImport'>> {
    return this.caller.call('cancelImport', { external_id: externalId, import_id: id }, {}, options);
  }

  /** Starts an import of the former values. Values that another change has set since stay. */
  undoImport(
    externalId: string,
    id: string,
    parameters: OperatorParametersOf<'undoImport'>,
    options: OperatorCallOptions = {},
  ): Promise<OperatorResponseOf<'undoImport'>> {
    const path = { external_id: externalId, import_id: id };
    return this.caller.call('undoImport', path, parameters, options);
  }

  /** Lists one page, newest first. To follow events, use `eventPages`, which misses none. */
  listNewestEvents(
    parameters: OperatorParametersOf<'listNewestEvents'> = {},
    options: OperatorCallOptions = {},
  ): Promise<OperatorResponseOf<'listNewestEvents'>> {
    return this.caller.call('listNewestEvents', {}, parameters, options);
  }

  /** Lists one page of the webhooks of all merchants; by default failing ones, the oldest failure first. */
  listWebhooksOfAllMerchants(
    parameters: OperatorParametersOf<'listWebhooksOfAllMerchants'> = {},
    options: OperatorCallOptions = {},
  ): Promise<OperatorResponseOf<'listWebhooksOfAllMerchants'>> {
    return this.caller.call('listWebhooksOfAllMerchants', {}, parameters, options);
  }

  listMerchantWebhooks(
    externalId: string,
    options: OperatorCallOptions = {},
  ): Promise<OperatorResponseOf<'listMerchantWebhooks'>> {
    return this.caller.call('listMerchantWebhooks', { external_id: externalId }, {}, options);
  }

  /** @throws {ApiError} with status 404 if the merchant has no such webhook */
  retrieveMerchantWebhook(
    externalId: string,
    webhook: string,
    options: OperatorCallOptions = {},
  ): Promise<MerchantWebhook> {
    return this.caller.call('retrieveMerchantWebhook', { external_id: externalId, webhook }, {}, options);
  }

  /** Disables or enables a webhook. */
  changeMerchantWebhook(
    externalId: string,
    webhook: string,
    parameters: OperatorParametersOf<'changeMerchantWebhook'>,
    options: OperatorCallOptions = {},
  ): Promise<MerchantWebhook> {
    const path = { external_id: externalId, webhook };
    return this.caller.call('changeMerchantWebhook', path, parameters, options);
  }

  /** Sends an example once, and returns the receiver's response. */
  testMerchantWebhook(
    externalId: string,
    webhook: string,
    options: OperatorCallOptions = {},
  ): Promise<OperatorResponseOf<'testMerchantWebhook'>> {
    return this.caller.call('testMerchantWebhook', { external_id: externalId, webhook }, {}, options);
  }

  /** Sends events again. @throws {ApiError} with status 409 if the webhook is disabled */
  replayMerchantWebhook(
    externalId: string,
    webhook: string,
    parameters: OperatorParametersOf<'replayMerchantWebhook'>,
    options: OperatorCallOptions = {},
  ): Promise<OperatorResponseOf<'replayMerchantWebhook'>> {
    const path = { external_id: externalId, webhook };
    return this.caller.call('replayMerchantWebhook', path, parameters, options);
  }

  /** Lists one page, newest event first. */
  listMerchantWebhookDeliveries(
    externalId: string,
    webhook: string,
    parameters: OperatorParametersOf<'listMerchantWebhookDeliveries'> = {},
    options: OperatorCallOptions = {},
  ): Promise<OperatorResponseOf<'listMerchantWebhookDeliveries'>> {
    const path = { external_id: externalId, webhook };
    return this.caller.call('listMerchantWebhookDeliveries', path, parameters, options);
  }
}
