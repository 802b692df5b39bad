import { everyProduct } from './every-product.ts';
import {
  type Account,
  type Campaign,
  endpoints,
  type FieldDescription,
  type MonthlySales,
  type Operation,
  type PaginationSummary,
  type ParametersOf,
  type Product,
  type ResponseOf,
  type RetrievedVariation,
} from './operations.ts';
import { type ClientOptions, Sender } from './sender.ts';

export type ListParameters = ParametersOf<'listProducts'>;
/** Which products to list, in which order, and how many per request. */
export type ProductFilter = Omit<ListParameters, 'page' | 'pagination'>;
export type CampaignParameters = ParametersOf<'createCampaign'>;

/** Options of every call. */
export interface CallOptions {
  /** Aborts the call, which then fails with the signal's reason. */
  signal?: AbortSignal;
}

/** Options of calls that write. */
export interface CreateOptions extends CallOptions {
  /**
   * Calls with the same key and parameters write once within 24 hours. Default: a new key for each call, which its
   * retries reuse.
   */
  idempotencyKey?: string;
}

const PER_PAGE = 200;

/**
 * A client of the merchant API, with a method for each operation, and `products` to iterate over a catalog. Calls are
 * retried if that may help, and fail with an `ApiError` or a `ConnectionError`.
 */
export class Tradepost {
  readonly #sender: Sender;

  /** @throws {TypeError} if the URL or the token is invalid */
  constructor(options: ClientOptions) {
    this.#sender = new Sender(options);
  }

  /**
   * Iterates over all products that match the filter, with requests for 200 products by default. Each product occurs at
   * most once. By default, the oldest product is first, so that products created meanwhile occur at the end. If the
   * catalog changes meanwhile, a product may be missed if others before it leave the list or move behind it. Without a
   * filter, this cannot happen in the default order.
   */
  products(filter: ProductFilter = {}, options: CallOptions = {}): AsyncGenerator<Product, void, undefined> {
    const { per_page = PER_PAGE, sort = 'created_at_ascending' } = filter;
    const parameters = { ...filter, per_page, sort };
    return everyProduct(per_page, (page) => this.listProducts({ ...parameters, page }, options));
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

  /** Creates one campaign, even if the request is retried. */
  createCampaign(parameters: CampaignParameters, options: CreateOptions = {}): Promise<Campaign> {
    return this.#write('createCampaign', parameters, options);
  }

  /** Lists the sales of each month with schedules, oldest first. */
  listMonthlySales(options: CallOptions = {}): Promise<MonthlySales[]> {
    return this.#call('listMonthlySales', {}, options);
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

  /** Describes the fields of products. */
  describeProducts(options: CallOptions = {}): Promise<FieldDescription[]> {
    return this.#call('describeProducts', {}, options);
  }

  /** Creates a product, or brings a deleted one back with new values. */
  createProduct(parameters: ParametersOf<'createProduct'>, options: CreateOptions = {}): Promise<Product> {
    return this.#write('createProduct', parameters, options);
  }

  /** Changes the fields of a product that are given. Listed variations are added or changed. */
  updateProduct(parameters: ParametersOf<'updateProduct'>, options: CreateOptions = {}): Promise<Product> {
    return this.#write('updateProduct', parameters, options);
  }

  /** Enables a product. */
  enableProduct(parameters: ParametersOf<'enableProduct'>, options: CreateOptions = {}): Promise<Product> {
    return this.#write('enableProduct', parameters, options);
  }

  /** Disables a product. */
  disableProduct(parameters: ParametersOf<'disableProduct'>, options: CreateOptions = {}): Promise<Product> {
    return this.#write('disableProduct', parameters, options);
  }

  /** Marks a product as deleted. */
  deleteProduct(parameters: ParametersOf<'deleteProduct'>, options: CreateOptions = {}): Promise<Product> {
    return this.#write('deleteProduct', parameters, options);
  }

  /** Describes the fields of variations. */
  describeVariations(options: CallOptions = {}): Promise<FieldDescription[]> {
    return this.#call('describeVariations', {}, options);
  }

  /** Adds a variation to a product. */
  createVariation(
    parameters: ParametersOf<'createVariation'>,
    options: CreateOptions = {},
  ): Promise<RetrievedVariation> {
    return this.#write('createVariation', parameters, options);
  }

  /** Sets the stock of a variation, or changes it by a number of units. */
  updateVariation(
    parameters: ParametersOf<'updateVariation'>,
    options: CreateOptions = {},
  ): Promise<RetrievedVariation> {
    return this.#write('updateVariation', parameters, options);
  }

  /** Enables a variation. */
  enableVariation(
    parameters: ParametersOf<'enableVariation'>,
    options: CreateOptions = {},
  ): Promise<RetrievedVariation> {
    return this.#write('enableVariation', parameters, options);
  }

  /** Disables a variation. */
  disableVariation(
    parameters: ParametersOf<'disableVariation'>,
    options: CreateOptions = {},
  ): Promise<RetrievedVariation> {
    return this.#write('disableVariation', parameters, options);
  }

  /** Marks a variation as deleted. */
  deleteVariation(
    parameters: ParametersOf<'deleteVariation'>,
    options: CreateOptions = {},
  ): Promise<RetrievedVariation> {
    return this.#write('deleteVariation', parameters, options);
  }

  async #write<Name extends Operation>(
    name: Name,
    parameters: ParametersOf<Name>,
    { idempotencyKey = crypto.randomUUID(), ...options }: CreateOptions,
  ): Promise<ResponseOf<Name>> {
    return await this.#call(name, parameters, { ...options, idempotencyKey });
  }

  async #call<Name extends Operation>(
    name: Name,
    parameters: ParametersOf<Name>,
    { signal, idempotencyKey }: CreateOptions,
  ): Promise<ResponseOf<Name>> {
    const { method, path } = endpoints[name];
    const body = await this.#sender.send({
      method,
      path,
      parameters,
      idempotencyKey: idempotencyKey ?? null,
      signal,
    });
    // The service's tests check its responses against the OpenAPI document.
    return body as ResponseOf<Name>;
  }
}
