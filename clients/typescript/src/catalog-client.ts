import { Caller } from './caller.ts';
import { everyItem, everyPage } from './iterate.ts';
import type {
  BatchResult,
  FieldDescription,
  PaginationSummary,
  ParametersOf,
  Product,
  ProductChanges,
  ProductHistory,
  ProductIssues,
  ProductLine,
  ResponseOf,
  RetrievedVariation,
} from './operations.ts';
import type { CallOptions, ChangesOptions, CreateOptions, WriteOptions } from './options.ts';
import type { ClientOptions } from './sender.ts';

export type ListParameters = Omit<ParametersOf<'listProducts'>, 'changed_since'>;
export type SearchParameters = ParametersOf<'searchProducts'>;
export type ProductFilter = Omit<ListParameters, 'page' | 'pagination' | 'after'>;

/** How many records an iteration requests at a time. */
export const PER_PAGE = 200;

export class CatalogClient {
  protected readonly caller: Caller;

  /** @throws {TypeError} if the URL or the token is invalid */
  constructor(options: ClientOptions) {
    this.caller = new Caller(options);
  }

  /**
   * Iterates over all products that match, 200 per request by default, each at most once. By default, the
   * oldest is first, so that new products come last. A product can be missed only if its own position
   * changes.
   */
  products(filter: ProductFilter = {}, options: CallOptions = {}): AsyncGenerator<Product, void, undefined> {
    const { per_page = PER_PAGE, sort = 'created_at_ascending' } = filter;
    return everyItem(
      (next) => this.listProducts({ ...filter, per_page, sort, ...next }, options),
      (page) => this.caller.nextOf(page),
    );
  }

  /**
   * Iterates over the pages of all changes since a cursor, by default since the beginning. Store a page's
   * `cursor` when you have stored its `results`, and continue with it in the next run.
   * @throws {ApiError} with status 410 after a restore or a reset of test data: start again without a cursor
   */
  productChanges(
    since = 'start',
    { per_page = PER_PAGE, ...options }: ChangesOptions = {},
  ): AsyncGenerator<ProductChanges, void, undefined> {
    const list = (changed_since: string): Promise<ProductChanges> =>
      this.listProductChanges({ changed_since, per_page }, options);
    return everyPage(since, list, ({ cursor }) => cursor);
  }

  /** Lists one page of changes after a cursor, or from `start`. */
  async listProductChanges(
    parameters: { changed_since: string; per_page?: number },
    options: CallOptions = {},
  ): Promise<ProductChanges> {
    // With this parameter, the service returns changes.
    return (await this.caller.call('listProducts', parameters, options)) as ProductChanges;
  }

  /** Lists one page. With `pagination`, also returns its position among all matches. */
  listProducts(
    parameters: ListParameters & { pagination: true },
    options?: CallOptions,
  ): Promise<PaginationSummary>;
  listProducts(parameters?: Omit<ListParameters, 'pagination'>, options?: CallOptions): Promise<Product[]>;
  listProducts(
    parameters: ListParameters = {},
    options: CallOptions = {},
  ): Promise<ResponseOf<'listProducts'>> {
    return this.caller.call('listProducts', parameters, options);
  }

  /** Lists one page, newest first. With `pagination`, also returns its position among all matches. */
  searchProducts(
    parameters: SearchParameters & { pagination: true },
    options?: CallOptions,
  ): Promise<PaginationSummary>;
  searchProducts(parameters: Omit<SearchParameters, 'pagination'>, options?: CallOptions): Promise<Product[]>;
  searchProducts(
    parameters: SearchParameters,
    options: CallOptions = {},
  ): Promise<ResponseOf<'searchProducts'>> {
    return this.caller.call('searchProducts', parameters, options);
  }

  /** Finds it by its unique ID. @throws {ApiError} with status 404 if there is none */
  retrieveVariation(
    parameters: ParametersOf<'retrieveVariation'>,
    options: CallOptions = {},
  ): Promise<RetrievedVariation> {
    return this.caller.call('retrieveVariation', parameters, options);
  }

