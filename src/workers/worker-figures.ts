import { AggregatorRegistry } from 'prom-client';
import type { Figures } from '../observability/metrics.ts';
import type { WorkerProcess } from './worker-process.ts';

/**
 * What workers counted, as each told it last: also of one that is too busy to tell, or gone. Without them a
 * sum would fall, which whoever collects it takes for a start from nothing.
 */
export class WorkerFigures {
  readonly #last = new Map<WorkerProcess, Figures>();
  /** Of those that are gone, what only ever grows. */
  #gone: Figures[] = [];

  told(worker: WorkerProcess, figures: Figures): void {
    this.#last.set(worker, figures);
  }

  /** What a worker that has ended told last stays counted; what it had open or in use does not. */
  ended(worker: WorkerProcess): void {
    const figures = this.#last.get(worker) ?? [];
    this.#last.delete(worker);
    this.#gone.push(figures.filter((figure) => 'type' in figure && figure.type !== 'gauge'));
  }

  async all(): Promise<Figures[]> {
    // However many have ended, they are kept as one.
    if (this.#gone.length > 1) {
      const gone = this.#gone.splice(0);
      this.#gone.push(await AggregatorRegistry.aggregate(gone).getMetricsAsJSON());
    }
    return [...this.#last.values(), ...this.#gone];
  }
}
