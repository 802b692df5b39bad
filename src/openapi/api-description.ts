import type { RequestHeaders } from '../http/endpoint/declaration.ts';
import type { ErrorResponses } from './error-responses.ts';
import type { EventSchemas } from './events/event-schema.ts';

export interface ApiDescription {
  title: string;
  description: string;
  documentPath: string;
  /** The endpoints' paths are relative to it. */
  basePath: string;
  /** The ways to send the token, by name. */
  securitySchemes: readonly { name: string; scheme: object }[];
  /** Request headers that every endpoint reads. */
  headers: RequestHeaders;
  errors: ErrorResponses;
  events: EventSchemas;
  /** `anywhere`: in the query or post data. `json`: in a JSON object for PUT and POST, else in the query. */
  parameterPlaces: 'anywhere' | 'json';
}
