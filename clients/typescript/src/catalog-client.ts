import { Caller } from './caller.ts';
import { everyProduct } from './every-product.ts';
import type {
  BatchResult,
  FieldDescription,
  PaginationSummary,
  ParametersOf,
  Product,
  ProductChanges,
  ProductIssues,
  ProductLine,
  ResponseOf,
  RetrievedVariation,
} from './operations.ts';
import type { CallOptions, CreateOptions, WriteOptions } from './options.ts';
import type { ClientOptions } from './sender.ts';

export type ListParameters = Omit<ParametersOf<'listProducts'>, 'changed_since'>;
export type SearchParameters = ParametersOf<'searchProducts'>;
/** Which products to list, in which order, and how many per request. */
export type ProductFilter = Omit<ListParameters, 'page' | 'pagination' | 'after'>;

const PER_PAGE = 200;

/** The calls for products and variations. */
export class CatalogClient {
  protected readonly caller: Caller;

  /** @throws {TypeError} if the URL or the token is invalid */
  constructor(options: ClientOptions) {
    this.caller = new Caller(options);
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
      return { products, after: this.caller.positionAfter(products) };
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
    return (await this.caller.call('listProducts', parameters, options)) as ProductChanges;
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
    return this.caller.call('listProducts', parameters, options);
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
    return this.caller.call('searchProducts', parameters, options);
  }

  /** Retrieves the variation with a unique ID. @throws {ApiError} with status 404 if there is none */
  retrieveVariation(
    parameters: ParametersOf<'retrieveVariation'>,
    options: CallOptions = {},
  ): Promise<RetrievedVariation> {
    return this.caller.call('retrieveVariation', parameters, options);
  }

  /** Retrieves the product with a unique ID. @throws {ApiError} with status 404 if there is none */
  retrieveProduct(parameters: ParametersOf<'retrieveProduct'>, options: CallOptions = {}): Promise<Product> {
    return this.caller.call('retrieveProduct', parameters, options);
  }

  /** Returns why the marketplace operator moderates a product. @throws {ApiError} with status 404 if there is none */
  listProductIssues(
    parameters: ParametersOf<'listProductIssues'>,
    options: CallOptions = {},
  ): Promise<ProductIssues> {
    return this.caller.call('listProductIssues', parameters, options);
  }

  /** Describes the fields of products. */
  describeProducts(options: CallOptions = {}): Promise<FieldDescription[]> {
    return this.caller.call('describeProducts', {}, options);
  }

  /** Creates a product, or brings a deleted one back with new values. */
  createProduct(parameters: ParametersOf<'createProduct'>, options: WriteOptions = {}): Promise<Product> {
    return this.caller.write('createProduct', parameters, options);
  }

  /** Changes the fields of a product that are given. Listed variations are added or changed. */
  updateProduct(parameters: ParametersOf<'updateProduct'>, options: WriteOptions = {}): Promise<Product> {
    return this.caller.write('updateProduct', parameters, options);
  }

  /**
   * Changes up to 1,000 products, creates those that do not exist yet, or sets the stock of variations. Returns a result
   * for each line; a rejected line does not make the call fail.
   */
  writeProducts(lines: ProductLine[], options: CreateOptions = {}): Promise<BatchResult> {
    return this.caller.write('writeProducts', lines, options);
  }

  /** Enables a product. */
  enableProduct(parameters: ParametersOf<'enableProduct'>, options: WriteOptions = {}): Promise<Product> {
    return this.caller.write('enableProduct', parameters, options);
  }

  /** Disables a product. */
  disableProduct(parameters: ParametersOf<'disableProduct'>, options: WriteOptions = {}): Promise<Product> {
    return this.caller.write('disableProduct', parameters, options);
  }

  /** Marks a product as deleted. */
  deleteProduct(parameters: ParametersOf<'deleteProduct'>, options: WriteOptions = {}): Promise<Product> {
    return this.caller.write('deleteProduct', parameters, options);
  }

  /** Describes the fields of variations. */
  describeVariations(options: CallOptions = {}): Promise<FieldDescription[]> {
    return this.caller.call('describeVariations', {}, options);
  }

  /** Adds a variation to a product. */
  createVariation(
    parameters: ParametersOf<'createVariation'>,
    options: WriteOptions = {},
  ): Promise<RetrievedVariation> {
    return this.caller.write('createVariation', parameters, options);
  }

  /** Sets the stock of a variation, or changes it by a number of units. */
  updateVariation(
    parameters: ParametersOf<'updateVariation'>,
    options: WriteOptions = {},
  ): Promise<RetrievedVariation> {
    return this.caller.write('updateVariation', parameters, options);
  }

  /** Enables a variation. */
  enableVariation(
    parameters: ParametersOf<'enableVariation'>,
    options: WriteOptions = {},
  ): Promise<RetrievedVariation> {
    return this.caller.write('enableVariation', parameters, options);
  }

  /** Disables a variation. */
  disableVariation(
    parameters: ParametersOf<'disableVariation'>,
    options: WriteOptions = {},
  ): Promise<RetrievedVariation> {
    return this.caller.write('disableVariation', parameters, options);
  }

  /** Marks a variation as deleted. */
  deleteVariation(
    parameters: ParametersOf<'deleteVariation'>,
    options: WriteOptions = {},
  ): Promise<RetrievedVariation> {
    return this.caller.write('deleteVariation', parameters, options);
  }

  /**
   * Returns the `ETag` of a record that this client returned, for `ifMatch`; undefined for any other object, also for the
   * records of a list.
   */
  etagOf(record: Product | RetrievedVariation): string | undefined {
    return this.caller.etagOf(record);
  }
}
