import type { ParameterDefinitions } from '../parameters/bind.ts';
import type { EndpointReference } from './reference.ts';

/** An endpoint of v1 as its callers see it: requests are checked against it, and the document says it. */
export interface EndpointDeclaration<Definitions extends ParameterDefinitions = ParameterDefinitions> {
  method: 'GET' | 'POST';
  /** Below the base path, with `.json`; the same without it answers the same. */
  path: `/${string}.json`;
  parameters: Definitions;
  /** Every status that it can answer with beside the common ones; a test fails on any other. */
  statuses: readonly number[];
  reference: EndpointReference<NoInfer<Definitions>>;
}

/** The statuses that any endpoint can answer with, before or instead of its own. */
export const COMMON_STATUSES = [400, 401, 429, 500, 503] as const;
