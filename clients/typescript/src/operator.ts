import type { Records } from './line-stream.ts';
import { OperatorCaller, type OperatorCallOptions, type OperatorWriteOptions } from './operator-caller.ts';
import type {
  CreatedMerchantKey,
  CreatedWebhook,
  Invitation,
  Merchant,
  MerchantKey,
  MerchantPage,
  MetadataList,
  OperatorOperation,
  OperatorParametersOf,
  OperatorResponseOf,
  StreamSummary,
  Webhook,
} from './operator-operations.ts';
import type { ClientOptions } from './sender.ts';

type Changes<Name extends OperatorOperation> = Promise<OperatorResponseOf<Name>>;

/**
 * A client of the operator API, with a method for each operation. Merchants are named by their external IDs.
 * Calls are retried if that may help, and fail with an `ApiError` or a `ConnectionError`.
 */
export class TradepostOperator {
  readonly #caller: OperatorCaller;

  /** Such as `https://shop.example/operator/v1`. @throws {TypeError} if the URL or the token is invalid */
  constructor(options: Omit<ClientOptions, 'erpName'>) {
    this.#caller = new OperatorCaller(options);
  }

  /** Creates a merchant, or changes the given fields. */
  putMerchant(
    externalId: string,
    parameters: OperatorParametersOf<'putMerchant'>,
    options: OperatorCallOptions = {},
  ): Promise<Merchant> {
    return this.#caller.call('putMerchant', { external_id: externalId }, parameters, options);
  }

  /** @throws {ApiError} with status 404 if there is no such merchant */
  retrieveMerchant(externalId: string, options: OperatorCallOptions = {}): Promise<Merchant> {
    return this.#caller.call('retrieveMerchant', { external_id: externalId }, {}, options);
  }

  /** Lists one page, oldest first. */
  listMerchants(
    parameters: OperatorParametersOf<'listMerchants'> = {},
    options: OperatorCallOptions = {},
  ): Promise<MerchantPage> {
    return this.#caller.call('listMerchants', {}, parameters, options);
  }

  /** Creates a key for software. The result has its token, which cannot be read again. */
  createMerchantKey(
    externalId: string,
    parameters: OperatorParametersOf<'createMerchantKey'>,
    options: OperatorWriteOptions = {},
  ): Promise<CreatedMerchantKey> {
    return this.#caller.write('createMerchantKey', { external_id: externalId }, parameters, options);
  }

  /** Revokes the key permanently. */
  revokeMerchantKey(
    externalId: string,
    key: string,
    options: OperatorWriteOptions = {},
  ): Promise<MerchantKey> {
    return this.#caller.write('revokeMerchantKey', { external_id: externalId, key }, {}, options);
  }

  /** The result has the link with which the user sets a password. */
  inviteUser(
    externalId: string,
    parameters: OperatorParametersOf<'inviteUser'>,
    options: OperatorWriteOptions = {},
  ): Promise<Invitation> {
    return this.#caller.write('inviteUser', { external_id: externalId }, parameters, options);
  }

  removeUser(
    externalId: string,
    email: string,
    options: OperatorWriteOptions = {},
  ): Promise<OperatorResponseOf<'removeUser'>> {
    return this.#caller.write('removeUser', { external_id: externalId, user: email }, {}, options);
  }

  /**
   * `records` returns any number of products, and is called again for each retry. They are read as fast as
   * they are imported. There is no timeout.
   */
  streamProducts(
    externalId: string,
    records: () => Records,
    options: OperatorCallOptions = {},
  ): Promise<StreamSummary> {
    return this.#caller.stream('streamProducts', externalId, records, options);
  }

  /** Works like `streamProducts`. */
  streamSchedules(
    externalId: string,
    records: () => Records,
    options: OperatorCallOptions = {},
  ): Promise<StreamSummary> {
    return this.#caller.stream('streamSchedules', externalId, records, options);
  }

  /**
   * Lists one page of changes after a cursor, or from `start`. Continue with the `cursor` of the result.
   * @throws {ApiError} with status 410 if the cursor is from before a restore
   */
  listProductChanges(
    externalId: string,
    parameters: OperatorParametersOf<'listProductChanges'>,
    options: OperatorCallOptions = {},
  ): Changes<'listProductChanges'> {
    return this.#caller.call('listProductChanges', { external_id: externalId }, parameters, options);
  }

  /** Works like `listProductChanges`. */
  listScheduleChanges(
    externalId: string,
    parameters: OperatorParametersOf<'listScheduleChanges'>,
    options: OperatorCallOptions = {},
  ): Changes<'listScheduleChanges'> {
    return this.#caller.call('listScheduleChanges', { external_id: externalId }, parameters, options);
  }

