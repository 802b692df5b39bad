/** A request. `{n}` in its path, headers and body is replaced by a unique number. */
export interface TestRequest {
  /** The name under which its figures are reported. */
  kind: string;
  method: string;
  path: string;
  headers?: Record<string, string>;
  body?: string | Buffer;
}

/** The server that requests go to, and the addresses that they come from. */
export interface Target {
  port: number;
  /** The server's certificate; empty if it serves plain HTTP. */
  ca: string;
  /** Local addresses, which connections take in turn. */
  from: readonly string[];
}

/** The work of one process against a server. */
export type Workload =
  | {
      action: 'request';
      /** Sent in turn. */
      requests: readonly TestRequest[];
      connections: number;
      /** Requests per second, regardless of responses; null to send the next request after each response. */
      rate: number | null;
    }
  | { action: 'read-slowly'; requests: readonly TestRequest[]; connections: number; bytesPerSecond: number }
  | { action: 'connect'; connections: number }
  | { action: 'handshake'; connections: number };

/** Requests of one kind. Times in ms. */
export interface KindResult {
  count: number;
  byStatus: Record<string, number>;
  p50: number;
  p99: number;
  longest: number;
}

/** The result of a workload. */
export interface WorkloadResult {
  kinds: Record<string, KindResult>;
  all: KindResult;
  /** Bytes received. */
  bytes: number;
  /** Requests that were not sent, because no connection was free for two seconds. */
  missed: number;
  /** Connections that closed with a request in progress. */
  lost: number;
  /** Requests still in progress two seconds after the end. */
  pending: number;
  /** The 99th percentile of the delay between due time and sending that the generator caused, in ms. */
  lateMs: number;
  /** The CPU use of the generator, as a share of one core. */
  cpu: number;
}

export type WorkerMessage = { target: Target; work: Workload } | { seconds: number };
