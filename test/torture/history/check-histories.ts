import assert, { AssertionError } from 'node:assert/strict';
import { hash } from 'node:crypto';
import type { Campaign } from '../../../src/campaigns/campaign.ts';
import { amountNames } from '../../../src/campaigns/campaign.ts';
import type { ChangedCampaignValue } from '../../../src/campaigns/list-history.ts';
import type { ChangedOrderValue } from '../../../src/orders/history/list-history.ts';
import type { OrderRecord } from '../../../src/orders/record/order-record.ts';
import type { ListedChange } from '../../../src/products/history/listed-changes.ts';
import type { ChangedValue } from '../../../src/products/history/shown-changes.ts';
import type { Product } from '../../../src/products/record/product.ts';
import { ModelHistory, stateOf } from '../../orders/history-model.ts';
import type { CallLog, LoggedCall } from './call-log.ts';
import { type Change, fold, type State, stateOfFields, stateOfProduct, textOf } from './fold.ts';
import { type Reading, readHistory, readRecords } from './read-records.ts';

/** The calls that respond with the record that they have changed. */
const answering = {
  products: /^\/v1\/products(\/(update|enable|disable|delete))?$/,
  campaigns: /^\/v1\/campaigns(\/(update|pause|end))?$/,
  orders: /^\/v1\/orders\/(acknowledge|annotate|fulfill|unfulfill|refund|cancel)$/,
};
/** The calls that change one record. */
const single = {
  products: /^\/v1\/(products|variations)(\/(?!batch)\w+)?$/,
  campaigns: /^\/v1\/campaigns(\/\w+)?$/,
  orders: /^\/v1\/orders\/(?!batch)\w+$/,
};
type RecordType = keyof typeof single;
const campaignFields = ['name', 'type', 'status', ...amountNames] as const;

/** What is wrong with the histories of a shop. */
export interface Findings {
  entries: number;
  /** Acknowledged records that were found in the histories. */
  acknowledged: number;
  /** Records whose history does not lead from the present to their creation. */
  broken: string[];
  /** Acknowledged states that no history has. */
  lost: string[];
  /** Entries without a call, an import or a command, and second entries of a call. */
  unaccounted: string[];
}

export function noFindings(): Findings {
  return { entries: 0, acknowledged: 0, broken: [], lost: [], unaccounted: [] };
}

/** Compares the histories of a shop’s records with the records, and with the calls that changed them. */
export class HistoryCheck {
  readonly #reading: Reading;
  readonly #log: CallLog;
  readonly #findings: Findings;
  /** How many entries each call has in histories of each type. */
  readonly #counts = new Map<RecordType, Map<string, number>>();

  constructor(reading: Reading, log: CallLog, findings: Findings) {
    this.#reading = reading;
    this.#log = log;
    this.#findings = findings;
  }

