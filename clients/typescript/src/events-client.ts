import { PER_PAGE } from './catalog-client.ts';
import { everyPage, everyResult } from './iterate.ts';
import type {
  CreatedMerchantWebhook,
  EventPage,
  MerchantWebhook,
  MerchantWebhookDelivery,
  ParametersOf,
  ResponseOf,
} from './operations.ts';
import type { CallOptions, CreateOptions } from './options.ts';
import { OrdersClient } from './orders-client.ts';

interface NamedWebhook {
  /** Its ID. */
  webhook: string;
}

/** What happens to the merchant's data: as a feed that is read, and as webhooks that it is sent to. */
export class EventsClient extends OrdersClient {
  /**
   * Lists one page. Continue with the `next` of the result.
   * @throws {ApiError} with status 410 if events after the cursor are no longer kept
   */
  listEvents(parameters: ParametersOf<'listEvents'> = {}, options: CallOptions = {}): Promise<EventPage> {
    return this.caller.call('listEvents', parameters, options);
  }

  /**
   * Iterates over the pages of all events after a position, up to the present. Store a page's `next` when you
   * have processed its `results`, and continue with it in the next run.
   */
  eventPages(
    after = 'start',
    { limit = PER_PAGE, ...options }: CallOptions & { limit?: number } = {},
  ): AsyncGenerator<EventPage, void, undefined> {
    const list = (position: string): Promise<EventPage> =>
      this.listEvents({ after: position, limit }, options);
    return everyPage(after, list, ({ next }) => next);
  }

  /** The result has the secret, which cannot be read again. */
  createWebhook(
    parameters: ParametersOf<'createWebhook'>,
    options: CreateOptions = {},
  ): Promise<CreatedMerchantWebhook> {
    return this.caller.write('createWebhook', parameters, options);
  }

  listWebhooks(options: CallOptions = {}): Promise<ResponseOf<'listWebhooks'>> {
    return this.caller.call('listWebhooks', {}, options);
  }

  /** @throws {ApiError} with status 404 if there is no such webhook */
  retrieveWebhook(parameters: NamedWebhook, options: CallOptions = {}): Promise<MerchantWebhook> {
    return this.caller.call('retrieveWebhook', parameters, options);
  }

  /** Changes the given fields, or enables or disables the webhook. */
  changeWebhook(
    parameters: ParametersOf<'changeWebhook'>,
    options: CallOptions = {},
  ): Promise<MerchantWebhook> {
    return this.caller.call('changeWebhook', parameters, options);
  }

  deleteWebhook(parameters: NamedWebhook, options: CreateOptions = {}): Promise<MerchantWebhook> {
    return this.caller.write('deleteWebhook', parameters, options);
  }

  /** The former secret also signs for 24 hours. */
  rotateWebhookSecret(
    parameters: NamedWebhook,
    options: CreateOptions = {},
  ): Promise<ResponseOf<'rotateWebhookSecret'>> {
    return this.caller.write('rotateWebhookSecret', parameters, options);
  }

  /** Sends an example once, and returns the receiver's response. */
  testWebhook(parameters: NamedWebhook, options: CallOptions = {}): Promise<ResponseOf<'testWebhook'>> {
    return this.caller.call('testWebhook', parameters, options);
  }

  /** Sends events again. @throws {ApiError} with status 409 if the webhook is disabled */
  replayWebhook(
    parameters: ParametersOf<'replayWebhook'>,
    options: CallOptions = {},
  ): Promise<ResponseOf<'replayWebhook'>> {
    return this.caller.call('replayWebhook', parameters, options);
  }

  /** Lists one page, newest event first. */
  listWebhookDeliveries(
    parameters: ParametersOf<'listWebhookDeliveries'>,
    options: CallOptions = {},
  ): Promise<ResponseOf<'listWebhookDeliveries'>> {
    return this.caller.call('listWebhookDeliveries', parameters, options);
  }

  /** Iterates over all deliveries, newest event first. */
  webhookDeliveries(
    filter: Omit<ParametersOf<'listWebhookDeliveries'>, 'after'>,
    options: CallOptions = {},
  ): AsyncGenerator<MerchantWebhookDelivery, void, undefined> {
    return everyResult((after: string | undefined) =>
      this.listWebhookDeliveries(
        { limit: PER_PAGE, ...filter, ...(after === undefined ? {} : { after }) },
        options,
      ),
    );
  }
}
