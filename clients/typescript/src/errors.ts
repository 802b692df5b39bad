/** Never contains the token. */
export abstract class TradepostError extends Error {
  readonly tries: number;
  /** The key of a request that writes. A retry with the same key is safe. */
  readonly idempotencyKey: string | null;

  constructor(message: string, { tries, idempotencyKey }: Sent) {
    super(message);
    this.tries = tries;
    this.idempotencyKey = idempotencyKey;
  }
}

export interface Sent {
  tries: number;
  idempotencyKey: string | null;
}

/** What is wrong with one field of a request. */
export interface Problem {
  field: string;
  /** What was expected, for people. */
  reason: string;
}

/** The service responded with an error, whose message this is. */
export class ApiError extends TradepostError {
  override name = 'ApiError';
  readonly status: number;
  /** Such as `invalid_parameters`; null if the response is not the service’s. */
  readonly code: string | null;
  /** What is wrong with each field; empty for other errors. */
  readonly problems: readonly Problem[];
  /** The operator can find the request by it; null if the response has none. */
  readonly requestId: string | null;
  /** How long to wait before a retry; null if the service did not specify it. */
  readonly retryAfterMs: number | null;

  constructor(
    response: {
      status: number;
      code: string | null;
      message: string;
      problems: readonly Problem[];
      requestId: string | null;
      retryAfterMs: number | null;
    },
    sent: Sent,
  ) {
    super(response.message, sent);
    this.status = response.status;
    this.code = response.code;
    this.problems = response.problems;
    this.requestId = response.requestId;
    this.retryAfterMs = response.retryAfterMs;
  }
}

/** No complete response: the connection failed, was closed, or timed out. */
export class ConnectionError extends TradepostError {
  override name = 'ConnectionError';
}
