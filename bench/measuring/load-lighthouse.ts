import { execFile } from 'node:child_process';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';

const VERSION = '13.5.0';
const DIRECTORY = join(import.meta.dirname, '../../node_modules/.cache/lighthouse');

/** The part of Lighthouse that the benchmark uses. */
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

/** Loads Lighthouse. Installs it first if needed, because it is larger than all dependencies together. */
export async function loadLighthouse(): Promise<Lighthouse> {
  await mkdir(DIRECTORY, { recursive: true });
  const packages = ['--no-save', '--no-audit', '--no-fund', `lighthouse@${VERSION}`];
  await promisify(execFile)('npm', ['install', '--prefix', DIRECTORY, ...packages]);
  const main = pathToFileURL(join(DIRECTORY, 'node_modules/lighthouse/core/index.js')).href;
  return (await import(main)) as Lighthouse;
}
