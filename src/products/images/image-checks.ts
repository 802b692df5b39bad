import { setTimeout as pause } from 'node:timers/promises';
import type { Database } from '../../database/database.ts';
import { FairQueue } from '../../shared/fair-queue.ts';
import { inParallel } from '../../shared/in-parallel.ts';
import { Places } from '../../webhooks/places.ts';
import type { ImageOutcome } from './check-image.ts';
import { followImages } from './follow-images.ts';
import {
  addCursor,
  type DueMerchant,
  endTurn,
  type ImageCheckRow,
  listDueChecks,
  listDueMerchants,
  postponeCheck,
  storeOutcome,
} from './queries.ts';
import { recheckAt, retryAt } from './recheck-times.ts';

const POLL_MS = 5_000;
/** Merchants take turns. A turn follows some pages of changed products and checks some images. */
const MERCHANTS_AT_ONCE = 20;
const PAGES_PER_TURN = 5;
const IMAGES_PER_TURN = 50;
/** How long a turn begins further checks. Slow hosts of one merchant do not delay others. */
const TURN_MS = 10_000;
/** At most ten requests a second go to one host, whosever images it has. */
const HOSTS = { maxRunning: 24, perQueue: 2 };
const HOST_PAUSE_MS = 200;

export type DueCheck = Pick<ImageCheckRow, 'url_hash' | 'url' | 'failures'>;

interface CheckServices {
  database: Database;
  now: () => number;
  /** From 0 up to 1. */
  random: () => number;
  check: (url: string) => Promise<ImageOutcome>;
  onChecked: (outcome: 'works' | 'fails' | 'unknown') => void;
  onError: (error: unknown) => void;
  /** Two requests to one host begin in this time. */
  hostPauseMs?: number;
  /** How late a changed image is noticed, if few merchants have any. */
  pollMs?: number | undefined;
}

/**
 * Checks the images of all merchants' products, without test data. One process runs it at a time. A second
 * one would check images twice, and do no other harm.
 */
export class ImageChecks {
  readonly #services: CheckServices;
  readonly #places = new Places({ total: MERCHANTS_AT_ONCE, perMerchant: 1 });
  readonly #hosts = new FairQueue(HOSTS);
  #lookedAt = Number.NEGATIVE_INFINITY;

  constructor(services: CheckServices) {
    this.#services = services;
  }

  /** Begins the turns that are due, and does not wait for them. They end soon after `isStopping`. */
  async beginDue(isStopping: () => boolean): Promise<void> {
    const { database, now, onError, pollMs = POLL_MS } = this.#services;
    if (this.#places.isFull || performance.now() - this.#lookedAt < pollMs) return;
    this.#lookedAt = performance.now();
    // Twice as many, because merchants whose turn goes on are among them.
    const due = await database.all(listDueMerchants, { now: now(), limit: 2 * MERCHANTS_AT_ONCE });
    const candidates = due.map((merchant) => ({ id: String(merchant.merchant_id), ...merchant }));
    for (const merchant of this.#places.choose(candidates)) {
      const work = this.takeTurn(merchant, isStopping)
        .then((isMore) => {
          if (isMore || due.length > MERCHANTS_AT_ONCE) this.#lookedAt = Number.NEGATIVE_INFINITY;
        })
        .catch(onError);
      this.#places.occupy(merchant, work);
    }
  }

  /** Resolves when the turns in progress have ended. */
  async end(): Promise<void> {
    await Promise.all(this.#places.work);
  }

  /** Follows changed products of a merchant, and checks images. Resolves to whether there is more. */
  async takeTurn(merchant: DueMerchant, isStopping: () => boolean): Promise<boolean> {
    try {
      return await this.#followAndCheck(merchant, isStopping);
    } finally {
      // Merchants whose turn fails would otherwise be first again, and others would never have one.
      await this.#endTurn(merchant);
    }
  }

  async #followAndCheck(merchant: DueMerchant, isStopping: () => boolean): Promise<boolean> {
    const { merchant_id: merchantId } = merchant;
    const { database, now } = this.#services;
    let isBehind = merchant.revision < merchant.catalog_revision;
    let place: DueMerchant | undefined = merchant;
    for (let pages = 0; isBehind && pages < PAGES_PER_TURN && !isStopping(); pages += 1) {
      const next = await followImages(this.#services, place);
      if (next === undefined) return false;
      isBehind = !next.isLast;
      place = next;
    }
    const due = await database.all(listDueChecks, { merchantId, now: now(), limit: IMAGES_PER_TURN });
    await this.#checkAll(merchantId, due, isStopping);
    return isBehind || due.length === IMAGES_PER_TURN;
  }

  async #endTurn({ merchant_id }: DueMerchant): Promise<void> {
    const { database, now } = this.#services;
    await database.transaction(
      async (connection) => {
        // There is no cursor yet if the first turn failed.
        connection.send(addCursor, [{ merchant_id, revision: 0, product_id: 0, turn_at: 0 }]);
        connection.send(endTurn, [{ merchantId: merchant_id, now: now() }]);
      },
      { merchantId: merchant_id },
    );
  }

  async #checkAll(merchantId: number, due: readonly DueCheck[], isStopping: () => boolean): Promise<void> {
    const turn = AbortSignal.timeout(TURN_MS);
    const outcomes: { image: DueCheck; outcome: ImageOutcome }[] = [];
    await inParallel(due, async (image) => {
      if (isStopping() || turn.aborted) return;
      const outcome = await this.#checkInTurn(image.url, turn);
      if (outcome !== undefined && !isStopping()) outcomes.push({ image, outcome });
    });
    await this.#store(merchantId, outcomes);
  }

  /** Resolves to undefined if the turn ends before the host has a place. */
  async #checkInTurn(url: string, turn: AbortSignal): Promise<ImageOutcome | undefined> {
    const check = async (): Promise<ImageOutcome> => {
      const { hostPauseMs = HOST_PAUSE_MS } = this.#services;
      const [outcome] = await Promise.all([this.#services.check(url), pause(hostPauseMs)]);
      return outcome;
    };
    try {
      // The ports of a host share its limit.
      return await this.#hosts.run(new URL(url).hostname.replace(/\.$/, ''), check, turn);
    } catch (error) {
      if (turn.aborted) return undefined;
      throw error;
    }
  }

  async #store(
    merchantId: number,
    outcomes: readonly { image: DueCheck; outcome: ImageOutcome }[],
  ): Promise<void> {
    if (outcomes.length === 0) return;
    const { database, now, random, onChecked } = this.#services;
    const at = now();
    const postponed: Pick<ImageCheckRow, 'merchant_id' | 'url_hash' | 'check_at'>[] = [];
    const checked: Omit<ImageCheckRow, 'url'>[] = [];
    for (const { image, outcome } of outcomes) {
      const key = { merchant_id: merchantId, url_hash: image.url_hash };
      if (outcome === 'unknown') {
        postponed.push({ ...key, check_at: retryAt(at, random()) });
        onChecked('unknown');
        continue;
      }
      const { problem } = outcome;
      const failures = problem === null ? 0 : image.failures + 1;
      checked.push({
        ...key,
        check_at: recheckAt(at, failures, random()),
        failures,
        checked_at: at,
        problem,
      });
      onChecked(problem === null ? 'works' : 'fails');
    }
    await database.transaction(
      async (connection) => {
        if (postponed.length > 0) connection.send(postponeCheck, postponed);
        if (checked.length > 0) connection.send(storeOutcome, checked);
      },
      { merchantId },
    );
  }
}
