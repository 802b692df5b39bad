import type { ConsoleError } from '../../src/console/console-api.ts';

/** A response with an error status. `fields` names the invalid fields of the form that was sent. */
export class ServerError extends Error {
  override name = 'ServerError';
  readonly status: number;
  readonly fields: { name: string; reason: string }[];

  constructor(status: number, { message, fields = [] }: ConsoleError) {
    super(message);
    this.status = status;
    this.fields = fields;
  }
}

/** There was no response, or one that says that the service is unavailable. */
export class ServerUnreachable extends Error {
  override name = 'ServerUnreachable';
  constructor() {
    super('Can’t reach the server.');
  }
}

/** The parameters that name a record. A problem with one is the record itself, not a field of the form. */
const RECORD_NAMES = ['internal_id', 'order_id', 'package_id'];

/** Returns the message to show for anything that was thrown. */
export function errorMessage(error: unknown): string {
  const [first, another] = error instanceof ServerError ? error.fields : [];
  if (first !== undefined && RECORD_NAMES.includes(first.name) && another === undefined)
    return `${first.reason.charAt(0).toUpperCase()}${first.reason.slice(1)}.`;
  return error instanceof Error ? error.message : 'Something went wrong.';
}

/** Reads a response as an error, whatever its body is. */
export async function toServerError(response: Response): Promise<ServerError> {
  return new ServerError(response.status, parseError(await response.text(), response.status));
}

/** Returns the version of a response's body; empty if it has none. */
export function etagOf(response: Response): string {
  return response.headers.get('etag') ?? '';
}

/** Returns the error in a response's body, or a generic one if the body is not the console's JSON. */
export function parseError(body: string, status: number): ConsoleError {
  try {
    const error: unknown = JSON.parse(body);
    if (
      typeof error === 'object' &&
      error !== null &&
      'message' in error &&
      typeof error.message === 'string'
    ) {
      return error as ConsoleError;
    }
  } catch {
    // A proxy's page, or an empty body.
  }
  return { message: `The server responded with status ${status}.` };
}
