import type { ParameterDefinitions } from '../parameters/bind.ts';
import type { Schema } from './schema.ts';

/** What the document says of an endpoint beside what its requests are checked against. */
export interface EndpointReference<Definitions extends ParameterDefinitions = ParameterDefinitions> {
  /** Names the operation in clients that are generated from the document. */
  name: string;
  tag: { name: string; description: string };
  summary: string;
  description: string;
  parameters: { readonly [Name in keyof Definitions]: ParameterReference };
  /** Headers that it reads beside those that every endpoint does. */
  headers?: Readonly<Record<string, HeaderReference>>;
  success: Success;
}

/** What is said of a parameter beside its type. */
export interface ParameterReference {
  description: string;
  /** What the endpoint takes where it is not given. */
  default?: string | number | boolean;
  example?: string | number | boolean;
}

/** A header that a request may carry. */
export interface HeaderReference {
  description: string;
  schema: Schema;
  example: string;
}

/** What a 200 carries. */
export interface Success {
  description: string;
  schema: Schema;
  /** By a name for each. */
  examples: Readonly<Record<string, { summary: string; value: unknown }>>;
  /** Whether it has a `Link` header to neighbouring pages. */
  linked?: true;
}
