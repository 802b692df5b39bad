/** `{n}` in its path, headers and body is replaced by a unique number. */
export interface TestRequest {
  /** Figures are reported under this name. */
  kind: string;
  method: string;
  path: string;
  headers?: Record<string, string>;
  body?: string | Buffer;
}

export interface Target {
  port: number;
  /** Empty for plain HTTP. */
  ca: string;
  /** Local addresses, which connections take in turn. */
  from: readonly string[];
}

export type Workload =
  | {
      action: 'request';
      requests: readonly TestRequest[];
      connections: number;
      /** Per second, regardless of responses; null to send the next request after each response. */
      rate: number | null;
    }
  | { action: 'read-slowly'; requests: readonly TestRequest[]; connections: number; bytesPerSecond: number }
  | { action: 'connect'; connections: number }
  | { action: 'handshake'; connections: number };

/** Times in ms. */
export interface KindResult {
  count: number;
  byStatus: Record<string, number>;
  p50: number;
  p99: number;
  longest: number;
}

export interface WorkloadResult {
  kinds: Record<string, KindResult>;
  all: KindResult;
  bytes: number;
  /** Not sent, because no connection was free for two seconds. */
  missed: number;
  /** Connections that closed with a request in progress. */
  lost: number;
  /** Requests in progress two seconds after the end. */
  pending: number;
  /** The 99th percentile of the delay before sending that the generator caused, in ms. */
  lateMs: number;
  /** The generator's, as a share of one core. */
  cpu: number;
}

export type WorkerMessage = { target: Target; work: Workload } | { seconds: number };
