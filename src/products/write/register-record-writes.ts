import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { RequestHeaders, Success, Tag } from '../../http/endpoint/declaration.ts';
import { idempotencyKeyOf } from '../../http/endpoint/idempotency.ts';
import { registerWrite, type WriteServices } from '../../http/endpoint/register-write.ts';
import type { BoundParameters, ParameterDefinitions } from '../../http/parameters/bind.ts';
import { MAX_WRITE_BYTES } from '../../http/request-limits.ts';
import type { Action, ProductChange } from './change-product.ts';
import type { ProductFinder } from './find-products.ts';
import type { GroupedWrites } from './grouped-writes.ts';
import { identifierType } from './parameters.ts';
import { recordCall } from './write-records.ts';

interface RecordKind<Shown> {
  tag: Tag;
  success: Success;
  render(record: Shown): string;
  /** `sendJson` or `sendRecord`. */
  send(request: FastifyRequest, reply: FastifyReply, json: string): Promise<void>;
}

interface RecordWrite<Definitions extends ParameterDefinitions, Shown> {
  path: `/${string}.json`;
  /** The name of the operation in generated clients. */
  name: string;
  summary: string;
  description: string;
  parameters: Definitions;
  /** Set if it names no record that may be missing. */
  isNeverMissing?: true;
  write(products: ProductFinder, input: BoundParameters<Definitions>): Promise<ProductChange<Shown>>;
}

export interface RecordWriteServices extends WriteServices {
  groupedWrites: GroupedWrites;
}

const headers: RequestHeaders = {
  'If-Match': {
    description:
      'The `ETag` of the record from `retrieve`. If the record has changed since, the response is 412 and nothing is ' +
      'written.',
    schema: { type: 'string' },
    example: '"2kXPn4hJYlq0TzS3vL0V5oQm8cE"',
  },
};

/** Registers calls that write records of one kind (contract for writing, “Products and variations”). */
export class RecordWrites<Shown> {
  readonly #app: FastifyInstance;
  readonly #services: RecordWriteServices;
  readonly #kind: RecordKind<Shown>;

  constructor(app: FastifyInstance, services: RecordWriteServices, kind: RecordKind<Shown>) {
    this.#app = app;
    this.#services = services;
    this.#kind = kind;
  }

  register<Definitions extends ParameterDefinitions>({
    isNeverMissing,
    write,
    ...endpoint
  }: RecordWrite<Definitions, Shown>): void {
    const { tag, success, render, send } = this.#kind;
    registerWrite<Definitions>(this.#app, this.#services, {
      ...endpoint,
      tag,
      scope: 'write',
      headers,
      statuses: isNeverMissing === true ? [200, 409, 412] : [200, 404, 409, 412],
      success,
      bodyLimit: MAX_WRITE_BYTES,
      locksMerchant: true,
      handle: async ({ request, reply, caller: { merchantId, who, key }, input, once }) => {
        const call = recordCall({
          ifMatch: request.headers['if-match'],
          who: key === undefined ? who : undefined,
          prepare: (products) => write(products, input),
          render,
        });
        const { groupedWrites } = this.#services;
        const json =
          idempotencyKeyOf(request) === undefined
            ? await groupedWrites.run(merchantId, call)
            : // Its response is stored with the write, and the write is undone if it cannot be.
              await once((connection) => groupedWrites.runInside(connection, merchantId, call));
        await send(request, reply, json);
      },
    });
  }

  registerActions(
    records: 'products' | 'variations',
    {
      identifier,
      descriptions,
    }: { identifier: { description: string; example: string }; descriptions: Record<Action, string> },
    write: (
      products: ProductFinder,
      call: { identifier: string; action: Action },
    ) => Promise<ProductChange<Shown>>,
  ): void {
    const record = records === 'products' ? 'Product' : 'Variation';
    for (const action of ['enable', 'disable', 'delete'] as const) {
      this.register({
        path: `/${records}/${action}.json`,
        name: `${action}${record}`,
        summary: `${action.charAt(0).toUpperCase()}${action.slice(1)} a ${record.toLowerCase()}`,
        description: `${descriptions[action]} Repeating it changes nothing.`,
        parameters: { identifier: { type: identifierType, required: true, ...identifier } },
        write: (products, input) => write(products, { identifier: input.identifier, action }),
      });
    }
  }
}
