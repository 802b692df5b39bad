import assert from 'node:assert/strict';
import { setTimeout as pause } from 'node:timers/promises';
import type { Random } from '../../../src/demo/random.ts';
import type { Product } from '../../../src/products/record/product.ts';
import type { ClientResponse } from '../../support/client.ts';
import type { Left } from '../../support/undo.ts';
import type { ShopOwners } from '../nodes/fill-shop.ts';
import type { CallLog } from './call-log.ts';
import { type DriverOptions, ImportDriver } from './import-driver.ts';
import { get } from './read-records.ts';
import { expectUndo, keyOf, type Later, type ShopState, stateOfShop } from './undo-model.ts';

/** Products that each file creates. */
const NEW = 10;
const PAUSE_MS = 30;
const WRITES = 6;
const PER_PAGE = 1_000;
const NDJSON = { 'content-type': 'application/x-ndjson' };

interface Options extends Omit<DriverOptions, 'token'> {
  owners: ShopOwners;
  random: Random;
  /** How many products the shop has at first. */
  products: number;
  read: () => Promise<Product[]>;
}

/** A merchant who changes all products, some of them again, and then undoes the first change. */
export class UndoShop {
  readonly #options: Options;
  readonly #driver: ImportDriver;
  readonly log: CallLog;
  readonly problems: string[] = [];
  #texts = 0;
  /** The import of an undo of many products that may be in progress. */
  undoing: string | undefined;
  undone = 0;
  interruptedChanges = 0;
  interruptedUndos = 0;
  conflicts = 0;

  constructor(options: Options) {
    this.#options = options;
    this.log = options.log;
    this.#driver = new ImportDriver({ ...options, token: options.owners.token });
  }

  get merchantId(): number {
    return this.#options.owners.id;
  }

  get token(): string {
    return this.#options.owners.token;
  }

  /** Adds the products. */
  async fill(): Promise<void> {
    for (;;) {
      const id = await this.#sendFile([]);
      if ((await this.#driver.finish(id)).status === 'done') return;
    }
  }

  /** Makes a change, changes some products again, and undoes the change. Adds to `problems`. */
  async round(): Promise<void> {
    const before = await this.#state();
    const [change, changed] = await this.#change(before);
    const later: Later = new Map();
    const fresh = [...changed.keys()].filter((key) => key.endsWith(' title') && !before.has(key));
    for (const key of fresh.slice(0, 2)) await this.#write(later, key.replace(' title', ''), 'title');
    for (let write = 0; write < WRITES; write += 1) await this.#writeAny(later);
    let isUndone = false;
    const writing = async (): Promise<void> => {
      while (!isUndone) {
        await this.#writeAny(later);
        await pause(PAUSE_MS);
      }
    };
    const undoing = async (): Promise<void> => {
      await this.#undo(change, true).finally(() => {
        isUndone = true;
      });
    };
    await Promise.all([writing(), undoing()]);
    // What was changed during the undo has kept other values of its product from returning.
    const last = await this.#undo(change, false);
    const after = await this.#state();
    const { state, conflicts } = expectUndo({ before, changed, later });
    for (const [key, value] of state)
      if (after.get(key) !== value)
        this.problems.push(`${this.merchantId} ${key}: ${after.get(key)} instead of ${value}`);
    if (after.size !== state.size) this.problems.push(`${after.size} values instead of ${state.size}`);
    const reported = last === null ? [] : await this.#conflictsOf(last);
    const isNew = (key: string): boolean => !before.has(keyOf(key.split(' ')[0] ?? '', 'title'));
    const found = new Set(reported.filter((key) => !isNew(key) || key.endsWith(' identifier')));
    for (const key of found.symmetricDifference(conflicts)) this.problems.push(`conflict of ${key}`);
    this.conflicts += conflicts.size;
    this.undone += 1;
  }

