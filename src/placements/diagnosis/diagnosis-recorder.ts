import { type Connection, type Database, DatabaseUnavailable } from '../../database/database.ts';
import { isSplitting } from '../../database/is-splitting.ts';
import { DelayedWrites } from '../../shared/delayed-writes.ts';
import type { Decision } from '../decide/decide.ts';
import { outcomesOf, scoreToBeat, winnersOf } from './outcomes-of.ts';
import { addToDemand, addToOutcomes, type DemandRow, type OutcomeRow, type RequestKind } from './queries.ts';
import { roundDown } from './rounding.ts';
import { unionOf } from './winners.ts';

const HOUR_MS = 60 * 60 * 1000;
const WRITE_AFTER_MS = 5_000;
const WRITE_AGAIN_MS = 10_000;
/** Different counts in memory, about 10 MB. Further ones are dropped until the next write. */
const MAX_COUNTS = 50_000;
/** Of each process, in an hour. Requests of further kinds count as less specific ones. */
const MAX_KINDS = 300;
/** The same for least prices: further ones are rounded down. */
const MAX_FLOORS = 50;

interface DecidedRequest {
  currency: string;
  /** Null for any. */
  type: string | null;
  /** Up to two levels; none for any. */
  category: readonly string[];
  /** In units. */
  floor: number;
  /** Whether the request names the products that compete. */
  isListed: boolean;
}

/**
 * Counts what became of requests, for `diagnose`. Only what a decision looked at is touched, so the number of
 * competing products makes no difference. Counts are written seconds later: a crash may lose the last ones.
 */
export class DiagnosisRecorder {
  readonly #database: Database;
  readonly #onError: (error: unknown) => void;
  #demand = new Map<string, DemandRow>();
  /** By merchant, then by what is counted. */
  #outcomes = new Map<number, Map<string, OutcomeRow>>();
  #counts = 0;
  #dropped = 0;
  /** The hour of the kinds and of the floors. */
  #hour = 0;
  readonly #kinds = new Set<string>();
  readonly #floors = new Set<number>();
  readonly #writes = new DelayedWrites(() => this.#takeAll());

  constructor(database: Database, onError: (error: unknown) => void) {
    this.#database = database;
    this.#onError = onError;
  }

  /** Outcomes that were not counted, since the start. */
  get dropped(): number {
    return this.#dropped;
  }

  /** Counts a decision that is final, at a time in milliseconds since 1970. */
  record(request: DecidedRequest, decision: Decision, now: number): void {
    const hour = Math.floor(now / HOUR_MS) * HOUR_MS;
    if (this.#hour !== hour) {
      this.#hour = hour;
      this.#kinds.clear();
      this.#floors.clear();
    }
    const { isListed } = request;
    const floor = this.#floorOf(request.floor);
    const winners = winnersOf(decision);
    if (!isListed) {
      const score = scoreToBeat(decision);
      this.#addDemand({ ...this.#kindOf(request), hour, floor, score, requests: 1, winners });
    }
    for (const each of outcomesOf(decision, { isListed, floor })) {
      const { merchantId, campaignId, productId, outcome, value } = each;
      const row = { merchant_id: merchantId, hour, campaign_id: campaignId, product_id: productId };
      this.#addOutcome({ ...row, outcome, value, requests: 1, winners });
    }
    this.#writes.planIn(WRITE_AFTER_MS);
  }

  flush(): Promise<void> {
    return this.#writes.flush();
  }

  /** Returns the most specific kind of a request that there is room for. */
  #kindOf({ currency, type, category: [category_1 = '', category_2 = ''] }: DecidedRequest): RequestKind {
    const any = { currency, type: '', category_1: '', category_2: '' };
    const kinds: RequestKind[] = [
      { currency, type: type ?? '', category_1, category_2 },
      { ...any, category_1 },
    ];
    for (const [at, kind] of kinds.entries()) {
      const name = Object.values(kind).join('\n');
      if (!this.#kinds.has(name) && this.#kinds.size >= MAX_KINDS * (at + 1)) continue;
      this.#kinds.add(name);
      return kind;
    }
    return any;
  }

  #floorOf(floor: number): number {
    if (!this.#floors.has(floor) && this.#floors.size >= MAX_FLOORS) return roundDown(floor);
    this.#floors.add(floor);
    return floor;
  }

  #addDemand(row: DemandRow): void {
    const { hour, currency, type, category_1, category_2, floor, score } = row;
    const name = [hour, currency, type, category_1, category_2, floor, score].join('\n');
    this.#add(this.#demand, name, row);
  }

  #addOutcome(row: OutcomeRow): void {
    const { merchant_id, hour, campaign_id, product_id, outcome, value } = row;
    const rows = this.#outcomes.get(merchant_id) ?? new Map<string, OutcomeRow>();
    this.#outcomes.set(merchant_id, rows);
    this.#add(rows, [hour, campaign_id, product_id, outcome, value].join('\n'), row);
  }

  #add<Row extends { requests: number; winners: number }>(
    rows: Map<string, Row>,
    name: string,
    row: Row,
  ): void {
    const found = rows.get(name);
    if (found !== undefined) {
      found.requests += row.requests;
      found.winners = unionOf(found.winners, row.winners);
    } else if (this.#counts >= MAX_COUNTS) this.#dropped += row.requests;
    else {
      rows.set(name, row);
      this.#counts += 1;
    }
  }

  async #takeAll(): Promise<(() => Promise<void>)[]> {
    if (this.#counts === 0) return [];
    if (await this.#mustWait()) {
      this.#writes.planIn(WRITE_AGAIN_MS);
      return [];
    }
    const [demand, outcomes] = [this.#demand, this.#outcomes];
    this.#demand = new Map();
    this.#outcomes = new Map();
    this.#counts = 0;
    return [
      () => this.#write(addToDemandOf, demand, (row) => this.#addDemand(row)),
      ...[...outcomes].map(
        ([merchantId, rows]) =>
          () =>
            this.#write(addToOutcomesOf, rows, (row) => this.#addOutcome(row), merchantId),
      ),
    ];
  }

  async #mustWait(): Promise<boolean> {
    try {
      return await isSplitting(this.#database);
    } catch (error) {
      this.#onError(error);
      return true;
    }
  }

  /** A write that would fail again is given up: its rows would fill the memory. */
  async #write<Row extends { requests: number }>(
    run: (connection: Connection, rows: Row[]) => Promise<unknown>,
    rows: Map<string, Row>,
    addAgain: (row: Row) => void,
    merchantId?: number,
  ): Promise<void> {
    if (rows.size === 0) return;
    // Every process writes in this order, which prevents deadlocks.
    const inOrder = [...rows].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, row]) => row);
    try {
      await this.#database.transaction((connection) => run(connection, inOrder), {
        ...(merchantId !== undefined && { merchantId }),
      });
    } catch (error) {
      this.#onError(error);
      if (error instanceof DatabaseUnavailable) {
        for (const row of inOrder) addAgain(row);
        this.#writes.planIn(WRITE_AGAIN_MS);
      } else for (const { requests } of inOrder) this.#dropped += requests;
    }
  }
}

function addToDemandOf(connection: Connection, rows: DemandRow[]): Promise<number> {
  return connection.runEach(addToDemand, rows);
}

function addToOutcomesOf(connection: Connection, rows: OutcomeRow[]): Promise<number> {
  return connection.runEach(addToOutcomes, rows);
}
