/** Options of every call. */
export interface CallOptions {
  /** Aborts the call, which then fails with the signal's reason. */
  signal?: AbortSignal;
  /** With a test key: what the service simulates in each try, such as `status=503`, `delay=5` or `drop`. */
  simulate?: string;
}

/** Options of calls that write. */
export interface CreateOptions extends CallOptions {
  /**
   * Calls with the same key and parameters write once within 24 hours. Default: a new key for each call, which its
   * retries reuse.
   */
  idempotencyKey?: string;
}

/** Options of `importFile`. */
export interface ImportOptions extends CreateOptions {
  /** The timeout of one try, in milliseconds. Default: 10 minutes. */
  timeoutMs?: number;
}

/** Options of calls that write a product or a variation. */
export interface WriteOptions extends CreateOptions {
  /** The `etagOf` the record that the write is based on. If the record has changed since, the call fails with 412. */
  ifMatch?: string;
}