  /** Checks the products of responses, and the others that `isChosen` chooses. */
  async products(isChosen: () => boolean = () => true): Promise<void> {
    const acknowledged = this.#acknowledged<Product>('products', ({ identifier }) => identifier);
    for (const product of await readRecords<Product>(this.#reading, {
      type: 'products',
      key: 'internal_id',
    })) {
      const { identifier } = product;
      if (!acknowledged.has(identifier) && !isChosen()) continue;
      const entries = await this.#entries<ChangedValue>('products', { identifier });
      const expected = acknowledged.get(identifier) ?? [];
      this.#fold(`product ${identifier}`, stateOfProduct(product), entries, {
        expected,
        stateOf: (record) => stateOfProduct(record as Product),
      });
    }
  }

  async campaigns(): Promise<void> {
    const acknowledged = this.#acknowledged<Campaign>('campaigns', ({ internal_id }) => internal_id);
    const stateOfCampaign = (record: object): State => stateOfFields({ ...record }, campaignFields);
    for (const campaign of await readRecords<Campaign>(this.#reading, {
      type: 'campaigns',
      key: 'internal_id',
    })) {
      const { internal_id } = campaign;
      const entries = await this.#entries<ChangedCampaignValue>('campaigns', { internal_id });
      const expected = acknowledged.get(internal_id) ?? [];
      this.#fold(`campaign ${internal_id}`, stateOfCampaign(campaign), entries, {
        expected,
        stateOf: stateOfCampaign,
      });
    }
  }

  /** `fees` are what buyers paid, in hundredths, of every order. */
  async orders(fees: Readonly<Record<string, number>>): Promise<void> {
    const acknowledged = this.#acknowledged<OrderRecord>('orders', ({ order_id }) => String(order_id));
    for (const order of await readRecords<OrderRecord>(this.#reading, { type: 'orders', key: 'order_id' })) {
      const { order_id } = order;
      const entries = await this.#entries<ChangedOrderValue>('orders', { order_id: String(order_id) });
      entries.reverse();
      const places = new Map(entries.map(({ request_id }, index) => [request_id, index + 1]));
      const model = new ModelHistory();
      this.#finding(`order ${order_id}`, () => {
        const known = (acknowledged.get(String(order_id)) ?? []).flatMap(([id, record]) => {
          const place = places.get(id);
          return place === undefined ? [] : [{ place, record }];
        });
        for (const { place, record } of known.sort((one, other) => one.place - other.place))
          model.see(order_id, stateOf(record, fees), place);
        model.see(order_id, stateOf(order, fees), entries.length);
        this.#findings.acknowledged += model.undo(order_id, entries);
      });
    }
  }

  /** Checks how many entries each call has. Call it last. */
  counts(): void {
    for (const [type, counts] of this.#counts)
      for (const [id, count] of counts) {
        const { path, status = 0 } = this.#log.calls.get(id) ?? {};
        const isRefused = status >= 400 && status < 500;
        if (path === undefined || isRefused || (count > 1 && single[type].test(path)))
          this.#findings.unaccounted.push(`${count} entries of ${id} in ${type}: ${path} ${status}`);
      }
  }

  #fold<Of extends Change>(
    name: string,
    present: State,
    entries: readonly ListedChange<Of>[],
    {
      expected,
      stateOf: stateOfRecord,
    }: { expected: readonly [id: string, record: object][]; stateOf: (record: object) => State },
  ): void {
    const texts = new Map(expected.map(([id, record]) => [id, textOf(stateOfRecord(record))]));
    const named = new Set(entries.map(({ request_id: id }) => id));
    // A call has no entry if it changed nothing, or if its transaction has created the record.
    const withoutEntry = new Map([...texts].filter(([id]) => !named.has(id)));
    const createdStates = new Set(withoutEntry.values());
    const seen = new Set<string>();
    const lost: string[] = [];
    const isFolded = this.#finding(name, () =>
      fold(present, entries, (state, { request_id: id, action }) => {
        const text = textOf(state);
        seen.add(hash('sha1', text));
        const acknowledged = id === null ? undefined : texts.get(id);
        if (acknowledged === undefined || acknowledged === text) return;
        if (action === 'created' && createdStates.has(text)) return;
        lost.push(`${name} after ${id}: ${acknowledged} instead of ${text}`);
      }),
    );
    if (!isFolded) return;
    for (const [id, text] of withoutEntry)
      if (!seen.has(hash('sha1', text))) lost.push(`${name} after ${id}: ${text}`);
    this.#findings.acknowledged += texts.size;
    this.#findings.lost.push(...lost);
  }

  /** Returns the acknowledged records of a type by their keys, each with the ID of its call. */
  #acknowledged<Shape>(
    type: RecordType,
    keyOf: (record: Shape) => string,
  ): Map<string, [id: string, record: Shape][]> {
    const found = [...this.#log.calls].flatMap(([id, { path, record }]: [string, LoggedCall]) =>
      record !== undefined && answering[type].test(path)
        ? [[id, JSON.parse(record) as Shape] satisfies [string, Shape]]
        : [],
    );
    return Map.groupBy(found, ([, record]) => keyOf(record));
  }

  async #entries<Of>(type: RecordType, record: Record<string, string>): Promise<ListedChange<Of>[]> {
    const entries = await readHistory<Of>(this.#reading, type, record);
    this.#findings.entries += entries.length;
    const counts = this.#counts.get(type) ?? new Map<string, number>();
    this.#counts.set(type, counts);
    for (const { request_id: id, import_id, who } of entries) {
      if (id !== null) counts.set(id, (counts.get(id) ?? 0) + 1);
      // Commands import as the operator.
      else if (import_id === null && who !== 'operator')
        this.#findings.unaccounted.push(`an entry of ${type} by ${who}`);
    }
    return entries;
  }

  /** Returns whether the work finds the history to be whole. */
  #finding(name: string, work: () => void): boolean {
    try {
      work();
      return true;
    } catch (error) {
      assert.ok(error instanceof AssertionError, String(error));
      this.#findings.broken.push(`${name}: ${error.message}`);
      return false;
    }
  }
}
