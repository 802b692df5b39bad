import { createHash, X509Certificate } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { FastifyBaseLogger } from 'fastify';
import type { Config } from '../../config.ts';
import type { TlsMaterial } from '../connections/server.ts';
import { type CertificateFiles, certificateFiles, readTls, reasonOf } from './files.ts';
import { isDueForRenewal, selfSignedCertificate } from './self-signed.ts';

/** How often the files are read: behind links and on network disks, nothing else tells that they changed. */
const POLL_INTERVAL_MS = 2_000;
/** Files that are the same after so long are not just being written. */
const SETTLE_MS = 200;

/** What the files hold, or why it cannot be served; `identity` tells one such state from another. */
type Found = { identity: string; material: TlsMaterial } | { identity: string; reason: string };

/**
 * Looks at the certificate and key files every two seconds, and has what is new there served once both
 * belong together; until then the pair before stays, and the log says why. The self-signed pair is made
 * anew before it expires.
 */
export class CertificateReloader {
  readonly #config: Config;
  readonly #logger: FastifyBaseLogger;
  readonly #now: () => number;
  readonly #serve: (material: TlsMaterial) => void;
  readonly #timer: NodeJS.Timeout;
  #served: TlsMaterial;
  /** What was last found, served or refused. */
  #seen: string;
  #looking: Promise<void> | undefined;

  /** `served` is what the service began with; `serve` is to leave connections that are open as they are. */
  constructor(
    served: TlsMaterial,
    { config, logger, now }: { config: Config; logger: FastifyBaseLogger; now: () => number },
    serve: (material: TlsMaterial) => void,
  ) {
    this.#config = config;
    this.#logger = logger;
    this.#now = now;
    this.#serve = serve;
    this.#served = served;
    this.#seen = identify(served);
    this.#timer = setInterval(() => void this.reload(), POLL_INTERVAL_MS).unref();
  }

  /** Looks now; resolves once what is there is served or refused. Never rejects. */
  reload(): Promise<void> {
    this.#looking ??= this.#reloadOnce().finally(() => {
      this.#looking = undefined;
    });
    return this.#looking;
  }

  async stop(): Promise<void> {
    clearInterval(this.#timer);
    await this.#looking;
  }

  async #reloadOnce(): Promise<void> {
    const files = certificateFiles(this.#config);
    if (files === null) return;
    const found = await this.#findSettled(files);
    if (found.identity === this.#seen) return;
    this.#seen = found.identity;
    if ('reason' in found) {
      this.#logger.warn({ reason: found.reason }, 'certificate not replaced: the one before stays');
    } else if (found.identity !== identify(this.#served)) {
      this.#serve(found.material);
      this.#served = found.material;
      const { validTo, subjectAltName } = new X509Certificate(found.material.cert);
      this.#logger.info({ validTo, subjectAltName }, 'certificate replaced');
    }
  }

  async #findSettled(files: CertificateFiles): Promise<Found> {
    let found = await this.#find(files);
    while (found.identity !== this.#seen) {
      await pause(SETTLE_MS);
      const again = await this.#find(files);
      if (again.identity === found.identity) break;
      found = again;
    }
    return found;
  }

  async #find(files: CertificateFiles): Promise<Found> {
    try {
      if (files.isSelfSigned && isDueForRenewal(this.#served, this.#now())) {
        await selfSignedCertificate(this.#config, this.#now());
      }
      const material = await readTls(files);
      return { material, identity: identify(material) };
    } catch (error) {
      const reason = reasonOf(error);
      return { reason, identity: reason };
    }
  }
}

function identify({ cert, key }: TlsMaterial): string {
  return createHash('sha256').update(cert).update(key).digest('hex');
}
