import { everyPage, everyResult } from './iterate.ts';
import type { Records } from './line-stream.ts';
import type { OperatorCallOptions, OperatorWriteOptions } from './operator-caller.ts';
import { type Page, type Pages, PER_PAGE } from './operator-events.ts';
import type {
  CreatedMerchantKey,
  Invitation,
  ListedMerchant,
  Merchant,
  MerchantKey,
  MerchantKeyPage,
  MerchantPage,
  MerchantUserList,
  MetadataList,
  MetadataLists,
  OperatorParametersOf,
  OperatorResponseOf,
  Overview,
  StreamSummary,
} from './operator-operations.ts';
import { OperatorOrders } from './operator-orders.ts';

type ChangesOptions = OperatorCallOptions & { per_page?: number };

/**
 * A client of the operator API, with a method for each operation. Merchants are named by their external IDs.
 * Calls are retried if that may help, and fail with an `ApiError` or a `ConnectionError`.
 */
export class TradepostOperator extends OperatorOrders {
  /** Creates a merchant, or changes the given fields. */
  putMerchant(
    externalId: string,
    parameters: OperatorParametersOf<'putMerchant'>,
    options: OperatorCallOptions = {},
  ): Promise<Merchant> {
    return this.caller.call('putMerchant', { external_id: externalId }, parameters, options);
  }

  /** @throws {ApiError} with status 404 if there is no such merchant */
  retrieveMerchant(externalId: string, options: OperatorCallOptions = {}): Promise<ListedMerchant> {
    return this.caller.call('retrieveMerchant', { external_id: externalId }, {}, options);
  }

  /** Lists one page, oldest first. */
  listMerchants(
    parameters: OperatorParametersOf<'listMerchants'> = {},
    options: OperatorCallOptions = {},
  ): Promise<MerchantPage> {
    return this.caller.call('listMerchants', {}, parameters, options);
  }

  /** Returns figures of the marketplace, what waits, and what needs attention. */
  retrieveOverview(options: OperatorCallOptions = {}): Promise<Overview> {
    return this.caller.call('retrieveOverview', {}, {}, options);
  }

  /** Lists one page of live keys, then test keys, newest first. */
  listMerchantKeys(
    externalId: string,
    parameters: OperatorParametersOf<'listMerchantKeys'> = {},
    options: OperatorCallOptions = {},
  ): Promise<MerchantKeyPage> {
    return this.caller.call('listMerchantKeys', { external_id: externalId }, parameters, options);
  }

  /** Lists all users of the merchant’s console, by email. */
  listMerchantUsers(externalId: string, options: OperatorCallOptions = {}): Promise<MerchantUserList> {
    return this.caller.call('listMerchantUsers', { external_id: externalId }, {}, options);
  }

  /** Iterates over all merchants, oldest first. */
  merchants(options: OperatorCallOptions = {}): AsyncGenerator<ListedMerchant, void, undefined> {
    return everyResult((after: string | undefined) =>
      this.listMerchants({ limit: PER_PAGE, ...(after === undefined ? {} : { after }) }, options),
    );
  }

  /** Creates a key for software. The result has its token, which cannot be read again. */
  createMerchantKey(
    externalId: string,
    parameters: OperatorParametersOf<'createMerchantKey'>,
    options: OperatorWriteOptions = {},
  ): Promise<CreatedMerchantKey> {
    return this.caller.write('createMerchantKey', { external_id: externalId }, parameters, options);
  }

  /** Revokes the key permanently. */
  revokeMerchantKey(
    externalId: string,
    key: string,
    options: OperatorWriteOptions = {},
  ): Promise<MerchantKey> {
    return this.caller.write('revokeMerchantKey', { external_id: externalId, key }, {}, options);
  }

  /** The result has the link with which the user sets a password. */
  inviteUser(
    externalId: string,
    parameters: OperatorParametersOf<'inviteUser'>,
    options: OperatorWriteOptions = {},
  ): Promise<Invitation> {
    return this.caller.write('inviteUser', { external_id: externalId }, parameters, options);
  }

  removeUser(
    externalId: string,
    email: string,
    options: OperatorWriteOptions = {},
  ): Promise<OperatorResponseOf<'removeUser'>> {
    return this.caller.write('removeUser', { external_id: externalId, user: email }, {}, options);
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
    return this.caller.stream('streamProducts', externalId, records, options);
  }

