import assert from 'node:assert/strict';
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { after, afterEach, before } from 'node:test';
import { pino } from 'pino';
import { type OperatorScope, operatorScopes } from '../../src/api-keys/scopes.ts';
import { OPERATOR } from '../../src/audit/record-audit.ts';
import { type Config, parseConfig } from '../../src/config.ts';
import type { HashCost } from '../../src/console/auth/passwords.ts';
import type { Actor } from '../../src/database/actor.ts';
import type { Database } from '../../src/database/database.ts';
import { Encryption } from '../../src/encryption/encryption.ts';
import { createMerchant } from '../../src/merchants/create-merchant.ts';
import type { Health } from '../../src/observability/health.ts';
import { openServiceDatabase, type Service, startService } from '../../src/service.ts';
import type { WebhookNeeds } from '../../src/webhooks/manage-webhooks.ts';
import type { FindAddress } from '../../src/webhooks/receiver-address.ts';
import { WebhookSecrets } from '../../src/webhooks/webhook-secrets.ts';
import { Client, type ClientResponse, type RequestOptions } from './client.ts';
import { copyCertificate, newDataDirectory } from './data-template.ts';
import type { Engine } from './engines.ts';
import { createKey, createOperatorKey } from './keys.ts';
import { RowsWatch } from './rows-watch.ts';
import { StatusWatch } from './status-watch.ts';

export interface TestMerchant {
  id: number;
  keyId: string;
  token: string;
}

export interface Settings {
  /** Variables in addition to the harness's. */
  environment?: Record<string, string>;
  wrap?: (database: Database) => Database;
  /** Finds the addresses of webhook receivers and of images. */
  findAddress?: FindAddress;
  /** Of the hashes of new passwords, low by default. Null is the cost in production. */
  passwordCost?: HashCost | null;
  /** How often the service looks again at images, the key file, interrupted imports and who competes. */
  pollMs?: number;
}

/** A hash takes less than a millisecond, and in production a quarter of a second. */
export const LOW_COST: HashCost = { ln: 1, r: 1, p: 1 };

/** The service as production builds it, with its own data directory and a clock that the test advances. */
export class TestService {
  /** For another process that uses the same data. */
  readonly environment: Record<string, string> & { DATA_DIR: string };
  readonly config: Config;
  readonly database: Database;
  readonly client: Client;
  /** JSON. */
  readonly log: string[];
  readonly #clock: { now: number };
  readonly #service: Service;
  readonly #watch: StatusWatch;
  readonly #rows: RowsWatch;
  #merchants = 0;
  #stopped = false;

  constructor(parts: {
    environment: Record<string, string> & { DATA_DIR: string };
    config: Config;
    database: Database;
    client: Client;
    log: string[];
    clock: { now: number };
    service: Service;
    watch: StatusWatch;
    rows: RowsWatch;
  }) {
    this.environment = parts.environment;
    this.config = parts.config;
    this.database = parts.database;
    this.client = parts.client;
    this.log = parts.log;
    this.#clock = parts.clock;
    this.#service = parts.service;
    this.#watch = parts.watch;
    this.#rows = parts.rows;
  }

  get health(): Health {
    return this.#service.health;
  }

  get baseUrl(): string {
    return this.#service.baseUrl;
  }

  readonly now = (): number => this.#clock.now;

  passTime(milliseconds: number): void {
    this.#clock.now += milliseconds;
  }

  reloadCertificate(): Promise<void> {
    return this.#service.reloadCertificate();
  }

  request(method: string, path: string, options?: RequestOptions): Promise<ClientResponse> {
    return this.client.request(method, `${this.config.basePath}${path}`, options);
  }

  get(
    path: string,
    { token }: { token: string },
    query: Record<string, string> = {},
  ): Promise<ClientResponse> {
    return this.request('GET', `${path}?${new URLSearchParams({ access_token: token, ...query })}`);
  }

  async newMerchant(timeZone = 'UTC'): Promise<TestMerchant> {
    this.#merchants += 1;
    const name = `Merchant no. ${this.#merchants}`;
    return await createMerchant(this, { name, email: null, timeZone });
  }

  async newKey(
    { id }: TestMerchant,
    expiresAt: number | null = null,
  ): Promise<{ id: string; token: string }> {
    return await createKey(this, { merchantId: id, name: 'further', expiresAt });
  }

