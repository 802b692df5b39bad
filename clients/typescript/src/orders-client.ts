import { PER_PAGE } from './catalog-client.ts';
import { everyItem, everyPage } from './iterate.ts';
import { MetadataClient } from './metadata-client.ts';
import type {
  FieldDescription,
  Order,
  OrderBatchResult,
  OrderChanges,
  OrderHistory,
  OrderLine,
  OrderPaginationSummary,
  ParametersOf,
  ResponseOf,
} from './operations.ts';
import type { CallOptions, ChangesOptions, CreateOptions } from './options.ts';

export type OrderListParameters = Omit<ParametersOf<'listOrders'>, 'changed_since'>;

/** What the merchant has sold. Repeated calls change nothing: see the reference of each call. */
export class OrdersClient extends MetadataClient {
  /** Iterates over all orders that match, by default the lowest ID first, each at most once. */
  orders(
    filter: Omit<OrderListParameters, 'page' | 'pagination' | 'after'> = {},
    options: CallOptions = {},
  ): AsyncGenerator<Order, void, undefined> {
    return everyItem(
      (next) => this.listOrders({ per_page: PER_PAGE, sort: 'id_asc', ...filter, ...next }, options),
      (page) => this.caller.nextOf(page),
      ({ order_id }) => order_id,
    );
  }

  /**
   * Iterates over the pages of all changes since a cursor, by default since the beginning. Store a page's
   * `cursor` when you have stored its `results`, and continue with it in the next run.
   * @throws {ApiError} with status 410 after a restore or a reset of test data: start again without a cursor
   */
  orderChanges(
    since = 'start',
    { per_page = PER_PAGE, ...options }: ChangesOptions = {},
  ): AsyncGenerator<OrderChanges, void, undefined> {
    const list = (changed_since: string): Promise<OrderChanges> =>
      this.listOrderChanges({ changed_since, per_page }, options);
    return everyPage(since, list, ({ cursor }) => cursor);
  }

  /** Lists one page of changes after a cursor, or from `start`. */
  async listOrderChanges(
    parameters: { changed_since: string; per_page?: number },
    options: CallOptions = {},
  ): Promise<OrderChanges> {
    // With this parameter, the service returns changes.
    return (await this.caller.call('listOrders', parameters, options)) as OrderChanges;
  }

  /** Lists one page, the highest ID first. With `pagination`, also returns its position among all matches. */
  listOrders(
    parameters: OrderListParameters & { pagination: true },
    options?: CallOptions,
  ): Promise<OrderPaginationSummary>;
  listOrders(parameters?: Omit<OrderListParameters, 'pagination'>, options?: CallOptions): Promise<Order[]>;
  listOrders(
    parameters: OrderListParameters = {},
    options: CallOptions = {},
  ): Promise<ResponseOf<'listOrders'>> {
    return this.caller.call('listOrders', parameters, options);
  }

  /** @throws {ApiError} with status 404 if there is no such order */
  retrieveOrder(parameters: ParametersOf<'retrieveOrder'>, options: CallOptions = {}): Promise<Order> {
    return this.caller.call('retrieveOrder', parameters, options);
  }

  /** Lists what changed in an order, newest first. @throws {ApiError} with status 404 if there is none */
  listOrderHistory(
    parameters: ParametersOf<'listOrderHistory'>,
    options: CallOptions = {},
  ): Promise<OrderHistory> {
    return this.caller.call('listOrderHistory', parameters, options);
  }

  describeOrders(options: CallOptions = {}): Promise<FieldDescription[]> {
    return this.caller.call('describeOrders', {}, options);
  }

  /** Says that your software has the order. */
  acknowledgeOrder(
    parameters: ParametersOf<'acknowledgeOrder'>,
    options: CreateOptions = {},
  ): Promise<Order> {
    return this.caller.write('acknowledgeOrder', parameters, options);
  }

  annotateOrder(parameters: ParametersOf<'annotateOrder'>, options: CreateOptions = {}): Promise<Order> {
    return this.caller.write('annotateOrder', parameters, options);
  }

  /** Adds a package, or corrects one that no carrier has scanned yet. */
  fulfillOrder(parameters: ParametersOf<'fulfillOrder'>, options: CreateOptions = {}): Promise<Order> {
    return this.caller.write('fulfillOrder', parameters, options);
  }

  /** Works like `fulfillOrder`. */
  fulfillOrderInPath(
    parameters: ParametersOf<'fulfillOrderInPath'>,
    options: CreateOptions = {},
  ): Promise<Order> {
    return this.caller.write('fulfillOrderInPath', parameters, options);
  }

  /** Removes a package that no carrier has scanned yet. */
  unfulfillOrder(parameters: ParametersOf<'unfulfillOrder'>, options: CreateOptions = {}): Promise<Order> {
    return this.caller.write('unfulfillOrder', parameters, options);
  }

  refundOrder(parameters: ParametersOf<'refundOrder'>, options: CreateOptions = {}): Promise<Order> {
    return this.caller.write('refundOrder', parameters, options);
  }

  /** Cancels an order of which nothing has shipped. */
  cancelOrder(parameters: ParametersOf<'cancelOrder'>, options: CreateOptions = {}): Promise<Order> {
    return this.caller.write('cancelOrder', parameters, options);
  }

  /** Applies up to 1,000 lines in order. A rejected line does not make the call fail. */
  changeOrders(lines: OrderLine[], options: CreateOptions = {}): Promise<OrderBatchResult> {
    return this.caller.write('changeOrders', lines, options);
  }
}
