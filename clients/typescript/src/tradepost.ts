import { everyProduct } from './every-product.ts';
import {
  type Account,
  type Campaign,
  endpoints,
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

/** Options of calls that create something. */
export interface CreateOptions extends CallOptions {
  /**
   * Calls with the same key and parameters create one object within 24 hours. Default: a new key for each call, which its
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
    const { idempotencyKey = crypto.randomUUID() } = options;
    return this.#call('createCampaign', parameters, { ...options, idempotencyKey });
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

  async #call<Name extends Operation>(
    name: Name,
    parameters: ParametersOf<Name>,
    { signal, idempotencyKey = null }: { signal?: AbortSignal; idempotencyKey?: string | null },
  ): Promise<ResponseOf<Name>> {
    const { method, path } = endpoints[name];
    const body = await this.#sender.send({ method, path, parameters, idempotencyKey, signal });
    // The service's tests check its responses against the OpenAPI document.
    return body as ResponseOf<Name>;
  }
}
