import { everyProduct } from './every-product.ts';
import {
  type AnswerOf,
  type Campaign,
  type MonthlySales,
  type Operation,
  type PaginationSummary,
  type ParametersOf,
  type Product,
  places,
  type RetrievedVariation,
} from './operations.ts';
import { type ClientOptions, Sender } from './sender.ts';

export type ListParameters = ParametersOf<'listProducts'>;
/** Which products to go through, in which order, and how many to ask for at a time. */
export type ProductFilter = Omit<ListParameters, 'page' | 'pagination'>;
export type CampaignParameters = ParametersOf<'createCampaign'>;

export interface CallOptions {
  /** Ends the call: it fails with the signal's reason. */
  signal?: AbortSignal;
}

export interface CreateOptions extends CallOptions {
  /**
   * Under the same key and parameters, the same thing is created once within 24 hours, however often it is
   * asked for. Without one, a new key is made for each call and kept over its tries.
   */
  idempotencyKey?: string;
}

const PER_PAGE = 200;

/**
 * The merchant API: a method an operation, by the operation's name, and `products` to go through a catalog.
 * Each tries again where that may help, and fails with an `ApiError` or a `ConnectionError`.
 */
export class Tradepost {
  readonly #sender: Sender;

  /** @throws {TypeError} where the address or the token cannot be used */
  constructor(options: ClientOptions) {
    this.#sender = new Sender(options);
  }

  /**
   * Every product that the filter lets through, page after page, 200 at a time unless `per_page` says
   * otherwise. Oldest first unless `sort` says otherwise: so what is created meanwhile comes at the end. Each
   * comes at most once. While the catalog changes, a product may be missed only where others before it leave
   * the list or move behind it, which they do not in this order without a filter.
   */
  products(filter: ProductFilter = {}, options: CallOptions = {}): AsyncGenerator<Product, void, undefined> {
    const { per_page = PER_PAGE, sort = 'created_at_ascending' } = filter;
    const parameters = { ...filter, per_page, sort };
    return everyProduct(per_page, (page) => this.listProducts({ ...parameters, page }, options));
  }

  /** One page of products; with `pagination`, its place among all that match too. */
  listProducts(
    parameters: ListParameters & { pagination: true },
    options?: CallOptions,
  ): Promise<PaginationSummary>;
  listProducts(parameters?: Omit<ListParameters, 'pagination'>, options?: CallOptions): Promise<Product[]>;
  listProducts(
    parameters: ListParameters = {},
    options: CallOptions = {},
  ): Promise<AnswerOf<'listProducts'>> {
    return this.#call('listProducts', parameters, options);
  }

  /** Creates a campaign, exactly one however often the request has to be sent. */
  createCampaign(parameters: CampaignParameters, options: CreateOptions = {}): Promise<Campaign> {
    const { idempotencyKey = crypto.randomUUID() } = options;
    return this.#call('createCampaign', parameters, { ...options, idempotencyKey });
  }

  /** A record for each month that has schedules, oldest first. */
  listMonthlySales(options: CallOptions = {}): Promise<MonthlySales[]> {
    return this.#call('listMonthlySales', {}, options);
  }

  /** The variation of a unique ID. @throws {ApiError} with status 404 where there is none */
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
  ): Promise<AnswerOf<Name>> {
    const { method, path } = places[name];
    const answer = await this.#sender.send({ method, path, parameters, idempotencyKey, signal });
    // What the service answers with is held to its document by the service's own tests.
    return answer as AnswerOf<Name>;
  }
}
