import { DatabaseUnavailable } from '../database/database.ts';
import { messageOf } from '../shared/error-message.ts';
import type { AcmeSettings } from './acme-settings.ts';
import type { AcmeState, AcmeStore } from './acme-store.ts';
import { AcmeError } from './errors.ts';
import { obtainCertificate } from './obtain-certificate.ts';
import type { AcmeFailureRow } from './queries.ts';
import { renewalTime, retryDelay } from './renewal-times.ts';

interface Parts {
  settings: AcmeSettings;
  store: AcmeStore;
  /** Milliseconds since 1970. */
  now: () => number;
  /** From 0 to 1. */
  random: () => number;
  onObtained(certificate: { hosts: readonly string[]; validTo: number; renewAt: number }): void;
  onFailed(failure: AcmeFailureRow): void;
}

/** How often the database is asked whether something is due. */
const LOOK_EVERY_MS = 2_000;
/** After the database was lost in an order, so that the authority does not get one order after another. */
const AFTER_LOSS_MS = 60_000;

/** Gets the first certificate and renews it. To be called by one process of all that share the database. */
export class CertificateRenewal {
  readonly #parts: Parts;
  #nextLook = Number.NEGATIVE_INFINITY;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /**
   * Does nothing if no certificate is due. A failure is stored, and the next call waits longer each time.
   * @throws {DatabaseUnavailable}
   */
  async renewIfDue(signal: AbortSignal): Promise<void> {
    const { store } = this.#parts;
    if (performance.now() < this.#nextLook) return;
    this.#nextLook = performance.now() + LOOK_EVERY_MS;
    const state = await store.readState();
    if (!this.#isDue(state)) return;
    try {
      await this.#renew(signal);
    } catch (error) {
      if (signal.aborted) return;
      if (error instanceof DatabaseUnavailable) {
        this.#nextLook = performance.now() + AFTER_LOSS_MS;
        throw error;
      }
      await this.#fail(error, state);
    }
  }

  #isDue({ certificate, failure }: AcmeState): boolean {
    const at = this.#parts.now();
    const isWanted = certificate !== null && this.#isOfSettings(certificate);
    if (isWanted && at < certificate.renew_at) return false;
    return failure === null || !this.#isOfSettings(failure) || at >= failure.retry_at;
  }

  #isOfSettings(row: { directory: string; hosts: string }): boolean {
    const { directory, hosts } = this.#order;
    return row.directory === directory && row.hosts === hosts;
  }

  get #order(): { directory: string; hosts: string } {
    const { directory, hosts } = this.#parts.settings;
    return { directory, hosts: hosts.join(',') };
  }

  async #renew(signal: AbortSignal): Promise<void> {
    const { settings, store, now, random, onObtained } = this.#parts;
    const issued = await obtainCertificate({ settings, store, now, signal });
    const { certificate, privateKey, validFrom, validTo } = issued;
    const renewAt = renewalTime(issued, random());
    await store.storeCertificate({
      ...this.#order,
      certificate,
      private_key: privateKey,
      valid_from: validFrom,
      valid_to: validTo,
      renew_at: renewAt,
    });
    onObtained({ hosts: settings.hosts, validTo, renewAt });
  }

  async #fail(error: unknown, { failure: former }: AcmeState): Promise<void> {
    const { store, now, random, onFailed } = this.#parts;
    const { fault, retryAfterMs } =
      error instanceof AcmeError ? error : { fault: 'refused' as const, retryAfterMs: null };
    const failures = former !== null && this.#isOfSettings(former) ? former.failures + 1 : 1;
    const failure = {
      ...this.#order,
      failed_at: now(),
      failures,
      reason: messageOf(error),
      retry_at: now() + retryDelay({ fault, retryAfterMs }, failures, random()),
    };
    await store.storeFailure(failure);
    onFailed(failure);
  }
}
