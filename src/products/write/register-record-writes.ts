import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { RequestHeaders, Success, Tag } from '../../http/endpoint/declaration.ts';
import { fieldsHeader, recordFieldsOf } from '../../http/endpoint/record-fields.ts';
import { registerWrite, type WriteServices } from '../../http/endpoint/register-write.ts';
import type { BoundParameters, ParameterDefinitions } from '../../http/parameters/bind.ts';
import { MAX_WRITE_BYTES } from '../../http/request-limits.ts';
import { alone } from '../../requests/run-once.ts';
import type { Action } from './change-product.ts';
import type { GroupedWrites } from './grouped-writes.ts';
import { identifierType } from './parameters.ts';
import { changesOnlyQuantities } from './stock-scope.ts';
import type { PrepareChange } from './write-records.ts';

interface RecordKind {
  tag: Tag;
  success: Success;
  /** Whether the records have the fields that the caller asks for. */
  hasFields: boolean;
  send(request: FastifyRequest, reply: FastifyReply, json: string): Promise<void>;
}

interface RecordWrite<Definitions extends ParameterDefinitions, Input> {
  path: `/${string}.json`;
  /** The name of the operation in generated clients. */
  name: string;
  summary: string;
  description: string;
  parameters: Definitions;
  /** Set if it names no record that may be missing. */
  isNeverMissing?: true;
  /**
   * Set if a key with the scope `stock` may call it: checks what such a key sent.
   * @throws {DomainError} `only_quantities`
   */
  requireQuantities?: (parameters: BoundParameters<Definitions>) => void;
  /** `onlyQuantities`: the caller may change nothing else. */
  toInput(parameters: BoundParameters<Definitions>, options: { onlyQuantities: boolean }): Input;
  change: PrepareChange<Input>;
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
export class RecordWrites {
  readonly #app: FastifyInstance;
  readonly #services: RecordWriteServices;
  readonly #kind: RecordKind;

  constructor(app: FastifyInstance, services: RecordWriteServices, kind: RecordKind) {
    this.#app = app;
    this.#services = services;
    this.#kind = kind;
  }

  register<Definitions extends ParameterDefinitions, Input>({
    isNeverMissing,
    requireQuantities,
    toInput,
    change,
    ...endpoint
  }: RecordWrite<Definitions, Input>): void {
    const { tag, success, hasFields, send } = this.#kind;
    const { groupedWrites, inProgress } = this.#services;
    registerWrite<Definitions>(this.#app, this.#services, {
      ...endpoint,
      tag,
      scope: requireQuantities === undefined ? 'write' : 'stock',
      headers: hasFields ? { ...headers, ...fieldsHeader } : headers,
      statuses: isNeverMissing === true ? [200, 409, 412] : [200, 404, 409, 412],
      success,
      bodyLimit: MAX_WRITE_BYTES,
      locksMerchant: true,
      handle: async ({ request, reply, caller, input, keyed }) => {
        const { merchantId, who, key } = caller;
        const onlyQuantities = requireQuantities !== undefined && changesOnlyQuantities(key);
        if (onlyQuantities) requireQuantities(input);
        const call = {
          change,
          input: toInput(input, { onlyQuantities }),
          fields: hasFields ? recordFieldsOf(request, caller) : ('standard' as const),
          ifMatch: request.headers['if-match'],
          keyed,
          who,
          isAudited: key === undefined,
        };
        const json = await alone(inProgress, keyed, () => groupedWrites.run(merchantId, call));
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
    change: PrepareChange<{ identifier: string; action: Action }>,
  ): void {
    const record = records === 'products' ? 'Product' : 'Variation';
    for (const action of ['enable', 'disable', 'delete'] as const) {
      this.register({
        path: `/${records}/${action}.json`,
        name: `${action}${record}`,
        summary: `${action.charAt(0).toUpperCase()}${action.slice(1)} a ${record.toLowerCase()}`,
        description: `${descriptions[action]} Repeating it changes nothing.`,
        parameters: { identifier: { type: identifierType, required: true, ...identifier } },
        toInput: ({ identifier }) => ({ identifier, action }),
        change,
      });
    }
  }
}
