export interface CallOptions {
  /** The call then fails with the signal's reason. */
  signal?: AbortSignal;
  /** With a test key: what each try simulates, such as `status=503`, `delay=5` or `drop`. */
  simulate?: string;
}

export interface ChangesOptions extends CallOptions {
  /** How many records to request at a time. Default: 200. */
  per_page?: number;
}

export interface CreateOptions extends CallOptions {
  /** Calls with the same key and parameters write once within 24 hours. Default: a new key for each call. */
  idempotencyKey?: string;
}

export interface ImportOptions extends CreateOptions {
  /** The timeout of one try. Default: 10 minutes. */
  timeoutMs?: number;
}

export interface WriteOptions extends CreateOptions {
  /** The `etagOf` the record that the write is based on. If it has changed since, the call fails with 412. */
  ifMatch?: string;
}