  async newOperatorToken(scopes: readonly OperatorScope[] = operatorScopes): Promise<string> {
    return (await createOperatorKey(this, { name: 'back end', scopes, expiresAt: null })).token;
  }

  /** For `runVerb`: the operator changes webhooks of this owner, with the service's key file. */
  webhooksOf(merchantId: number): { merchantId: number; who: Actor } & WebhookNeeds {
    const { encryptionKeyFile: file, webhookNetworks: privateNetworks, budgets } = this.config;
    const encryption = new Encryption({ file, onCreated: () => {} });
    const secrets = new WebhookSecrets(encryption, this.database.dialect);
    return { merchantId, who: OPERATOR, privateNetworks, secrets, budgets };
  }

  get operatorUrl(): string {
    return this.#service.operatorUrl;
  }

  /** `path` is below `/operator/v1`. */
  operator(
    method: string,
    path: string,
    token: string,
    { headers, ...options }: RequestOptions = {},
  ): Promise<ClientResponse> {
    const all = { authorization: `Bearer ${token}`, ...headers };
    return this.client.request(method, `/operator/v1${path}`, { ...options, headers: all });
  }

  async newTestKey({ id }: TestMerchant): Promise<{ id: string; token: string }> {
    return await createKey(this, { merchantId: id, name: 'test', expiresAt: null, mode: 'test' });
  }

  /** Clears the recorded statuses. @throws if a response had a status that its route does not declare */
  async checkStatuses(): Promise<void> {
    assert.deepEqual(await this.#watch.undeclared(), [], 'responses with undeclared statuses');
    assert.deepEqual(this.#rows.undeclared(), [], 'transactions with rows of undeclared merchants');
  }

  /** Keeps the data. Does nothing the second time. */
  async stop(): Promise<void> {
    if (this.#stopped) return;
    this.#stopped = true;
    this.client.close();
    this.#watch.stop();
    await this.#service.close();
  }

  /** Removes the data. @throws like `checkStatuses` */
  async close(): Promise<void> {
    await this.stop();
    await rm(this.config.dataDirectory, { recursive: true, force: true });
    await this.checkStatuses();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }
}

export async function startTestService(
  engine: Engine,
  {
    environment = {},
    wrap = (database) => database,
    findAddress,
    passwordCost = LOW_COST,
    pollMs,
  }: Settings = {},
): Promise<TestService> {
  // Images of made-up products are at addresses that do not exist.
  const settings: Record<string, string> = {
    CHECK_IMAGES: 'off',
    ...(await engine.environment()),
    ...environment,
  };
  const dataDirectory = settings.DATA_DIR ?? (await newDataDirectory(settings));
  await copyCertificate(dataDirectory);
  const config = parseConfig({ PORT: '0', ...settings, DATA_DIR: dataDirectory });
  const clock = { now: Date.now() };
  const log: string[] = [];
  const logger = pino({ level: 'trace', base: null }, { write: (line: string) => void log.push(line) });
  const watch = new StatusWatch(logger);
  const database = await openServiceDatabase(config, clock.now);
  const rows = new RowsWatch();
  const service = await startService(config, wrap(rows.wrap(database)), logger, () => clock.now, {
    ...(findAddress !== undefined && { findAddress }),
    ...(passwordCost !== null && { passwordCost }),
    ...(pollMs !== undefined && { pollMs }),
  });
  const own = config.tls.mode !== 'proxy';
  const ca = own ? await readFile(join(dataDirectory, 'tls-cert.pem'), 'utf8') : null;
  const client = new Client(new URL(service.baseUrl).origin, ca);
  const fullEnvironment = { ...settings, DATA_DIR: dataDirectory };
  return new TestService({
    environment: fullEnvironment,
    config,
    database,
    client,
    log,
    clock,
    service,
    watch,
    rows,
  });
}

/** Starts a service for the suite. Fails each test during which a response had an undeclared status. */
export function useService(engine: Engine, settings?: Settings): () => TestService {
  let running: TestService | undefined;
  const service = (): TestService => {
    assert(running !== undefined, 'the service runs only while the suite runs');
    return running;
  };
  before(async () => {
    running = await startTestService(engine, settings);
  });
  afterEach(() => service().checkStatuses());
  after(() => running?.close());
  return service;
}
