import { PER_PAGE } from './catalog-client.ts';
import { EventsClient } from './events-client.ts';
import { everyItem, everyPage, everyResult } from './iterate.ts';
import type {
  Account,
  Campaign,
  CampaignChanges,
  CampaignHistory,
  CampaignPaginationSummary,
  Import,
  ImportPage,
  MonthlySales,
  ParametersOf,
  Placement,
  PlacementList,
  ProductSales,
  RejectedRow,
  RejectedRowPage,
  ResponseOf,
  Schedule,
  ScheduleList,
  TestSide,
  TestTrigger,
} from './operations.ts';
import type { CallOptions, ChangesOptions, CreateOptions, ImportOptions } from './options.ts';

type CampaignListParameters = Omit<ParametersOf<'listCampaigns'>, 'changed_since'>;
export type CampaignParameters = ParametersOf<'createCampaign'>;

/**
 * A client of the merchant API, with a method for each operation, and `products` to iterate over a catalog.
 * Calls are retried if that may help, and fail with an `ApiError` or a `ConnectionError`.
 */
export class Tradepost extends EventsClient {
  /** Creates one campaign, even if the request is retried. */
  createCampaign(parameters: CampaignParameters, options: CreateOptions = {}): Promise<Campaign> {
    return this.caller.write('createCampaign', parameters, options);
  }

  /** Lists one page, newest first. With `pagination`, also returns its position among all matches. */
  listCampaigns(
    parameters: CampaignListParameters & { pagination: true },
    options?: CallOptions,
  ): Promise<CampaignPaginationSummary>;
  listCampaigns(
    parameters?: Omit<CampaignListParameters, 'pagination'>,
    options?: CallOptions,
  ): Promise<Campaign[]>;
  listCampaigns(
    parameters: CampaignListParameters = {},
    options: CallOptions = {},
  ): Promise<ResponseOf<'listCampaigns'>> {
    return this.caller.call('listCampaigns', parameters, options);
  }

  /** Iterates over all campaigns that match, newest first, each at most once. */
  campaigns(
    filter: Omit<CampaignListParameters, 'page' | 'pagination'> = {},
    options: CallOptions = {},
  ): AsyncGenerator<Campaign, void, undefined> {
    return everyItem(
      (next) => this.listCampaigns({ per_page: PER_PAGE, ...filter, ...next }, options),
      (page) => this.caller.nextOf(page),
    );
  }

  /** Works like `productChanges`. */
  campaignChanges(
    since = 'start',
    { per_page = PER_PAGE, ...options }: ChangesOptions = {},
  ): AsyncGenerator<CampaignChanges, void, undefined> {
    const list = (changed_since: string): Promise<CampaignChanges> =>
      this.listCampaignChanges({ changed_since, per_page }, options);
    return everyPage(since, list, ({ cursor }) => cursor);
  }

  /**
   * Lists one page of changes after a cursor, or from `start`. Continue with the `cursor` of the result.
   * @throws {ApiError} with status 410 if the cursor is from before a restore
   */
  async listCampaignChanges(
    parameters: { changed_since: string; per_page?: number },
    options: CallOptions = {},
  ): Promise<CampaignChanges> {
    // With this parameter, the service returns changes.
    return (await this.caller.call('listCampaigns', parameters, options)) as CampaignChanges;
  }

  /** @throws {ApiError} with status 404 if there is no such campaign */
  retrieveCampaign(
    parameters: ParametersOf<'retrieveCampaign'>,
    options: CallOptions = {},
  ): Promise<Campaign> {
    return this.caller.call('retrieveCampaign', parameters, options);
  }

  /** Lists what changed in a campaign, newest first. @throws {ApiError} with status 404 if there is none */
  listCampaignHistory(
    parameters: ParametersOf<'listCampaignHistory'>,
    options: CallOptions = {},
  ): Promise<CampaignHistory> {
    return this.caller.call('listCampaignHistory', parameters, options);
  }

  /** Changes the given name and amounts. */
  updateCampaign(parameters: ParametersOf<'updateCampaign'>, options: CreateOptions = {}): Promise<Campaign> {
    return this.caller.write('updateCampaign', parameters, options);
  }

  pauseCampaign(parameters: ParametersOf<'pauseCampaign'>, options: CreateOptions = {}): Promise<Campaign> {
    return this.caller.write('pauseCampaign', parameters, options);
  }

  resumeCampaign(parameters: ParametersOf<'resumeCampaign'>, options: CreateOptions = {}): Promise<Campaign> {
    return this.caller.write('resumeCampaign', parameters, options);
  }

