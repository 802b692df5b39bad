export interface FailedRequest {
  id: string;
  /** RFC 3339. */
  at: string;
  /** Such as `12-3`, or `12-t3` for a test key. */
  key: string;
  /** `X-ERP-Name`, or else `User-Agent`. */
  client: string | null;
  method: string;
  /** The endpoint's path; the beginning of a path that no endpoint has. */
  path: string;
  /** Without the token. */
  parameters: string[];
  status: number;
  /** As in docs/reference/errors.md; null if it has no name there, or if the client closed the connection. */
  error: string | null;
  message: string;
  request_id: string;
}

export interface FailureFilter {
  status?: number | undefined;
  key?: string | undefined;
  method?: string | undefined;
  path?: string | undefined;
  error?: string | undefined;
  request_id?: string | undefined;
}

/** Newest first. */
export interface FailedRequestList {
  requests: FailedRequest[];
  /** The next page's `before`; null on the last page. */
  next: string | null;
  /** The values that a filter can have, from all logged calls. */
  statuses: number[];
  keys: string[];
  paths: string[];
}

export interface RefusedKey {
  id: string;
  name: string;
  /** `valid`: the calls had a token that a rotation has replaced, or the merchant was suspended. */
  reason: 'revoked' | 'expired' | 'valid';
  /** RFC 3339; null if the reason is `valid`. */
  since: string | null;
  /** Refused calls of the last 30 days. */
  requests: number;
}

export interface Usage {
  requests: number;
  failed: number;
}

/** A missing scope counts as 403, also where it was sent as 401. */
export interface UsageReport {
  /** Also hours without calls. `at` is the hour's beginning, RFC 3339. */
  hours: (Usage & { at: string })[];
  /** Most calls first. */
  endpoints: (Usage & { endpoint: string })[];
  keys: (Usage & { id: string; name: string })[];
  statuses: { status: number; requests: number }[];
}
