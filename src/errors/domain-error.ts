/** What is wrong with one field of what was sent. */
export interface Problem {
  field: string;
  /** What was expected. */
  reason: string;
  /** The value that was sent, for the rejected rows of a file. */
  value?: unknown;
  /** The variation that the problem concerns, if the field contains variations and it concerns only one. */
  entry?: string;
}

/** What a caller learns about an error. */
interface ErrorDescription {
  /** For people. It never contains anything internal. */
  message: string;
  problems?: readonly Problem[];
  /** When to try again; null if trying again does not help. */
  retryAfterSeconds?: number | null;
}

/**
 * Why a call cannot succeed: a code for programs, a message for people. The APIs and the console send it with
 * a status, and the command line prints its message.
 */
export class DomainError extends Error {
  override name = 'DomainError';
  readonly code: string;
  /** What is wrong with each field; empty for other errors. Forms show each next to its field. */
  readonly problems: readonly Problem[];
  readonly retryAfterSeconds: number | null;

  constructor(code: string, { message, problems = [], retryAfterSeconds = null }: ErrorDescription) {
    super(message);
    this.code = code;
    this.problems = problems;
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

/** Returns the error of a step that concerns only this step. @throws any other */
export async function orDomainError<T>(step: () => T | Promise<T>): Promise<T | DomainError> {
  try {
    return await step();
  } catch (error) {
    if (error instanceof DomainError) return error;
    throw error;
  }
}

type Describe = (...values: never[]) => string | ErrorDescription;

/** How an error is sent, and what the APIs document of it. Texts are in Markdown. */
export interface ErrorDocumentation {
  status: number;
  /** Statuses that it has instead in some responses. */
  otherStatuses?: readonly number[];
  /** Missing if the APIs never send it. */
  cause?: string;
  /** What to do about it; missing if the message says it. */
  remedy?: string;
}

/** An error of a registry. */
export interface ErrorDefinition extends ErrorDocumentation {
  message: Describe;
}

/** Functions that create the errors of a registry, by their codes. */
type Creators<Descriptions extends Record<string, Describe>> = {
  readonly [Code in keyof Descriptions]: (...values: Parameters<Descriptions[Code]>) => DomainError;
};

/** Returns functions that create the errors described, with their names as codes. */
export function defineErrors<Descriptions extends Record<string, Describe>>(
  descriptions: Descriptions,
): Creators<Descriptions> {
  const creators = Object.entries(descriptions).map(([code, describe]) => {
    const create = (...values: never[]): DomainError => {
      const description = describe(...values);
      return new DomainError(code, typeof description === 'string' ? { message: description } : description);
    };
    return [code, create];
  });
  return Object.fromEntries(creators) as Creators<Descriptions>;
}

/** Returns functions that create the errors of a registry. */
export function createErrors<Definitions extends Record<string, ErrorDefinition>>(
  definitions: Definitions,
): Creators<{ [Code in keyof Definitions]: Definitions[Code]['message'] }> {
  const messages = Object.entries(definitions).map(([code, { message }]) => [code, message]);
  return defineErrors(Object.fromEntries(messages));
}
