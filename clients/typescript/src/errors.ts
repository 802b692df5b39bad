/** A call that did not succeed. Neither it nor what it holds has the token in it. */
export abstract class TradepostError extends Error {
  /** How many times the request was sent. */
  readonly tries: number;
  /** What the request was sent with, where it creates something: with the same one it may be sent again. */
  readonly idempotencyKey: string | null;

  constructor(message: string, { tries, idempotencyKey }: Sent) {
    super(message);
    this.tries = tries;
    this.idempotencyKey = idempotencyKey;
  }
}

/** What is known of a request that has been sent. */
export interface Sent {
  tries: number;
  idempotencyKey: string | null;
}

/** The service answered with something other than success. `message` is what it said was wrong. */
export class ApiError extends TradepostError {
  override name = 'ApiError';
  /** The HTTP status, which is what programs go by. */
  readonly status: number;
  /** The id under which the operator finds the request; null where the answer has none. */
  readonly requestId: string | null;
  /** How long the service asked to be left alone, in milliseconds; null where it did not say. */
  readonly retryAfterMs: number | null;

  constructor(
    answer: { status: number; message: string; requestId: string | null; retryAfterMs: number | null },
    sent: Sent,
  ) {
    super(answer.message, sent);
    this.status = answer.status;
    this.requestId = answer.requestId;
    this.retryAfterMs = answer.retryAfterMs;
  }
}

/** There was no whole answer: no connection, one that was cut, or a time-out. */
export class ConnectionError extends TradepostError {
  override name = 'ConnectionError';
}
