import { CatalogClient } from './catalog-client.ts';
import type {
  Account,
  Campaign,
  CampaignChanges,
  CampaignPaginationSummary,
  Import,
  ImportPage,
  MonthlySales,
  ParametersOf,
  ProductSales,
  RejectedRow,
  RejectedRowPage,
  ResponseOf,
  ScheduleList,
  TestSide,
} from './operations.ts';
import type { CallOptions, CreateOptions, ImportOptions } from './options.ts';

type CampaignListParameters = Omit<ParametersOf<'listCampaigns'>, 'changed_since'>;
export type CampaignParameters = ParametersOf<'createCampaign'>;

/**
 * A client of the merchant API, with a method for each operation, and `products` to iterate over a catalog. Calls are
 * retried if that may help, and fail with an `ApiError` or a `ConnectionError`.
 */
export class Tradepost extends CatalogClient {
  /** Creates one campaign, even if the request is retried. */
  createCampaign(parameters: CampaignParameters, options: CreateOptions = {}): Promise<Campaign> {
    return this.caller.write('createCampaign', parameters, options);
  }

  /** Lists one page of campaigns, newest first. With `pagination`, also returns its position among all matching ones. */
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

  /**
   * Lists one page of campaigns in the order of their last change, after the position of a cursor, or from `start`. Continue
   * with the `cursor` of the result. @throws {ApiError} with status 410 if the cursor is from before a restore from a backup
   */
  async listCampaignChanges(
    parameters: { changed_since: string; per_page?: number },
    options: CallOptions = {},
  ): Promise<CampaignChanges> {
    // With this parameter, the service returns changes.
    return (await this.caller.call('listCampaigns', parameters, options)) as CampaignChanges;
  }

  /** Retrieves a campaign. @throws {ApiError} with status 404 if there is none */
  retrieveCampaign(
    parameters: ParametersOf<'retrieveCampaign'>,
    options: CallOptions = {},
  ): Promise<Campaign> {
    return this.caller.call('retrieveCampaign', parameters, options);
  }

  /** Changes the name and the amounts of a campaign that are given. */
  updateCampaign(parameters: ParametersOf<'updateCampaign'>, options: CreateOptions = {}): Promise<Campaign> {
    return this.caller.write('updateCampaign', parameters, options);
  }

  /** Pauses a campaign. */
  pauseCampaign(parameters: ParametersOf<'pauseCampaign'>, options: CreateOptions = {}): Promise<Campaign> {
    return this.caller.write('pauseCampaign', parameters, options);
  }

  /** Resumes a paused campaign. */
  resumeCampaign(parameters: ParametersOf<'resumeCampaign'>, options: CreateOptions = {}): Promise<Campaign> {
    return this.caller.write('resumeCampaign', parameters, options);
  }

  /** Ends a campaign. It can never be changed again. */
  endCampaign(parameters: ParametersOf<'endCampaign'>, options: CreateOptions = {}): Promise<Campaign> {
    return this.caller.write('endCampaign', parameters, options);
  }

  /** Lists the sales of each month with schedules, oldest first. */
  listMonthlySales(options: CallOptions = {}): Promise<MonthlySales[]> {
    return this.caller.call('listMonthlySales', {}, options);
  }

  /** Lists one page of the sales of each product with schedules in a period, the highest revenue first. */
  listProductSales(
    parameters: ParametersOf<'listProductSales'>,
    options: CallOptions = {},
  ): Promise<ProductSales[]> {
    return this.caller.call('listProductSales', parameters, options);
  }

  /**
   * Lists one part of the schedules of a month or of a product, or of those that have changed since a cursor. Continue
   * with the `cursor` of the result as `after` or `changed_since`. @throws {ApiError} with status 410 if the cursor is
   * from before a restore from a backup: start again with `start`
   */
  listSchedules(parameters: ParametersOf<'listSchedules'>, options: CallOptions = {}): Promise<ScheduleList> {
    return this.caller.call('listSchedules', parameters, options);
  }

  /** Retrieves the merchant and the key that the client's token belongs to. */
  retrieveAccount(options: CallOptions = {}): Promise<Account> {
    return this.caller.call('retrieveAccount', {}, options);
  }

  /** Deletes all data of the merchant's test side, and adds samples if asked to. Requires a test key. */
  resetTestSide(
    parameters: ParametersOf<'resetTestSide'> = {},
    options: CreateOptions = {},
  ): Promise<TestSide> {
    return this.caller.write('resetTestSide', parameters, options);
  }

  /**
   * Sends a product file: CSV, NDJSON or a Shopify export, optionally gzipped. It is imported in the background: see
   * `retrieveImport`. `File` and the result of `openAsBlob` of `node:fs` are blobs, which are not read into memory.
   */
  importFile(
    file: Blob,
    parameters: ParametersOf<'importFile'> = {},
    options: ImportOptions = {},
  ): Promise<Import> {
    return this.caller.sendFile(file, parameters, options);
  }

  /** Lists one page of the imports of the last day, newest first. */
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

  /** Retrieves the status and the counts of an import. @throws {ApiError} with status 404 if there is none */
  retrieveImport(parameters: ParametersOf<'retrieveImport'>, options: CallOptions = {}): Promise<Import> {
    return this.caller.call('retrieveImport', parameters, options);
  }

  /** Lists one page of the reasons why rows of an import were rejected. */
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

  /** Cancels an import. The rows that have been imported by then stay. */
  cancelImport(parameters: ParametersOf<'cancelImport'>, options: CreateOptions = {}): Promise<Import> {
    return this.caller.write('cancelImport', parameters, options);
  }
}