  /** Works like `listProductChanges`. */
  listCampaignChanges(
    externalId: string,
    parameters: OperatorParametersOf<'listCampaignChanges'>,
    options: OperatorCallOptions = {},
  ): Changes<'listCampaignChanges'> {
    return this.#caller.call('listCampaignChanges', { external_id: externalId }, parameters, options);
  }

  /** Decides whether a product may be sold, with reasons for the merchant. */
  moderateProduct(
    externalId: string,
    identifier: string,
    parameters: OperatorParametersOf<'moderateProduct'>,
    options: OperatorCallOptions = {},
  ): Promise<OperatorResponseOf<'moderateProduct'>> {
    return this.#caller.call('moderateProduct', { external_id: externalId, identifier }, parameters, options);
  }

  setCampaignState(
    externalId: string,
    campaign: string,
    parameters: OperatorParametersOf<'setCampaignState'>,
    options: OperatorCallOptions = {},
  ): Promise<OperatorResponseOf<'setCampaignState'>> {
    return this.#caller.call('setCampaignState', { external_id: externalId, campaign }, parameters, options);
  }

  /** Retrieves one of the lists that merchants get from `metadata`, such as `colors`. */
  retrieveMetadataList(list: string, options: OperatorCallOptions = {}): Promise<MetadataList> {
    return this.#caller.call('retrieveMetadataList', { list }, {}, options);
  }

  /** Replaces a list. */
  setMetadataList(
    list: string,
    parameters: OperatorParametersOf<'setMetadataList'>,
    options: OperatorCallOptions = {},
  ): Promise<MetadataList> {
    return this.#caller.call('setMetadataList', { list }, parameters, options);
  }

  /** Returns a list to its default. */
  resetMetadataList(list: string, options: OperatorWriteOptions = {}): Promise<MetadataList> {
    return this.#caller.write('resetMetadataList', { list }, {}, options);
  }

  /**
   * Lists one page, of all merchants. Continue with the `next` of the result.
   * @throws {ApiError} with status 410 if events after the cursor are no longer kept
   */
  listEvents(
    parameters: OperatorParametersOf<'listEvents'> = {},
    options: OperatorCallOptions = {},
  ): Promise<OperatorResponseOf<'listEvents'>> {
    return this.#caller.call('listEvents', {}, parameters, options);
  }

  /** The result has the secret, which cannot be read again. */
  createWebhook(
    parameters: OperatorParametersOf<'createWebhook'>,
    options: OperatorWriteOptions = {},
  ): Promise<CreatedWebhook> {
    return this.#caller.write('createWebhook', {}, parameters, options);
  }

  listWebhooks(options: OperatorCallOptions = {}): Promise<OperatorResponseOf<'listWebhooks'>> {
    return this.#caller.call('listWebhooks', {}, {}, options);
  }

  /** @throws {ApiError} with status 404 if there is no such webhook */
  retrieveWebhook(webhook: string, options: OperatorCallOptions = {}): Promise<Webhook> {
    return this.#caller.call('retrieveWebhook', { webhook }, {}, options);
  }

  /** Changes the given fields, or enables or disables the webhook. */
  changeWebhook(
    webhook: string,
    parameters: OperatorParametersOf<'changeWebhook'>,
    options: OperatorCallOptions = {},
  ): Promise<Webhook> {
    return this.#caller.call('changeWebhook', { webhook }, parameters, options);
  }

  deleteWebhook(webhook: string, options: OperatorWriteOptions = {}): Promise<Webhook> {
    return this.#caller.write('deleteWebhook', { webhook }, {}, options);
  }

  /** The former secret also signs for 24 hours. */
  rotateWebhookSecret(
    webhook: string,
    options: OperatorWriteOptions = {},
  ): Promise<OperatorResponseOf<'rotateWebhookSecret'>> {
    return this.#caller.write('rotateWebhookSecret', { webhook }, {}, options);
  }

  /** Sends an example once, and returns the receiver's response. */
  testWebhook(
    webhook: string,
    options: OperatorCallOptions = {},
  ): Promise<OperatorResponseOf<'testWebhook'>> {
    return this.#caller.call('testWebhook', { webhook }, {}, options);
  }

  /** Sends events again. @throws {ApiError} with status 409 if the webhook is disabled */
  replayWebhook(
    webhook: string,
    parameters: OperatorParametersOf<'replayWebhook'>,
    options: OperatorCallOptions = {},
  ): Promise<OperatorResponseOf<'replayWebhook'>> {
    return this.#caller.call('replayWebhook', { webhook }, parameters, options);
  }

  /** Lists one page, newest event first. */
  listWebhookDeliveries(
    webhook: string,
    parameters: OperatorParametersOf<'listWebhookDeliveries'> = {},
    options: OperatorCallOptions = {},
  ): Promise<OperatorResponseOf<'listWebhookDeliveries'>> {
    return this.#caller.call('listWebhookDeliveries', { webhook }, parameters, options);
  }
}
