/** A failed call. Neither the error nor its properties contain the token. */
export abstract class TradepostError extends Error {
  /** How many times the request was sent. */
  readonly tries: number;
  /** The `Idempotency-Key` of a request that creates something. A retry with the same key is safe. */
  readonly idempotencyKey: string | null;

  constructor(message: string, { tries, idempotencyKey }: Sent) {
    super(message);
    this.tries = tries;
    this.idempotencyKey = idempotencyKey;
  }
}

/** How a request was sent. */
export interface Sent {
  tries: number;
  idempotencyKey: string | null;
}

/** The service responded with an error. `message` is the message of the response. */
export class ApiError extends TradepostError {
  override name = 'ApiError';
  /** The HTTP status. */
  readonly status: number;
  /** The name of the error, such as `invalid_parameters`; null if the response is not the service’s. */
  readonly code: string | null;
  /** The ID by which the operator can find the request; null if the response has none. */
  readonly requestId: string | null;
  /** How long to wait before a retry, in milliseconds; null if the service did not specify it. */
  readonly retryAfterMs: number | null;

  constructor(
    response: {
      status: number;
      code: string | null;
      message: string;
      requestId: string | null;
      retryAfterMs: number | null;
    },
    sent: Sent,
  ) {
    super(response.message, sent);
    this.status = response.status;
    this.code = response.code;
    this.requestId = response.requestId;
    this.retryAfterMs = response.retryAfterMs;
  }
}

/** There was no complete response: the connection failed, was closed, or timed out. */
export class ConnectionError extends TradepostError {
  override name = 'ConnectionError';
}