  /** Finds it by its unique ID. @throws {ApiError} with status 404 if there is none */
  retrieveProduct(parameters: ParametersOf<'retrieveProduct'>, options: CallOptions = {}): Promise<Product> {
    return this.caller.call('retrieveProduct', parameters, options);
  }

  /** Tells why the operator moderates a product. @throws {ApiError} with status 404 if there is none */
  listProductIssues(
    parameters: ParametersOf<'listProductIssues'>,
    options: CallOptions = {},
  ): Promise<ProductIssues> {
    return this.caller.call('listProductIssues', parameters, options);
  }

  /** Lists what changed in a product, newest first. @throws {ApiError} with status 404 if there is none */
  listProductHistory(
    parameters: ParametersOf<'listProductHistory'>,
    options: CallOptions = {},
  ): Promise<ProductHistory> {
    return this.caller.call('listProductHistory', parameters, options);
  }

  describeProducts(options: CallOptions = {}): Promise<FieldDescription[]> {
    return this.caller.call('describeProducts', {}, options);
  }

  /** Creates a product, or brings a deleted one back with new values. */
  createProduct(parameters: ParametersOf<'createProduct'>, options: WriteOptions = {}): Promise<Product> {
    return this.caller.write('createProduct', parameters, options);
  }

  /** Changes the given fields. Listed variations are added or changed. */
  updateProduct(parameters: ParametersOf<'updateProduct'>, options: WriteOptions = {}): Promise<Product> {
    return this.caller.write('updateProduct', parameters, options);
  }

  /**
   * Changes or creates up to 1,000 products, or sets the stock of variations. Returns a result for each line;
   * a rejected line does not make the call fail.
   */
  writeProducts(lines: ProductLine[], options: CreateOptions = {}): Promise<BatchResult> {
    return this.caller.write('writeProducts', lines, options);
  }

  enableProduct(parameters: ParametersOf<'enableProduct'>, options: WriteOptions = {}): Promise<Product> {
    return this.caller.write('enableProduct', parameters, options);
  }

  /** Sells the product from the catalog, without placing it in auctions. */
  enableProductCatalogOnly(
    parameters: ParametersOf<'enableProductCatalogOnly'>,
    options: WriteOptions = {},
  ): Promise<Product> {
    return this.caller.write('enableProductCatalogOnly', parameters, options);
  }

  disableProduct(parameters: ParametersOf<'disableProduct'>, options: WriteOptions = {}): Promise<Product> {
    return this.caller.write('disableProduct', parameters, options);
  }

  deleteProduct(parameters: ParametersOf<'deleteProduct'>, options: WriteOptions = {}): Promise<Product> {
    return this.caller.write('deleteProduct', parameters, options);
  }

  describeVariations(options: CallOptions = {}): Promise<FieldDescription[]> {
    return this.caller.call('describeVariations', {}, options);
  }

  createVariation(
    parameters: ParametersOf<'createVariation'>,
    options: WriteOptions = {},
  ): Promise<RetrievedVariation> {
    return this.caller.write('createVariation', parameters, options);
  }

  /** Sets the stock, or changes it by a number of units. */
  updateVariation(
    parameters: ParametersOf<'updateVariation'>,
    options: WriteOptions = {},
  ): Promise<RetrievedVariation> {
    return this.caller.write('updateVariation', parameters, options);
  }

  enableVariation(
    parameters: ParametersOf<'enableVariation'>,
    options: WriteOptions = {},
  ): Promise<RetrievedVariation> {
    return this.caller.write('enableVariation', parameters, options);
  }

  disableVariation(
    parameters: ParametersOf<'disableVariation'>,
    options: WriteOptions = {},
  ): Promise<RetrievedVariation> {
    return this.caller.write('disableVariation', parameters, options);
  }

  deleteVariation(
    parameters: ParametersOf<'deleteVariation'>,
    options: WriteOptions = {},
  ): Promise<RetrievedVariation> {
    return this.caller.write('deleteVariation', parameters, options);
  }

  /** Returns a record's `ETag` for `ifMatch`; undefined for records of lists and other objects. */
  etagOf(record: Product | RetrievedVariation): string | undefined {
    return this.caller.etagOf(record);
  }
}
