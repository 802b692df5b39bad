/** A failed call of a merchant, as the console shows it. */
export interface FailedRequest {
  id: string;
  /** RFC 3339. */
  at: string;
  /** The key's id, such as `12-3`, or `12-t3` for a test key. */
  key: string;
  /** The client's `X-ERP-Name`, or else its `User-Agent`. */
  client: string | null;
  method: string;
  /** The path of the endpoint; for a path that no endpoint has, its beginning. */
  path: string;
  /** The names of its parameters, without the token. */
  parameters: string[];
  status: number;
  /** The name of the error in docs/reference/errors.md; null if it has none, or if the client closed the connection. */
  error: string | null;
  message: string;
  request_id: string;
}

/** What failed calls have to have in common. */
export interface FailureFilter {
  status?: number | undefined;
  /** A key's id. */
  key?: string | undefined;
  /** A path as calls have it. */
  path?: string | undefined;
  request_id?: string | undefined;
}

/** A page of failed calls, newest first. */
export interface FailedRequestList {
  requests: FailedRequest[];
  /** The value of `before` for the next page; null on the last page. */
  next: string | null;
  /** The values that a filter can have, from all logged calls. */
  statuses: number[];
  keys: string[];
  paths: string[];
}

/** A key whose calls are refused. */
export interface RefusedKey {
  id: string;
  name: string;
  /** `valid`: the calls had a token that a rotation has replaced, or the merchant was suspended. */
  reason: 'revoked' | 'expired' | 'valid';
  /** When it was revoked or expired, RFC 3339; null for other reasons. */
  since: string | null;
  /** The number of refused calls, of the last 30 days. */
  requests: number;
}

/** The number of calls, and how many of them failed. */
export interface Usage {
  requests: number;
  failed: number;
}

/** A merchant's calls by hour, endpoint, key and status. A missing scope counts as 403, also where it was sent as 401. */
export interface UsageReport {
  /** Every hour since the report begins, also those without calls. `at` is its beginning, RFC 3339. */
  hours: (Usage & { at: string })[];
  /** Most calls first. */
  endpoints: (Usage & { endpoint: string })[];
  keys: (Usage & { id: string; name: string })[];
  statuses: { status: number; requests: number }[];
}
