import { AggregatorRegistry } from 'prom-client';
import type { Figures } from '../observability/metrics.ts';
import type { WorkerProcess } from './worker-process.ts';

/**
 * What workers counted, as each told it last: also of one that is too busy to tell, or gone. Without them a
 * sum would fall, which whoever collects it takes for a start from nothing.
 */
export class WorkerFigures {
  readonly #last = new Map<WorkerProcess, Figures>();
  /** What those that are gone counted, as one. */
  #gone: Promise<Figures> = Promise.resolve([]);

  told(worker: WorkerProcess, figures: Figures): void {
    this.#last.set(worker, figures);
  }

  /** What a worker that has ended told last stays counted; what it had open or in use does not. */
  ended(worker: WorkerProcess): void {
    const figures = this.#last.get(worker) ?? [];
    this.#last.delete(worker);
    const counts = figures.filter((figure) => 'type' in figure && figure.type !== 'gauge');
    this.#gone = this.#gone.then((gone) => AggregatorRegistry.aggregate([gone, counts]).getMetricsAsJSON());
  }

  async all(): Promise<Figures[]> {
    return [await this.#gone, ...this.#last.values()];
  }
}
