import { everyProduct } from './every-product.ts';
import {
  type Account,
  type BatchResult,
  type Campaign,
  type CampaignChanges,
  type CampaignPaginationSummary,
  endpoints,
  type FieldDescription,
  type Import,
  type ImportPage,
  type MonthlySales,
  type Operation,
  type PaginationSummary,
  type ParametersOf,
  type Product,
  type ProductChanges,
  type ProductIssues,
  type ProductLine,
  type ProductSales,
  type RejectedRow,
  type RejectedRowPage,
  type ResponseOf,
  type RetrievedVariation,
  type ScheduleList,
  type TestSide,
} from './operations.ts';
import { type ClientOptions, Sender } from './sender.ts';

export type ListParameters = Omit<ParametersOf<'listProducts'>, 'changed_since'>;
export type SearchParameters = ParametersOf<'searchProducts'>;
/** Which products to list, in which order, and how many per request. */
export type ProductFilter = Omit<ListParameters, 'page' | 'pagination' | 'after'>;
type CampaignListParameters = Omit<ParametersOf<'listCampaigns'>, 'changed_since'>;
export type CampaignParameters = ParametersOf<'createCampaign'>;

/** Options of every call. */
export interface CallOptions {
  /** Aborts the call, which then fails with the signal's reason. */
  signal?: AbortSignal;
  /** With a test key: what the service simulates in each try, such as `status=503`, `delay=5` or `drop`. */
  simulate?: string;
}

/** Options of calls that write. */
export interface CreateOptions extends CallOptions {
  /**
   * Calls with the same key and parameters write once within 24 hours. Default: a new key for each call, which its
   * retries reuse.
   */
  idempotencyKey?: string;
}

/** Options of `importFile`. */
export interface ImportOptions extends CreateOptions {
  /** The timeout of one try, in milliseconds. Default: 10 minutes. */
  timeoutMs?: number;
}

/** Options of calls that write a product or a variation. */
export interface WriteOptions extends CreateOptions {
  /** The `etagOf` the record that the write is based on. If the record has changed since, the call fails with 412. */
  ifMatch?: string;
}

const PER_PAGE = 200;
const FILE_TIMEOUT_MS = 10 * 60 * 1000;

/**
 * A client of the merchant API, with a method for each operation, and `products` to iterate over a catalog. Calls are
 * retried if that may help, and fail with an `ApiError` or a `ConnectionError`.
 */
export class Tradepost {
  readonly #sender: Sender;
  readonly #etags = new WeakMap<object, string>();
  /** Where the page after each page of a list begins. */
  readonly #positions = new WeakMap<object, string>();

  /** @throws {TypeError} if the URL or the token is invalid */
  constructor(options: ClientOptions) {
    this.#sender = new Sender(options);
  }

