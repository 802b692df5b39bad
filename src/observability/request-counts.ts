// From what is known by heart to what a client gives up on, in seconds.
const BUCKETS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
const METHODS = new Set(['GET', 'HEAD', 'POST', 'DELETE', 'OPTIONS']);

interface Times {
  /** How many fell in each bucket and in none before it; the last are longer than all. */
  buckets: number[];
  sum: number;
}

interface Kind {
  labels: { route: string; method: string; status: number };
  count: number;
  times: Times;
}

/**
 * What every request is counted in, as prom-client has counters and histograms. By hand, as prom-client
 * looks its labels up anew each time, which costs more than all else that is done to count one.
 */
export class RequestCounts {
  readonly #kinds = new Map<string, Map<number, Kind>>();
  readonly #times = new Map<string, Times>();

  add(route: string, method: string, status: number, seconds: number): void {
    const kind = this.#kindOf(route, METHODS.has(method) ? method : 'other', status);
    kind.count += 1;
    kind.times.sum += seconds;
    let bucket = 0;
    while (seconds > (BUCKETS[bucket] ?? Number.POSITIVE_INFINITY)) bucket += 1;
    kind.times.buckets[bucket] = (kind.times.buckets[bucket] ?? 0) + 1;
  }

  #kindOf(route: string, method: string, status: number): Kind {
    const name = `${method} ${route}`;
    let byStatus = this.#kinds.get(name);
    if (byStatus === undefined) {
      byStatus = new Map();
      this.#kinds.set(name, byStatus);
    }
    let kind = byStatus.get(status);
    if (kind === undefined) {
      kind = { labels: { route, method, status }, count: 0, times: this.#timesOf(route) };
      byStatus.set(status, kind);
    }
    return kind;
  }

  #timesOf(route: string): Times {
    let times = this.#times.get(route);
    if (times === undefined) {
      times = { buckets: Array(BUCKETS.length + 1).fill(0), sum: 0 };
      this.#times.set(route, times);
    }
    return times;
  }

  /** As prom-client's `getMetricsAsJSON` gives them. */
  figures(): object[] {
    const kinds = [...this.#kinds.values()].flatMap((byStatus) => [...byStatus.values()]);
    return [
      {
        name: 'tradepost_requests_total',
        help: 'Requests answered.',
        type: 'counter',
        aggregator: 'sum',
        values: kinds.map(({ labels, count }) => ({ labels, value: count })),
      },
      {
        name: DURATIONS,
        help: 'From a request’s headers to the end of its answer.',
        type: 'histogram',
        aggregator: 'sum',
        values: [...this.#times].flatMap(([route, times]) => histogram(route, times)),
      },
    ];
  }
}

const DURATIONS = 'tradepost_request_duration_seconds';

function histogram(route: string, { buckets, sum }: Times): object[] {
  let count = 0;
  const upTo = buckets.map((value, index) => {
    count += value;
    const le = BUCKETS[index] ?? '+Inf';
    return { metricName: `${DURATIONS}_bucket`, labels: { le, route }, value: count };
  });
  return [
    ...upTo,
    { metricName: `${DURATIONS}_sum`, labels: { route }, value: sum },
    { metricName: `${DURATIONS}_count`, labels: { route }, value: count },
  ];
}
