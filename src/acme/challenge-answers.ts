import type { AcmeStore } from './acme-store.ts';
import { createChallengeCertificate, type KeyAndCertificate } from './challenge-certificate.ts';

/** How old the list of challenges can be. The authority is told about a challenge later than that. */
export const KEPT_MS = 1_000;

/** Answers an authority's check of a host (TLS-ALPN-01) in every process: the database has the challenges. */
export class ChallengeAnswers {
  readonly #store: Pick<AcmeStore, 'readChallenges'>;
  readonly #now: () => number;
  #digests: { read: Promise<ReadonlyMap<string, string>>; until: number } | undefined;
  /** By digest. */
  #certificates = new Map<string, Promise<KeyAndCertificate>>();

  constructor(store: Pick<AcmeStore, 'readChallenges'>, now: () => number) {
    this.#store = store;
    this.#now = now;
  }

  /** Resolves to the certificate that answers; null if the authority does not check this host now. */
  async answerFor(host: string): Promise<KeyAndCertificate | null> {
    const name = host.toLowerCase();
    const digest = (await this.#readDigests()).get(name);
    if (digest === undefined) return null;
    // Created once, because clients can open any number of such connections.
    const certificate =
      this.#certificates.get(digest) ?? createChallengeCertificate(name, digest, this.#now());
    this.#certificates.set(digest, certificate);
    return await certificate;
  }

  async #readDigests(): Promise<ReadonlyMap<string, string>> {
    if (this.#digests === undefined || performance.now() >= this.#digests.until)
      this.#digests = { read: this.#read(), until: performance.now() + KEPT_MS };
    return await this.#digests.read;
  }

  async #read(): Promise<ReadonlyMap<string, string>> {
    const challenges = await this.#store.readChallenges();
    const digests = new Set(challenges.map(({ digest }) => digest));
    for (const digest of this.#certificates.keys())
      if (!digests.has(digest)) this.#certificates.delete(digest);
    return new Map(challenges.map(({ host, digest }) => [host, digest]));
  }
}
