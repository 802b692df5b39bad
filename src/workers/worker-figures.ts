import { AggregatorRegistry } from 'prom-client';
import type { Figures } from '../observability/metrics.ts';
import type { WorkerProcess } from './worker-process.ts';

/**
 * The last known figures of all workers, including ones that are too busy to respond or have ended. Without those, sums
 * would fall, which Prometheus takes for a restart of the counters.
 */
export class WorkerFigures {
  readonly #latest = new Map<WorkerProcess, Figures>();
  /** The sums of workers that have ended. */
  #ended: Promise<Figures> = Promise.resolve([]);

  /** Stores the latest figures of a worker. */
  update(worker: WorkerProcess, figures: Figures): void {
    this.#latest.set(worker, figures);
  }

  /** Adds the last counts of a worker that has ended to the sums. Its gauges, such as open connections, are dropped. */
  end(worker: WorkerProcess): void {
    const figures = this.#latest.get(worker) ?? [];
    this.#latest.delete(worker);
    const counts = figures.filter((figure) => 'type' in figure && figure.type !== 'gauge');
    this.#ended = this.#ended.then((ended) =>
      AggregatorRegistry.aggregate([ended, counts]).getMetricsAsJSON(),
    );
  }

  async all(): Promise<Figures[]> {
    return [await this.#ended, ...this.#latest.values()];
  }
}
