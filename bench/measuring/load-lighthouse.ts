import { importOnDemand } from './import-on-demand.ts';

const VERSION = '13.5.0';

export interface Lighthouse {
  default(
    url: string,
    flags: { port: number; disableStorageReset: boolean; onlyCategories: string[]; logLevel: 'error' },
    config: unknown,
  ): Promise<{ lhr: LighthouseResult } | undefined>;
  desktopConfig: unknown;
}

interface LighthouseResult {
  categories: Record<string, { id: string; score: number | null }>;
  audits: Record<string, { numericValue?: number }>;
  environment: { benchmarkIndex: number };
}

/** Installs it first if needed: it is larger than all dependencies together. */
export async function loadLighthouse(): Promise<Lighthouse> {
  const packages = [`lighthouse@${VERSION}`];
  return (await importOnDemand({
    folder: 'lighthouse',
    packages,
    file: 'lighthouse/core/index.js',
  })) as Lighthouse;
}