  /** Works like `streamProducts`. */
  streamSchedules(
    externalId: string,
    records: () => Records,
    options: OperatorCallOptions = {},
  ): Promise<StreamSummary> {
    return this.caller.stream('streamSchedules', externalId, records, options);
  }

  /** Works like `streamProducts`: states placements that your own ad server has delivered. */
  streamPlacements(
    externalId: string,
    records: () => Records,
    options: OperatorCallOptions = {},
  ): Promise<StreamSummary> {
    return this.caller.stream('streamPlacements', externalId, records, options);
  }

  /** Asks whom to place. Repeating the keys of requests returns the same placements. */
  requestPlacements(
    parameters: OperatorParametersOf<'requestPlacements'>,
    options: OperatorCallOptions = {},
  ): Promise<OperatorResponseOf<'requestPlacements'>> {
    return this.caller.call('requestPlacements', {}, parameters, options);
  }

  /** Says what became of up to 1,000 placements. A rejected line does not make the call fail. */
  reportPlacementOutcomes(
    outcomes: OperatorParametersOf<'reportPlacementOutcomes'>,
    options: OperatorCallOptions = {},
  ): Promise<OperatorResponseOf<'reportPlacementOutcomes'>> {
    return this.caller.call('reportPlacementOutcomes', {}, outcomes, options);
  }

  /** Works like `productChanges`. */
  placementChanges(
    externalId: string,
    since = 'start',
    { per_page = PER_PAGE, ...options }: ChangesOptions = {},
  ): Pages<'listPlacementChanges'> {
    const list = (changed_since: string): Page<'listPlacementChanges'> =>
      this.listPlacementChanges(externalId, { changed_since, per_page }, options);
    return everyPage(since, list, ({ cursor }) => cursor);
  }

  /** Works like `listProductChanges`. */
  listPlacementChanges(
    externalId: string,
    parameters: OperatorParametersOf<'listPlacementChanges'>,
    options: OperatorCallOptions = {},
  ): Page<'listPlacementChanges'> {
    return this.caller.call('listPlacementChanges', { external_id: externalId }, parameters, options);
  }

  /**
   * Lists one page of changes after a cursor, or from `start`. Continue with the `cursor` of the result.
   * @throws {ApiError} with status 410 if the cursor is from before a restore
   */
  listProductChanges(
    externalId: string,
    parameters: OperatorParametersOf<'listProductChanges'>,
    options: OperatorCallOptions = {},
  ): Page<'listProductChanges'> {
    return this.caller.call('listProductChanges', { external_id: externalId }, parameters, options);
  }

  /**
   * Iterates over the pages of all changes since a cursor, by default since the beginning. Store a page's
   * `cursor` when you have stored its `results`, and continue with it in the next run.
   * @throws {ApiError} with status 410 if the cursor is from before a restore
   */
  productChanges(
    externalId: string,
    since = 'start',
    { per_page = PER_PAGE, ...options }: ChangesOptions = {},
  ): Pages<'listProductChanges'> {
    const list = (changed_since: string): Page<'listProductChanges'> =>
      this.listProductChanges(externalId, { changed_since, per_page }, options);
    return everyPage(since, list, ({ cursor }) => cursor);
  }

  /** Works like `productChanges`. */
  scheduleChanges(
    externalId: string,
    since = 'start',
    { per_page = PER_PAGE, ...options }: ChangesOptions = {},
  ): Pages<'listScheduleChanges'> {
    const list = (changed_since: string): Page<'listScheduleChanges'> =>
      this.listScheduleChanges(externalId, { changed_since, per_page }, options);
    return everyPage(since, list, ({ cursor }) => cursor);
  }

  /** Works like `productChanges`. */
  campaignChanges(
    externalId: string,
    since = 'start',
    { per_page = PER_PAGE, ...options }: ChangesOptions = {},
  ): Pages<'listCampaignChanges'> {
    const list = (changed_since: string): Page<'listCampaignChanges'> =>
      this.listCampaignChanges(externalId, { changed_since, per_page }, options);
    return everyPage(since, list, ({ cursor }) => cursor);
  }

  /** Works like `listProductChanges`. */
  listScheduleChanges(
    externalId: string,
    parameters: OperatorParametersOf<'listScheduleChanges'>,
    options: OperatorCallOptions = {},
  ): Page<'listScheduleChanges'> {
    return this.caller.call('listScheduleChanges', { external_id: externalId }, parameters, options);
  }

