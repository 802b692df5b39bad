import { AggregatorRegistry } from 'prom-client';
import type { Figures } from '../observability/metrics.ts';
import type { WorkerProcess } from './worker-process.ts';

/**
 * The last figures of all workers, including busy or ended ones: without them, sums would fall, which
 * Prometheus takes for a restart of the counters.
 */
export class WorkerFigures {
  readonly #latest = new Map<WorkerProcess, Figures>();
  #ended: Promise<Figures> = Promise.resolve([]);

  update(worker: WorkerProcess, figures: Figures): void {
    this.#latest.set(worker, figures);
  }

  /** Adds the last counts of an ended worker to the sums, without gauges, such as open connections. */
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
