// In seconds, from cached responses to the timeouts of clients.
const BUCKETS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
const METHODS = new Set(['GET', 'HEAD', 'POST', 'DELETE', 'OPTIONS']);

/** The durations of a route's requests. */
interface Durations {
  /** The number of requests in each bucket, not cumulative. The last element counts requests above all buckets. */
  buckets: number[];
  sum: number;
}

/** The requests with the same labels. */
interface Series {
  labels: { route: string; method: string; status: number };
  count: number;
  durations: Durations;
}

/**
 * A counter and a histogram of all requests, in prom-client's format. prom-client's own classes look up labels each time,
 * which takes longer than everything else in counting a request.
 */
export class RequestCounts {
  readonly #series = new Map<string, Map<number, Series>>();
  readonly #durations = new Map<string, Durations>();

  /** Counts a request. */
  add(route: string, method: string, status: number, seconds: number): void {
    const series = this.#seriesOf(route, METHODS.has(method) ? method : 'other', status);
    series.count += 1;
    series.durations.sum += seconds;
    let bucket = 0;
    while (seconds > (BUCKETS[bucket] ?? Number.POSITIVE_INFINITY)) bucket += 1;
    series.durations.buckets[bucket] = (series.durations.buckets[bucket] ?? 0) + 1;
  }

  #seriesOf(route: string, method: string, status: number): Series {
    const name = `${method} ${route}`;
    let byStatus = this.#series.get(name);
    if (byStatus === undefined) {
      byStatus = new Map();
      this.#series.set(name, byStatus);
    }
    let series = byStatus.get(status);
    if (series === undefined) {
      series = { labels: { route, method, status }, count: 0, durations: this.#durationsOf(route) };
      byStatus.set(status, series);
    }
    return series;
  }

  #durationsOf(route: string): Durations {
    let durations = this.#durations.get(route);
    if (durations === undefined) {
      durations = { buckets: Array(BUCKETS.length + 1).fill(0), sum: 0 };
      this.#durations.set(route, durations);
    }
    return durations;
  }

  /** Returns the metrics in the format of prom-client's `getMetricsAsJSON`. */
  figures(): object[] {
    const all = [...this.#series.values()].flatMap((byStatus) => [...byStatus.values()]);
    return [
      {
        name: 'tradepost_requests_total',
        help: 'Requests by route, method and status.',
        type: 'counter',
        aggregator: 'sum',
        values: all.map(({ labels, count }) => ({ labels, value: count })),
      },
      {
        name: DURATIONS,
        help: 'Time from a request’s headers to the end of its response.',
        type: 'histogram',
        aggregator: 'sum',
        values: [...this.#durations].flatMap(([route, durations]) => histogram(route, durations)),
      },
    ];
  }
}

const DURATIONS = 'tradepost_request_duration_seconds';

function histogram(route: string, { buckets, sum }: Durations): object[] {
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
