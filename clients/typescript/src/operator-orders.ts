import { everyPage } from './iterate.ts';
import type { Records } from './line-stream.ts';
import type { OperatorCallOptions } from './operator-caller.ts';
import { type Page, type Pages, PER_PAGE } from './operator-events.ts';
import type {
  OperatorOrder,
  OperatorParametersOf,
  OperatorResponseOf,
  StreamSummary,
} from './operator-operations.ts';
import { OperatorSystem } from './operator-system.ts';

/** Orders of a merchant, named by your own IDs. */
export class OperatorOrders extends OperatorSystem {
  /** `records` returns any number of orders, and is called again for each retry. There is no timeout. */
  streamOrders(
    externalId: string,
    records: () => Records,
    options: OperatorCallOptions = {},
  ): Promise<StreamSummary> {
    return this.caller.stream('streamOrders', externalId, records, options);
  }

  /** Creates an order, or changes the given fields. Orders are named by your own IDs. */
  putOrder(
    externalId: string,
    order: string,
    parameters: OperatorParametersOf<'putOrder'>,
    options: OperatorCallOptions = {},
  ): Promise<OperatorOrder> {
    return this.caller.call('putOrder', { external_id: externalId, order }, parameters, options);
  }

  /** Lists one page of the orders of all merchants, without anything of their customers. */
  listOrders(
    parameters: OperatorParametersOf<'listOrders'> = {},
    options: OperatorCallOptions = {},
  ): Promise<OperatorResponseOf<'listOrders'>> {
    return this.caller.call('listOrders', {}, parameters, options);
  }

  /** Returns the order with its customer's data. The merchant's audit log says that it was seen. */
  revealCustomer(
    externalId: string,
    order: string,
    options: OperatorCallOptions = {},
  ): Promise<OperatorOrder> {
    return this.caller.call('revealCustomer', { external_id: externalId, order }, {}, options);
  }

  /** @throws {ApiError} with status 404 if there is no such order */
  retrieveOrder(
    externalId: string,
    order: string,
    parameters: OperatorParametersOf<'retrieveOrder'> = {},
    options: OperatorCallOptions = {},
  ): Promise<OperatorOrder> {
    return this.caller.call('retrieveOrder', { external_id: externalId, order }, parameters, options);
  }

  /** Holds, releases or cancels an order. */
  setOrderState(
    externalId: string,
    order: string,
    parameters: OperatorParametersOf<'setOrderState'>,
    options: OperatorCallOptions = {},
  ): Promise<OperatorOrder> {
    return this.caller.call('setOrderState', { external_id: externalId, order }, parameters, options);
  }

  /** Reports what a carrier does with a package. */
  setPackageState(
    externalId: string,
    order: string,
    packageId: string,
    parameters: OperatorParametersOf<'setPackageState'>,
    options: OperatorCallOptions = {},
  ): Promise<OperatorOrder> {
    const inPath = { external_id: externalId, order, package: packageId };
    return this.caller.call('setPackageState', inPath, parameters, options);
  }

  /** Reports that a refund is settled or has failed. */
  settleRefund(
    externalId: string,
    order: string,
    refund: string,
    parameters: OperatorParametersOf<'settleRefund'>,
    options: OperatorCallOptions = {},
  ): Promise<OperatorOrder> {
    const inPath = { external_id: externalId, order, refund };
    return this.caller.call('settleRefund', inPath, parameters, options);
  }

  /** Erases the customer's data for good. */
  redactOrder(externalId: string, order: string, options: OperatorCallOptions = {}): Promise<OperatorOrder> {
    return this.caller.call('redactOrder', { external_id: externalId, order }, {}, options);
  }

  /** Lists one page of changes after a cursor, or from `start`. */
  listOrderChanges(
    externalId: string,
    parameters: OperatorParametersOf<'listOrderChanges'>,
    options: OperatorCallOptions = {},
  ): Page<'listOrderChanges'> {
    return this.caller.call('listOrderChanges', { external_id: externalId }, parameters, options);
  }

  /** Iterates over the pages of all changes since a cursor, by default since the beginning. */
  orderChanges(
    externalId: string,
    since = 'start',
    { per_page = PER_PAGE, ...options }: OperatorCallOptions & { per_page?: number } = {},
  ): Pages<'listOrderChanges'> {
    const list = (changed_since: string): Page<'listOrderChanges'> =>
      this.listOrderChanges(externalId, { changed_since, per_page }, options);
    return everyPage(since, list, ({ cursor }) => cursor);
  }
}
