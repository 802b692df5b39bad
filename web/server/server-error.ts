import type { ConsoleError } from '../../src/console/console-api.ts';

/** An answer other than success. `fields` are those of the form that was sent. */
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

/** The server could not be reached, or something before it said that it is away. */
export class ServerAway extends Error {
  override name = 'ServerAway';
  constructor() {
    super('The server cannot be reached just now.');
  }
}

/** What to tell people about anything that was thrown. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : 'Something went wrong.';
}

/** Makes the error of an answer, whatever its body is. */
export async function errorFrom(response: Response): Promise<ServerError> {
  return new ServerError(response.status, readError(await response.text(), response.status));
}

export function readError(body: string, status: number): ConsoleError {
  try {
    const read: unknown = JSON.parse(body);
    if (typeof read === 'object' && read !== null && 'message' in read && typeof read.message === 'string') {
      return read as ConsoleError;
    }
  } catch {
    // Not ours: a proxy's page, or nothing at all.
  }
  return { message: `The server answered with status ${status}.` };
}
