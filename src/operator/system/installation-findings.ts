import type { Config } from '../../config.ts';
import type { Database } from '../../database/database.ts';
import { examineRunning } from '../../doctor/examine-running.ts';
import type { Finding } from '../../doctor/finding.ts';

const KEPT_MS = 60_000;

/** What `doctor` finds about this process's machine, looked at once a minute at most. */
export class InstallationFindings {
  readonly #services: { config: Config; database: Database; now: () => number };
  #kept: { findings: Promise<Finding[]>; until: number } | undefined;

  constructor(services: { config: Config; database: Database; now: () => number }) {
    this.#services = services;
  }

  /** Resolves to warnings and problems. */
  read(): Promise<Finding[]> {
    const { config, now } = this.#services;
    if (this.#kept === undefined || now() >= this.#kept.until)
      this.#kept = { findings: examineRunning(config, this.#services), until: now() + KEPT_MS };
    return this.#kept.findings;
  }
}
