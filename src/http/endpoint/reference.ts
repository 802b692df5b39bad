import type { ParameterDefinitions } from '../parameters/bind.ts';
import type { Schema } from '../schema.ts';

/** What the OpenAPI document says of an endpoint in addition to its declaration. */
export interface EndpointReference<Definitions extends ParameterDefinitions = ParameterDefinitions> {
  /** The name of the operation in generated clients. */
  name: string;
  tag: { name: string; description: string };
  summary: string;
  description: string;
  parameters: { readonly [Name in keyof Definitions]: ParameterReference };
  /** Headers that it reads and other endpoints do not. */
  headers?: Readonly<Record<string, HeaderReference>>;
  success: Success;
}

export interface ParameterReference {
  description: string;
  default?: string | number | boolean;
  example?: string | number | boolean;
}

export interface FileReference {
  description: string;
  example: string;
}

export interface HeaderReference {
  description: string;
  schema: Schema;
  example: string;
}

export interface Success {
  status?: 201 | 202;
  description: string;
  schema: Schema;
  examples: Readonly<Record<string, { summary: string; value: unknown }>>;
  /** Whether the status is 201 if the request created the record. */
  creates?: true;
  linked?: true;
  /** Whether it has a `Location` header, the URL of the created record. */
  located?: true;
}
