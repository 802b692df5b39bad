/** One request. `{n}` in its path, headers and body is replaced by a number that no other request has. */
export interface Ask {
  /** Under which name its figures are reported. */
  kind: string;
  method: string;
  path: string;
  headers?: Record<string, string>;
  body?: string | Buffer;
}

/** Where requests go and where they come from. */
export interface Target {
  port: number;
  /** The server's certificate; empty where it serves plain HTTP. */
  ca: string;
  /** Local addresses, which connections take in turn. */
  from: readonly string[];
}

/** What one process does to a server. */
export type Work =
  | {
      does: 'ask';
      /** In turn. */
      asks: readonly Ask[];
      connections: number;
      /** Requests per second, whether or not those before were answered; null: the next one after each answer. */
      rate: number | null;
    }
  | { does: 'read slowly'; asks: readonly Ask[]; connections: number; bytesPerSecond: number }
  | { does: 'connect'; connections: number }
  | { does: 'greet'; connections: number };

/** Requests of one kind. Times in ms. */
export interface KindOutcome {
  count: number;
  byStatus: Record<string, number>;
  p50: number;
  p99: number;
  longest: number;
}

/** What came of the work. */
export interface Outcome {
  kinds: Record<string, KindOutcome>;
  all: KindOutcome;
  /** Bytes that came back. */
  bytes: number;
  /** Requests that were due, and found no free connection for two seconds. */
  missed: number;
  /** Connections that closed with a request under way. */
  broken: number;
  /** Requests under way at the end, and for two seconds after it. */
  unanswered: number;
  /** By how much later than due a request was sent, through the generator's own fault: the 99th percentile in ms. */
  lateMs: number;
  /** The share of one core that the generator took. */
  cpu: number;
}

export type Order = { target: Target; work: Work } | { seconds: number };