  /** Works like `listProductChanges`. */
  listCampaignChanges(
    externalId: string,
    parameters: OperatorParametersOf<'listCampaignChanges'>,
    options: OperatorCallOptions = {},
  ): Page<'listCampaignChanges'> {
    return this.caller.call('listCampaignChanges', { external_id: externalId }, parameters, options);
  }

  /** Lists one page of the products of all merchants, or of what a search finds. */
  listProducts(
    parameters: OperatorParametersOf<'listProducts'> = {},
    options: OperatorCallOptions = {},
  ): Promise<OperatorResponseOf<'listProducts'>> {
    return this.caller.call('listProducts', {}, parameters, options);
  }

  /** @throws {ApiError} with status 404 if there is no such product */
  retrieveProduct(
    externalId: string,
    identifier: string,
    parameters: OperatorParametersOf<'retrieveProduct'> = {},
    options: OperatorCallOptions = {},
  ): Promise<OperatorResponseOf<'retrieveProduct'>> {
    return this.caller.call('retrieveProduct', { external_id: externalId, identifier }, parameters, options);
  }

  /** Lists one page of the campaigns of all merchants, newest first. */
  listCampaigns(
    parameters: OperatorParametersOf<'listCampaigns'> = {},
    options: OperatorCallOptions = {},
  ): Promise<OperatorResponseOf<'listCampaigns'>> {
    return this.caller.call('listCampaigns', {}, parameters, options);
  }

  /** Retrieves what placements cost all merchants, by hour, category and price, and what campaigns plan. */
  retrieveCampaignFigures(
    parameters: OperatorParametersOf<'retrieveCampaignFigures'> = {},
    options: OperatorCallOptions = {},
  ): Promise<OperatorResponseOf<'retrieveCampaignFigures'>> {
    return this.caller.call('retrieveCampaignFigures', {}, parameters, options);
  }

  /** Decides whether a product may be sold, with reasons for the merchant. */
  moderateProduct(
    externalId: string,
    identifier: string,
    parameters: OperatorParametersOf<'moderateProduct'>,
    options: OperatorCallOptions = {},
  ): Promise<OperatorResponseOf<'moderateProduct'>> {
    return this.caller.call('moderateProduct', { external_id: externalId, identifier }, parameters, options);
  }

  /** Lists products that wait for a review, those first that wait longest. */
  listModerationQueue(
    parameters: OperatorParametersOf<'listModerationQueue'> = {},
    options: OperatorCallOptions = {},
  ): Promise<OperatorResponseOf<'listModerationQueue'>> {
    return this.caller.call('listModerationQueue', {}, parameters, options);
  }

  /** Decides about up to 200 products. A rejected line does not make the call fail. */
  moderateProducts(
    decisions: OperatorParametersOf<'moderateProducts'>,
    options: OperatorCallOptions = {},
  ): Promise<OperatorResponseOf<'moderateProducts'>> {
    return this.caller.call('moderateProducts', {}, decisions, options);
  }

  setCampaignState(
    externalId: string,
    campaign: string,
    parameters: OperatorParametersOf<'setCampaignState'>,
    options: OperatorCallOptions = {},
  ): Promise<OperatorResponseOf<'setCampaignState'>> {
    return this.caller.call('setCampaignState', { external_id: externalId, campaign }, parameters, options);
  }

  /** Lists what the lists of the marketplace are, without their entries. */
  listMetadataLists(options: OperatorCallOptions = {}): Promise<MetadataLists> {
    return this.caller.call('listMetadataLists', {}, {}, options);
  }

  /** Retrieves one of the lists that merchants get from `metadata`, such as `colors`. */
  retrieveMetadataList(list: string, options: OperatorCallOptions = {}): Promise<MetadataList> {
    return this.caller.call('retrieveMetadataList', { list }, {}, options);
  }

  /** Replaces a list. */
  setMetadataList(
    list: string,
    parameters: OperatorParametersOf<'setMetadataList'>,
    options: OperatorCallOptions = {},
  ): Promise<MetadataList> {
    return this.caller.call('setMetadataList', { list }, parameters, options);
  }

  /** Returns a list to its default. */
  resetMetadataList(list: string, options: OperatorWriteOptions = {}): Promise<MetadataList> {
    return this.caller.write('resetMetadataList', { list }, {}, options);
  }
}
