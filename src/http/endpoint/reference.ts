import type { ParameterDefinitions } from '../parameters/bind.ts';
import type { Schema } from '../schema.ts';

/** An endpoint's part of the OpenAPI document, in addition to the path, parameters and statuses of its declaration. */
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

/** The description of a parameter, without its type. */
export interface ParameterReference {
  description: string;
  /** The value that is used if the parameter is not sent. */
  default?: string | number | boolean;
  example?: string | number | boolean;
}

/** The description of the file that an endpoint receives. */
export interface FileReference {
  description: string;
  example: string;
}

/** A request header. */
export interface HeaderReference {
  description: string;
  schema: Schema;
  example: string;
}

/** The response to a successful request. */
export interface Success {
  /** Its status, if not 200. */
  status?: 201 | 202;
  description: string;
  schema: Schema;
  /** Examples by name. */
  examples: Readonly<Record<string, { summary: string; value: unknown }>>;
  /** Whether the status is 201 if the request created the record. */
  creates?: true;
  /** Whether it has a `Link` header to other pages. */
  linked?: true;
  /** Whether it has a `Location` header, the URL of the created record. */
  located?: true;
}
