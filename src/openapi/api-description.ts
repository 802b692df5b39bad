import type { HeaderReference } from '../http/endpoint/reference.ts';
import type { ErrorResponses } from './error-responses.ts';
import type { EventSchemas } from './events/event-schema.ts';

/** What the OpenAPI document of an API says, except its endpoints. */
export interface ApiDescription {
  title: string;
  description: string;
  /** The path of the document. */
  documentPath: string;
  /** The path that the paths of the endpoints are relative to. */
  basePath: string;
  /** The ways to send the token, by their names. */
  securitySchemes: readonly { name: string; scheme: object }[];
  /** The request headers that every endpoint reads. */
  headers: Readonly<Record<string, HeaderReference>>;
  errors: ErrorResponses;
  /** The events that webhooks deliver. */
  events: EventSchemas;
  /**
   * `anywhere`: in the query or in post data of any kind. `json`: the parameters of PUT and POST in a JSON object, all others in
   * the query.
   */
  parameterPlaces: 'anywhere' | 'json';
}
