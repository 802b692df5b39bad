import type { Scope } from '../../api-keys/scopes.ts';
import type { ParameterDefinitions } from '../parameters/bind.ts';
import type { EndpointReference } from './reference.ts';

/** An endpoint of v1 as its clients see it. Requests are checked against it, and the OpenAPI document describes it. */
export interface EndpointDeclaration<Definitions extends ParameterDefinitions = ParameterDefinitions> {
  method: 'GET' | 'POST';
  /** The path below the base path. The endpoint also answers at this path without `.json`. */
  path: `/${string}.json`;
  /** Another path at which it answers, for clients of other versions of the API. */
  alias?: `/${string}.json`;
  parameters: Definitions;
  /** The scope that a key needs to call it; undefined if every key may. */
  scope?: Scope;
  /** The maximum size of post data in bytes, if not `MAX_BODY_BYTES`. */
  bodyLimit?: number;
  /** All statuses that it can respond with besides those of `statusesOf`. A test fails on any other. */
  statuses: readonly number[];
  reference: EndpointReference<NoInfer<Definitions>>;
}

/** Returns all statuses that an endpoint can respond with. */
export function statusesOf({ statuses, scope }: EndpointDeclaration): number[] {
  return [...statuses, 400, 401, ...(scope === undefined ? [] : [403]), 429, 500, 503];
}