  /**
   * Iterates over all products that match the filter, with requests for 200 products by default. Each product occurs at
   * most once. By default, the oldest product is first, so that products created during the iteration come last. A product
   * can be missed only if its own position changes.
   */
  products(filter: ProductFilter = {}, options: CallOptions = {}): AsyncGenerator<Product, void, undefined> {
    const { per_page = PER_PAGE, sort = 'created_at_ascending' } = filter;
    return everyProduct(async (after) => {
      const position = after === undefined ? {} : { after };
      const products = await this.listProducts({ ...filter, per_page, sort, ...position }, options);
      return { products, after: this.#positions.get(products) ?? null };
    });
  }

  /**
   * Iterates over the pages of all changes since a cursor, by default since the beginning, until there are no more.
   * Store a page's `cursor` when you have stored its `results`, and continue with it in the next run.
   * @throws {ApiError} with status 410 after a restored backup or a reset of test data: start again without a cursor
   */
  async *productChanges(
    since = 'start',
    { per_page = PER_PAGE, ...options }: CallOptions & { per_page?: number } = {},
  ): AsyncGenerator<ProductChanges, void, undefined> {
    for (let cursor = since; ; ) {
      const page = await this.listProductChanges({ changed_since: cursor, per_page }, options);
      yield page;
      if (!page.more) return;
      cursor = page.cursor;
    }
  }

  /** Lists one page of products in the order of their last change, after the position of a cursor, or from `start`. */
  async listProductChanges(
    parameters: { changed_since: string; per_page?: number },
    options: CallOptions = {},
  ): Promise<ProductChanges> {
    // With this parameter, the service returns changes.
    return (await this.#call('listProducts', parameters, options)) as ProductChanges;
  }

  /** Lists one page of products. With `pagination`, also returns its position among all matching products. */
  listProducts(
    parameters: ListParameters & { pagination: true },
    options?: CallOptions,
  ): Promise<PaginationSummary>;
  listProducts(parameters?: Omit<ListParameters, 'pagination'>, options?: CallOptions): Promise<Product[]>;
  listProducts(
    parameters: ListParameters = {},
    options: CallOptions = {},
  ): Promise<ResponseOf<'listProducts'>> {
    return this.#call('listProducts', parameters, options);
  }

  /** Finds one page of products, newest first. With `pagination`, also returns its position among all matches. */
  searchProducts(
    parameters: SearchParameters & { pagination: true },
    options?: CallOptions,
  ): Promise<PaginationSummary>;
  searchProducts(parameters: Omit<SearchParameters, 'pagination'>, options?: CallOptions): Promise<Product[]>;
  searchProducts(
    parameters: SearchParameters,
    options: CallOptions = {},
  ): Promise<ResponseOf<'searchProducts'>> {
    return this.#call('searchProducts', parameters, options);
  }

  /** Creates one campaign, even if the request is retried. */
  createCampaign(parameters: CampaignParameters, options: CreateOptions = {}): Promise<Campaign> {
    return this.#write('createCampaign', parameters, options);
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
    return this.#call('listCampaigns', parameters, options);
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
    return (await this.#call('listCampaigns', parameters, options)) as CampaignChanges;
  }

  /** Retrieves a campaign. @throws {ApiError} with status 404 if there is none */
  retrieveCampaign(
    parameters: ParametersOf<'retrieveCampaign'>,
    options: CallOptions = {},
  ): Promise<Campaign> {
    return this.#call('retrieveCampaign', parameters, options);
  }

  /** Changes the name and the amounts of a campaign that are given. */
  updateCampaign(parameters: ParametersOf<'updateCampaign'>, options: CreateOptions = {}): Promise<Campaign> {
    return this.#write('updateCampaign', parameters, options);
  }

  /** Pauses a campaign. */
  pauseCampaign(parameters: ParametersOf<'pauseCampaign'>, options: CreateOptions = {}): Promise<Campaign> {
    return this.#write('pauseCampaign', parameters, options);
  }

  /** Resumes a paused campaign. */
  resumeCampaign(parameters: ParametersOf<'resumeCampaign'>, options: CreateOptions = {}): Promise<Campaign> {
    return this.#write('resumeCampaign', parameters, options);
  }

  /** Ends a campaign. It can never be changed again. */
  endCampaign(parameters: ParametersOf<'endCampaign'>, options: CreateOptions = {}): Promise<Campaign> {
    return this.#write('endCampaign', parameters, options);
  }

  /** Lists the sales of each month with schedules, oldest first. */
  listMonthlySales(options: CallOptions = {}): Promise<MonthlySales[]> {
    return this.#call('listMonthlySales', {}, options);
  }

  /** Lists one page of the sales of each product with schedules in a period, the highest revenue first. */
  listProductSales(
    parameters: ParametersOf<'listProductSales'>,
    options: CallOptions = {},
  ): Promise<ProductSales[]> {
    return this.#call('listProductSales', parameters, options);
  }

  /**
   * Lists one part of the schedules of a month or of a product, or of those that have changed since a cursor. Continue
   * with the `cursor` of the result as `after` or `changed_since`. @throws {ApiError} with status 410 if the cursor is
   * from before a restore from a backup: start again with `start`
   */
  listSchedules(parameters: ParametersOf<'listSchedules'>, options: CallOptions = {}): Promise<ScheduleList> {
    return this.#call('listSchedules', parameters, options);
  }

  /** Retrieves the merchant and the key that the client's token belongs to. */
  retrieveAccount(options: CallOptions = {}): Promise<Account> {
    return this.#call('retrieveAccount', {}, options);
  }

  /** Retrieves the variation with a unique ID. @throws {ApiError} with status 404 if there is none */
  retrieveVariation(
    parameters: ParametersOf<'retrieveVariation'>,
    options: CallOptions = {},
  ): Promise<RetrievedVariation> {
    return this.#call('retrieveVariation', parameters, options);
  }

  /** Retrieves the product with a unique ID. @throws {ApiError} with status 404 if there is none */
  retrieveProduct(parameters: ParametersOf<'retrieveProduct'>, options: CallOptions = {}): Promise<Product> {
    return this.#call('retrieveProduct', parameters, options);
  }

  /** Returns why the marketplace operator moderates a product. @throws {ApiError} with status 404 if there is none */
  listProductIssues(
    parameters: ParametersOf<'listProductIssues'>,
    options: CallOptions = {},
  ): Promise<ProductIssues> {
    return this.#call('listProductIssues', parameters, options);
  }

  /** Describes the fields of products. */
  describeProducts(options: CallOptions = {}): Promise<FieldDescription[]> {
    return this.#call('describeProducts', {}, options);
  }

  /** Creates a product, or brings a deleted one back with new values. */
  createProduct(parameters: ParametersOf<'createProduct'>, options: WriteOptions = {}): Promise<Product> {
    return this.#write('createProduct', parameters, options);
  }

  /** Changes the fields of a product that are given. Listed variations are added or changed. */
  updateProduct(parameters: ParametersOf<'updateProduct'>, options: WriteOptions = {}): Promise<Product> {
    return this.#write('updateProduct', parameters, options);
  }

  /**
   * Changes up to 1,000 products, creates those that do not exist yet, or sets the stock of variations. Returns a result
   * for each line; a rejected line does not make the call fail.
   */
  writeProducts(lines: ProductLine[], options: CreateOptions = {}): Promise<BatchResult> {
    return this.#write('writeProducts', lines, options);
  }

  /** Enables a product. */
  enableProduct(parameters: ParametersOf<'enableProduct'>, options: WriteOptions = {}): Promise<Product> {
    return this.#write('enableProduct', parameters, options);
  }

  /** Disables a product. */
  disableProduct(parameters: ParametersOf<'disableProduct'>, options: WriteOptions = {}): Promise<Product> {
    return this.#write('disableProduct', parameters, options);
  }

  /** Marks a product as deleted. */
  deleteProduct(parameters: ParametersOf<'deleteProduct'>, options: WriteOptions = {}): Promise<Product> {
    return this.#write('deleteProduct', parameters, options);
  }

  /** Describes the fields of variations. */
  describeVariations(options: CallOptions = {}): Promise<FieldDescription[]> {
    return this.#call('describeVariations', {}, options);
  }

  /** Adds a variation to a product. */
  createVariation(
    parameters: ParametersOf<'createVariation'>,
    options: WriteOptions = {},
  ): Promise<RetrievedVariation> {
    return this.#write('createVariation', parameters, options);
  }

  /** Sets the stock of a variation, or changes it by a number of units. */
  updateVariation(
    parameters: ParametersOf<'updateVariation'>,
    options: WriteOptions = {},
  ): Promise<RetrievedVariation> {
    return this.#write('updateVariation', parameters, options);
  }

  /** Enables a variation. */
  enableVariation(
    parameters: ParametersOf<'enableVariation'>,
    options: WriteOptions = {},
  ): Promise<RetrievedVariation> {
    return this.#write('enableVariation', parameters, options);
  }

  /** Disables a variation. */
  disableVariation(
    parameters: ParametersOf<'disableVariation'>,
    options: WriteOptions = {},
  ): Promise<RetrievedVariation> {
    return this.#write('disableVariation', parameters, options);
  }

  /** Marks a variation as deleted. */
  deleteVariation(
    parameters: ParametersOf<'deleteVariation'>,
    options: WriteOptions = {},
  ): Promise<RetrievedVariation> {
    return this.#write('deleteVariation', parameters, options);
  }

  /**
   * Returns the `ETag` of a record that this client returned, for `ifMatch`; undefined for any other object, also for the
   * records of a list.
   */
  etagOf(record: Product | RetrievedVariation): string | undefined {
    return this.#etags.get(record);
  }

  /** Deletes all data of the merchant's test side, and adds samples if asked to. Requires a test key. */
  resetTestSide(
    parameters: ParametersOf<'resetTestSide'> = {},
    options: CreateOptions = {},
  ): Promise<TestSide> {
    return this.#write('resetTestSide', parameters, options);
  }

  /**
   * Sends a product file: CSV, NDJSON or a Shopify export, optionally gzipped. It is imported in the background: see
   * `retrieveImport`. `File` and the result of `openAsBlob` of `node:fs` are blobs, which are not read into memory.
   */
  async importFile(
    file: Blob,
    parameters: ParametersOf<'importFile'> = {},
    {
      timeoutMs = FILE_TIMEOUT_MS,
      idempotencyKey = crypto.randomUUID(),
      signal,
      simulate,
    }: ImportOptions = {},
  ): Promise<Import> {
    const name = 'name' in file && typeof file.name === 'string' ? file.name : undefined;
    const { body } = await this.#sender.send({
      ...endpoints.importFile,
      parameters: { name, ...parameters },
      idempotencyKey,
      ifMatch: null,
      signal,
      simulate,
      file,
      timeoutMs,
    });
    return body as Import;
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
    return this.#call('listImports', parameters, options);
  }

  /** Retrieves the status and the counts of an import. @throws {ApiError} with status 404 if there is none */
  retrieveImport(parameters: ParametersOf<'retrieveImport'>, options: CallOptions = {}): Promise<Import> {
    return this.#call('retrieveImport', parameters, options);
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
    return this.#call('listRejectedRows', parameters, options);
  }

  /** Cancels an import. The rows that have been imported by then stay. */
  cancelImport(parameters: ParametersOf<'cancelImport'>, options: CreateOptions = {}): Promise<Import> {
    return this.#write('cancelImport', parameters, options);
  }

  async #write<Name extends Operation>(
    name: Name,
    parameters: ParametersOf<Name>,
    { idempotencyKey = crypto.randomUUID(), ...options }: WriteOptions,
  ): Promise<ResponseOf<Name>> {
    return await this.#call(name, parameters, { ...options, idempotencyKey });
  }

  async #call<Name extends Operation>(
    name: Name,
    parameters: ParametersOf<Name>,
    { signal, simulate, idempotencyKey, ifMatch }: WriteOptions,
  ): Promise<ResponseOf<Name>> {
    const { method, path } = endpoints[name];
    const { body, etag, after } = await this.#sender.send({
      method,
      path,
      parameters,
      idempotencyKey: idempotencyKey ?? null,
      ifMatch: ifMatch ?? null,
      signal,
      simulate,
    });
    if (typeof body === 'object' && body !== null) {
      if (etag !== null) this.#etags.set(body, etag);
      if (after !== null) this.#positions.set(body, after);
    }
    // The service's tests check its responses against the OpenAPI document.
    return body as ResponseOf<Name>;
  }
}
