import { createHash, X509Certificate } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { FastifyBaseLogger } from 'fastify';
import type { AcmeStore } from '../../acme/acme-store.ts';
import type { Config } from '../../config.ts';
import { messageOf } from '../../shared/error-message.ts';
import { type CertificateFiles, certificateFiles, readTls } from './files.ts';
import { isDueForRenewal, selfSignedCertificate, type TlsMaterial } from './self-signed.ts';

/** The files are polled, because file events are not reliable for links and network disks. */
const POLL_INTERVAL_MS = 2_000;
/** Files that are unchanged for this long are no longer being written. */
const SETTLE_MS = 200;

interface Parts {
  config: Config;
  logger: FastifyBaseLogger;
  now: () => number;
  /** Has the certificate of an authority; null without TLS=acme. */
  stored: Pick<AcmeStore, 'readPair'> | null;
}

/** The files' content, or why it cannot be used. States with the same `identity` are equal. */
type Found = { identity: string; material: TlsMaterial } | { identity: string; reason: string };

/**
 * Every two seconds, checks the certificate and key files, and switches to a new pair once both match. Until
 * then the previous pair stays in use. Renews the self-signed pair before it expires. With TLS=acme, does the
 * same with the pair in the database, and serves the self-signed one before there is one.
 */
export class CertificateReloader {
  readonly #config: Config;
  readonly #logger: FastifyBaseLogger;
  readonly #now: () => number;
  readonly #stored: Parts['stored'];
  readonly #serve: (material: TlsMaterial) => void;
  readonly #timer: NodeJS.Timeout;
  #served: TlsMaterial;
  /** The last state found, used or not. */
  #lastIdentity: string;
  #running: Promise<void> | undefined;

  /** `served` is the pair of the start. `serve` must leave open connections as they are. */
  constructor(
    served: TlsMaterial,
    { config, logger, now, stored }: Parts,
    serve: (material: TlsMaterial) => void,
  ) {
    this.#config = config;
    this.#logger = logger;
    this.#now = now;
    this.#stored = stored;
    this.#serve = serve;
    this.#served = served;
    this.#lastIdentity = identify(served);
    this.#timer = setInterval(() => void this.reload(), POLL_INTERVAL_MS).unref();
  }

  /** Checks the files now. Resolves once a new pair is in use or has been refused. Never throws. */
  reload(): Promise<void> {
    this.#running ??= this.#reloadOnce().finally(() => {
      this.#running = undefined;
    });
    return this.#running;
  }

  async stop(): Promise<void> {
    clearInterval(this.#timer);
    await this.#running;
  }

  async #reloadOnce(): Promise<void> {
    const files = certificateFiles(this.#config);
    if (files === null) return;
    const found = await this.#findSettled(files);
    if (found.identity === this.#lastIdentity) return;
    this.#lastIdentity = found.identity;
    if ('reason' in found) {
      this.#logger.warn({ reason: found.reason }, 'certificate not replaced: the previous one stays in use');
    } else if (found.identity !== identify(this.#served)) {
      this.#serve(found.material);
      this.#served = found.material;
      const { validTo, subjectAltName } = new X509Certificate(found.material.cert);
      this.#logger.info({ validTo, subjectAltName }, 'certificate replaced');
    }
  }

  async #findSettled(files: CertificateFiles): Promise<Found> {
    let found = await this.#find(files);
    while (found.identity !== this.#lastIdentity) {
      await pause(SETTLE_MS);
      const again = await this.#find(files);
      if (again.identity === found.identity) break;
      found = again;
    }
    return found;
  }

  async #find(files: CertificateFiles): Promise<Found> {
    try {
      const stored = (await this.#stored?.readPair()) ?? null;
      if (stored !== null) return { material: stored, identity: identify(stored) };
      if (files.isSelfSigned && isDueForRenewal(this.#served, this.#now())) {
        await selfSignedCertificate(this.#config, this.#now());
      }
      const material = await readTls(files);
      return { material, identity: identify(material) };
    } catch (error) {
      const reason = messageOf(error);
      return { reason, identity: reason };
    }
  }
}

function identify({ cert, key }: TlsMaterial): string {
  return createHash('sha256').update(cert).update(key).digest('hex');
}
