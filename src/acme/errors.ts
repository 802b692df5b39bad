/** Why there is no new certificate. The message is for the operator, and has no secrets. */
export class AcmeError extends Error {
  override name = 'AcmeError';
  /** `unreachable` if the authority did not decide anything. */
  readonly fault: 'unreachable' | 'refused';
  /** How long the authority wants to be left alone; null if it said nothing. */
  readonly retryAfterMs: number | null;

  constructor(
    fault: AcmeError['fault'],
    message: string,
    { retryAfterMs = null, cause }: { retryAfterMs?: number | null; cause?: unknown } = {},
  ) {
    super(message, { cause });
    this.fault = fault;
    this.retryAfterMs = retryAfterMs;
  }
}