  /**
   * Imports a file, or changes all products in the console, until something has changed. Resolves to the ID
   * of the import, and to what it led to.
   */
  async #change(before: ShopState): Promise<[id: string, changed: ShopState]> {
    for (;;) {
      const isFile = this.#options.random.chance(0.6);
      const id = await (isFile ? this.#sendFile(this.#newNames()) : this.#changeAll());
      const end = await this.#driver.finish(id);
      if (this.#driver.isInterrupted(end)) this.interruptedChanges += 1;
      const changed = await this.#state();
      if ([...changed].some(([key, value]) => before.get(key) !== value)) return [id, changed];
    }
  }

  /**
   * Undoes a change, again after each interruption. `isOfMany` is set if many products are not undone yet.
   * Resolves to the last import; null if there was nothing to undo.
   */
  async #undo(change: string, isOfMany: boolean): Promise<string | null> {
    for (;;) {
      const id = await this.#driver.start(this.#doorTo(change));
      if (id === null) return null;
      if (isOfMany) this.undoing = id;
      const end = await this.#driver.finish(id);
      this.undoing = undefined;
      if (!this.#driver.isInterrupted(end)) return id;
      this.interruptedUndos += 1;
    }
  }

  #doorTo(change: string): () => Promise<ClientResponse | undefined> {
    const { owners, console, random } = this.#options;
    const json = { import_id: change };
    const headers = { authorization: `Bearer ${owners.operatorToken}` };
    return random.pick<() => Promise<ClientResponse | undefined>>([
      () => this.log.send('POST', '/v1/imports/undo', { json: { ...json, access_token: owners.token } }),
      () => console.post('/imports/undo', json).catch(() => undefined),
      () =>
        this.log.send('POST', `/operator/v1/merchants/${owners.externalId}/imports/${change}/undo`, {
          headers,
        }),
    ]);
  }

  async #sendFile(names: readonly string[]): Promise<string> {
    const { owners, products, random } = this.#options;
    const all = [...Array.from({ length: products }, (_, index) => `U-${index}`), ...names];
    const lines = all.map((identifier) => {
      const variations = [{ identifier: `${identifier}-V`, quantity: random.whole(0, 99) }];
      return `${JSON.stringify({ identifier, title: this.#text(), brand: this.#text(), variations })}\n`;
    });
    const path = `/v1/imports?access_token=${owners.token}`;
    const body = lines.join('');
    const id = await this.#driver.start(() => this.log.send('POST', path, { body, headers: NDJSON }));
    return id ?? assert.fail('a file was refused');
  }

  async #changeAll(): Promise<string> {
    const { console } = this.#options;
    this.#texts += 1;
    const change = { all: true, kind: 'amount', field: 'buy_now_price', value: this.#texts };
    const id = await this.#driver.start(() => console.post('/products/bulk', change).catch(() => undefined));
    return id ?? assert.fail('a change of all products was refused');
  }

  /** Changes a field of an existing product. */
  async #writeAny(later: Later): Promise<void> {
    const { random, products } = this.#options;
    const field = random.pick(['title', 'brand', 'buy_now_price', 'quantity'] as const);
    await this.#write(later, `U-${random.whole(0, products - 1)}`, field);
  }

  async #write(
    later: Later,
    identifier: string,
    field: 'title' | 'brand' | 'buy_now_price' | 'quantity',
  ): Promise<void> {
    const { token } = this.#options.owners;
    this.#texts += 1;
    // No file and no other write has set the same.
    const value = field === 'buy_now_price' || field === 'quantity' ? 1_000 + this.#texts : this.#text();
    const record = field === 'quantity' ? 'variations' : 'products';
    const name = field === 'quantity' ? `${identifier}-V` : identifier;
    const json = { identifier: name, [field]: value, access_token: token };
    const response = await this.log.send('POST', `/v1/${record}/update`, { json });
    assert.equal(response?.status, 200, response?.text ?? 'no response');
    later.set(keyOf(identifier, field), value);
  }

  /** Returns the fields that an undo has left alone. */
  async #conflictsOf(id: string): Promise<string[]> {
    const { token } = this.#options.owners;
    const left: Left[] = [];
    for (let page = 1; ; page += 1) {
      const query = { id, page: String(page), per_page: String(PER_PAGE) };
      const list = (await get({ cluster: this.log, token }, 'imports/rejects', query)).json<Left[]>();
      left.push(...list);
      if (list.length < PER_PAGE) break;
    }
    return left.map(({ identifier, name }) => {
      const isQuantity = /^variations\[.*\]\[quantity\]$/.test(name ?? '');
      return keyOf(identifier ?? '', isQuantity ? 'quantity' : (name ?? ''));
    });
  }

  async #state(): Promise<ShopState> {
    return stateOfShop(await this.#options.read());
  }

  #newNames(): string[] {
    this.#texts += 1;
    return Array.from({ length: NEW }, (_, index) => `N-${this.#texts}-${index}`);
  }

  #text(): string {
    this.#texts += 1;
    return `Text ${this.#texts}`;
  }
}