  /** An ended campaign can never be changed again. */
  endCampaign(parameters: ParametersOf<'endCampaign'>, options: CreateOptions = {}): Promise<Campaign> {
    return this.caller.write('endCampaign', parameters, options);
  }

  /** Lists each month with schedules, oldest first. */
  listMonthlySales(options: CallOptions = {}): Promise<MonthlySales[]> {
    return this.caller.call('listMonthlySales', {}, options);
  }

  /** Lists one page of products with schedules in a period, highest revenue first. */
  listProductSales(
    parameters: ParametersOf<'listProductSales'>,
    options: CallOptions = {},
  ): Promise<ProductSales[]> {
    return this.caller.call('listProductSales', parameters, options);
  }

  /** Iterates over all products with schedules in a period, highest revenue first. */
  productSales(
    filter: Omit<ParametersOf<'listProductSales'>, 'page'>,
    options: CallOptions = {},
  ): AsyncGenerator<ProductSales, void, undefined> {
    return everyItem(
      (next) => this.listProductSales({ per_page: PER_PAGE, ...filter, ...next }, options),
      (page) => this.caller.nextOf(page),
    );
  }

  /** Iterates over the schedules of a month or a product. */
  schedules(
    filter: Omit<ParametersOf<'listSchedules'>, 'after' | 'changed_since'>,
    options: CallOptions = {},
  ): AsyncGenerator<Schedule, void, undefined> {
    return everyResult(async (after: string | undefined) => {
      const position = after === undefined ? {} : { after };
      const { results, cursor, more } = await this.listSchedules(
        { per_page: PER_PAGE, ...filter, ...position },
        options,
      );
      return { results, next: more ? cursor : null };
    });
  }

  /** Works like `productChanges`. */
  scheduleChanges(
    since = 'start',
    { per_page = PER_PAGE, ...options }: ChangesOptions = {},
  ): AsyncGenerator<ScheduleList, void, undefined> {
    const list = (changed_since: string): Promise<ScheduleList> =>
      this.listSchedules({ changed_since, per_page }, options);
    return everyPage(since, list, ({ cursor }) => cursor);
  }

  /**
   * Lists one part of the schedules of a month or a product, or of changes since a cursor. Continue with the
   * `cursor` of the result as `after` or `changed_since`.
   * @throws {ApiError} with status 410 if the cursor is from before a restore: start again with `start`
   */
  listSchedules(parameters: ParametersOf<'listSchedules'>, options: CallOptions = {}): Promise<ScheduleList> {
    return this.caller.call('listSchedules', parameters, options);
  }

  /** Reports what the placements of a campaign cost and sold. */
  readCampaignPerformance(
    parameters: ParametersOf<'readCampaignPerformance'>,
    options: CallOptions = {},
  ): Promise<ResponseOf<'readCampaignPerformance'>> {
    return this.caller.call('readCampaignPerformance', parameters, options);
  }

  /** Says why a campaign, or a product in it, is not shown more. */
  diagnoseCampaign(
    parameters: ParametersOf<'diagnoseCampaign'>,
    options: CallOptions = {},
  ): Promise<ResponseOf<'diagnoseCampaign'>> {
    return this.caller.call('diagnoseCampaign', parameters, options);
  }

  /** Iterates over the placements of a campaign, a product or a day. */
  placements(
    filter: Omit<ParametersOf<'listPlacements'>, 'after' | 'changed_since'>,
    options: CallOptions = {},
  ): AsyncGenerator<Placement, void, undefined> {
    return everyResult(async (after: string | undefined) => {
      const position = after === undefined ? {} : { after };
      const { results, cursor, more } = await this.listPlacements(
        { per_page: PER_PAGE, ...filter, ...position },
        options,
      );
      return { results, next: more ? cursor : null };
    });
  }

  /** Works like `productChanges`. */
  placementChanges(
    since = 'start',
    { per_page = PER_PAGE, ...options }: ChangesOptions = {},
  ): AsyncGenerator<PlacementList, void, undefined> {
    const list = (changed_since: string): Promise<PlacementList> =>
      this.listPlacements({ changed_since, per_page }, options);
    return everyPage(since, list, ({ cursor }) => cursor);
  }

  /**
   * Lists one part of the placements of a campaign, a product or a day, or of changes since a cursor. Continue
   * with the `cursor` of the result as `after` or `changed_since`.
   * @throws {ApiError} with status 410 if the cursor is from before a restore: start again with `start`
   */
  listPlacements(
    parameters: ParametersOf<'listPlacements'>,
    options: CallOptions = {},
  ): Promise<PlacementList> {
    return this.caller.call('listPlacements', parameters, options);
  }

