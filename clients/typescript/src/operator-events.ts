import { everyPage, everyResult } from './iterate.ts';
import { OperatorCaller, type OperatorCallOptions, type OperatorWriteOptions } from './operator-caller.ts';
import type {
  CreatedWebhook,
  OperatorOperation,
  OperatorParametersOf,
  OperatorResponseOf,
  Webhook,
  WebhookDelivery,
} from './operator-operations.ts';
import type { ClientOptions } from './sender.ts';

/** How many records an iteration requests at a time. */
export const PER_PAGE = 200;

export type Page<Name extends OperatorOperation> = Promise<OperatorResponseOf<Name>>;
export type Pages<Name extends OperatorOperation> = AsyncGenerator<OperatorResponseOf<Name>, void, undefined>;

/** Events of all merchants, and webhooks. */
export class OperatorEvents {
  protected readonly caller: OperatorCaller;

  /** Such as `https://shop.example/operator/v1`. @throws {TypeError} if the URL or the token is invalid */
  constructor(options: Omit<ClientOptions, 'erpName'>) {
    this.caller = new OperatorCaller(options);
  }

  /**
   * Lists one page, of all merchants. Continue with the `next` of the result.
   * @throws {ApiError} with status 410 if events after the cursor are no longer kept
   */
  listEvents(
    parameters: OperatorParametersOf<'listEvents'> = {},
    options: OperatorCallOptions = {},
  ): Promise<OperatorResponseOf<'listEvents'>> {
    return this.caller.call('listEvents', {}, parameters, options);
  }

  /**
   * Iterates over the pages of all events after a position, up to the present. Store a page's `next` when you
   * have processed its `results`, and continue with it in the next run.
   */
  eventPages(
    after = 'start',
    { limit = PER_PAGE, ...options }: OperatorCallOptions & { limit?: number } = {},
  ): Pages<'listEvents'> {
    const list = (position: string): Page<'listEvents'> =>
      this.listEvents({ after: position, limit }, options);
    return everyPage(after, list, ({ next }) => next);
  }

  /** The result has the secret, which cannot be read again. */
  createWebhook(
    parameters: OperatorParametersOf<'createWebhook'>,
    options: OperatorWriteOptions = {},
  ): Promise<CreatedWebhook> {
    return this.caller.write('createWebhook', {}, parameters, options);
  }

  listWebhooks(options: OperatorCallOptions = {}): Promise<OperatorResponseOf<'listWebhooks'>> {
    return this.caller.call('listWebhooks', {}, {}, options);
  }

  /** @throws {ApiError} with status 404 if there is no such webhook */
  retrieveWebhook(webhook: string, options: OperatorCallOptions = {}): Promise<Webhook> {
    return this.caller.call('retrieveWebhook', { webhook }, {}, options);
  }

  /** Changes the given fields, or enables or disables the webhook. */
  changeWebhook(
    webhook: string,
    parameters: OperatorParametersOf<'changeWebhook'>,
    options: OperatorCallOptions = {},
  ): Promise<Webhook> {
    return this.caller.call('changeWebhook', { webhook }, parameters, options);
  }

  deleteWebhook(webhook: string, options: OperatorWriteOptions = {}): Promise<Webhook> {
    return this.caller.write('deleteWebhook', { webhook }, {}, options);
  }

  /** The former secret also signs for 24 hours. */
  rotateWebhookSecret(
    webhook: string,
    options: OperatorWriteOptions = {},
  ): Promise<OperatorResponseOf<'rotateWebhookSecret'>> {
    return this.caller.write('rotateWebhookSecret', { webhook }, {}, options);
  }

  /** Sends an example once, and returns the receiver's response. */
  testWebhook(
    webhook: string,
    options: OperatorCallOptions = {},
  ): Promise<OperatorResponseOf<'testWebhook'>> {
    return this.caller.call('testWebhook', { webhook }, {}, options);
  }

  /** Sends events again. @throws {ApiError} with status 409 if the webhook is disabled */
  replayWebhook(
    webhook: string,
    parameters: OperatorParametersOf<'replayWebhook'>,
    options: OperatorCallOptions = {},
  ): Promise<OperatorResponseOf<'replayWebhook'>> {
    return this.caller.call('replayWebhook', { webhook }, parameters, options);
  }

  /** Lists one page, newest event first. */
  listWebhookDeliveries(
    webhook: string,
    parameters: OperatorParametersOf<'listWebhookDeliveries'> = {},
    options: OperatorCallOptions = {},
  ): Promise<OperatorResponseOf<'listWebhookDeliveries'>> {
    return this.caller.call('listWebhookDeliveries', { webhook }, parameters, options);
  }

  /** Iterates over all deliveries, newest event first. */
  webhookDeliveries(
    webhook: string,
    filter: Omit<OperatorParametersOf<'listWebhookDeliveries'>, 'after'> = {},
    options: OperatorCallOptions = {},
  ): AsyncGenerator<WebhookDelivery, void, undefined> {
    return everyResult((after: string | undefined) =>
      this.listWebhookDeliveries(
        webhook,
        { limit: PER_PAGE, ...filter, ...(after === undefined ? {} : { after }) },
        options,
      ),
    );
  }
}
