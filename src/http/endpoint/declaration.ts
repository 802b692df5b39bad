import type { ParameterDefinitions } from '../parameters/bind.ts';
import type { EndpointReference } from './reference.ts';

/** An endpoint of v1 as its clients see it. Requests are checked against it, and the OpenAPI document describes it. */
export interface EndpointDeclaration<Definitions extends ParameterDefinitions = ParameterDefinitions> {
  method: 'GET' | 'POST';
  /** The path below the base path. The endpoint also answers at this path without `.json`. */
  path: `/${string}.json`;
  parameters: Definitions;
  /** All statuses that it can respond with besides the common ones. A test fails on any other. */
  statuses: readonly number[];
  reference: EndpointReference<NoInfer<Definitions>>;
}

/** The statuses that every endpoint can respond with. */
export const COMMON_STATUSES = [400, 401, 429, 500, 503] as const;