  /** Explains how a figure is computed, and where its lines are. */
  explainFigure(
    parameters: ParametersOf<'explainFigure'>,
    options: CallOptions = {},
  ): Promise<ResponseOf<'explainFigure'>> {
    return this.caller.call('explainFigure', parameters, options);
  }

  /** Retrieves the merchant and the key of the client's token. */
  retrieveAccount(options: CallOptions = {}): Promise<Account> {
    return this.caller.call('retrieveAccount', {}, options);
  }

  /** Deletes all data of the test side, and adds samples if asked to. Requires a test key. */
  resetTestSide(
    parameters: ParametersOf<'resetTestSide'> = {},
    options: CreateOptions = {},
  ): Promise<TestSide> {
    return this.caller.write('resetTestSide', parameters, options);
  }

  /** Makes something happen on the test side, such as a sale. Requires a test key. */
  triggerTestEvent(
    parameters: ParametersOf<'triggerTestEvent'>,
    options: CreateOptions = {},
  ): Promise<TestTrigger> {
    return this.caller.write('triggerTestEvent', parameters, options);
  }

  /**
   * Sends CSV, NDJSON or a Shopify export, optionally gzipped, to import in the background: see
   * `retrieveImport`. A `File` and a result of `openAsBlob` of `node:fs` are not read into memory.
   */
  importFile(
    file: Blob,
    parameters: ParametersOf<'importFile'> = {},
    options: ImportOptions = {},
  ): Promise<Import> {
    return this.caller.sendFile(file, parameters, options);
  }

  /** Lists one page of the last day's imports, newest first. */
  listImports(
    parameters: ParametersOf<'listImports'> & { pagination: true },
    options?: CallOptions,
  ): Promise<ImportPage>;
  listImports(
    parameters?: Omit<ParametersOf<'listImports'>, 'pagination'>,
    options?: CallOptions,
  ): Promise<Import[]>;
  listImports(
    parameters: ParametersOf<'listImports'> = {},
    options: CallOptions = {},
  ): Promise<ResponseOf<'listImports'>> {
    return this.caller.call('listImports', parameters, options);
  }

  /** Iterates over the last day's imports, newest first, each at most once. */
  imports(options: CallOptions = {}): AsyncGenerator<Import, void, undefined> {
    return everyItem(
      (next) => this.listImports({ per_page: PER_PAGE, ...next }, options),
      (page) => this.caller.nextOf(page),
    );
  }

  /** Returns status and counts. @throws {ApiError} with status 404 if there is no such import */
  retrieveImport(parameters: ParametersOf<'retrieveImport'>, options: CallOptions = {}): Promise<Import> {
    return this.caller.call('retrieveImport', parameters, options);
  }

  /** Lists one page of the reasons. */
  listRejectedRows(
    parameters: ParametersOf<'listRejectedRows'> & { pagination: true },
    options?: CallOptions,
  ): Promise<RejectedRowPage>;
  listRejectedRows(
    parameters: Omit<ParametersOf<'listRejectedRows'>, 'pagination'>,
    options?: CallOptions,
  ): Promise<RejectedRow[]>;
  listRejectedRows(
    parameters: ParametersOf<'listRejectedRows'>,
    options: CallOptions = {},
  ): Promise<ResponseOf<'listRejectedRows'>> {
    return this.caller.call('listRejectedRows', parameters, options);
  }

  /** Iterates over all reasons. */
  rejectedRows(
    filter: Omit<ParametersOf<'listRejectedRows'>, 'page' | 'pagination'>,
    options: CallOptions = {},
  ): AsyncGenerator<RejectedRow, void, undefined> {
    return everyItem(
      (next) => this.listRejectedRows({ per_page: PER_PAGE, ...filter, ...next }, options),
      (page) => this.caller.nextOf(page),
    );
  }

  /** Rows that have been imported by then stay. */
  cancelImport(parameters: ParametersOf<'cancelImport'>, options: CreateOptions = {}): Promise<Import> {
    return this.caller.write('cancelImport', parameters, options);
  }

  /** Starts an import of the former values. Values that another change has set since stay. */
  undoChange(parameters: ParametersOf<'undoChange'>, options: CreateOptions = {}): Promise<Import> {
    return this.caller.write('undoChange', parameters, options);
  }
}
