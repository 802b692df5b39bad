import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import { copyFile, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, afterEach, before } from 'node:test';
import { pino } from 'pino';
import { createKey } from '../../src/api-keys/create-key.ts';
import { type Config, parseConfig } from '../../src/config.ts';
import type { Database } from '../../src/database/database.ts';
import { openDatabase } from '../../src/database/open-database.ts';
import { createMerchant } from '../../src/merchants/create-merchant.ts';
import type { Health } from '../../src/observability/health.ts';
import { type Service, startService } from '../../src/service.ts';
import { type Answer, Client, type Sent } from './client.ts';
import type { Engine } from './engines.ts';
import { StatusWatch } from './undeclared.ts';

/** A merchant that a test made, with a token of its. */
export interface TestMerchant {
  id: number;
  keyId: string;
  token: string;
}

export interface Settings {
  /** Environment variables, beside those that the harness sets. */
  environment?: Record<string, string>;
  /** Comes between the service and its database, to make it fail. */
  wrap?: (database: Database) => Database;
}

/** The service as production builds it, on a directory of its own, with a clock that the test moves. */
export class TestService {
  /** The settings by which another process works on the same data. */
  readonly environment: Record<string, string> & { DATA_DIR: string };
  readonly config: Config;
  readonly database: Database;
  readonly client: Client;
  /** Log lines, JSON. */
  readonly log: string[];
  readonly #clock: { now: number };
  readonly #service: Service;
  readonly #watch: StatusWatch;
  #merchants = 0;
  #stopped = false;

  constructor(made: {
    environment: Record<string, string> & { DATA_DIR: string };
    config: Config;
    database: Database;
    client: Client;
    log: string[];
    clock: { now: number };
    service: Service;
    watch: StatusWatch;
  }) {
    this.environment = made.environment;
    this.config = made.config;
    this.database = made.database;
    this.client = made.client;
    this.log = made.log;
    this.#clock = made.clock;
    this.#service = made.service;
    this.#watch = made.watch;
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

  /** Has the service look at its certificate's files. */
  reread(): Promise<void> {
    return this.#service.reloadCertificate();
  }

  /** Sends a request to a path below the base path. */
  request(method: string, path: string, sent?: Sent): Promise<Answer> {
    return this.client.request(method, `${this.config.basePath}${path}`, sent);
  }

  /** GET with a token and further query parameters. */
  get(path: string, { token }: { token: string }, query: Record<string, string> = {}): Promise<Answer> {
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

  /** @throws where an answer had a status that its route does not declare; forgets them */
  async checkStatuses(): Promise<void> {
    assert.deepEqual(await this.#watch.undeclared(), [], 'answers with undeclared statuses');
  }

  /** Stops the service, and leaves its data. The second time does nothing. */
  async stop(): Promise<void> {
    if (this.#stopped) return;
    this.#stopped = true;
    this.client.close();
    this.#watch.stop();
    await this.#service.close();
  }

  /** Stops the service and removes its data. @throws as `checkStatuses` */
  async close(): Promise<void> {
    await this.stop();
    await rm(this.config.dataDirectory, { recursive: true, force: true });
    await this.checkStatuses();
  }

  /** For `await using`. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }
}

const TLS_FILES = ['tls-cert.pem', 'tls-key.pem'];
/** Where this process keeps the certificate that its first service made: to make one takes a while. */
let certificateDirectory: string | undefined;

export async function startTestService(
  engine: Engine,
  { environment = {}, wrap = (database) => database }: Settings = {},
): Promise<TestService> {
  const settings = { ...(await engine.environment()), ...environment };
  const dataDirectory = settings.DATA_DIR ?? (await mkdtemp(join(tmpdir(), 'tradepost-')));
  if (certificateDirectory !== undefined) await copyTlsFiles(certificateDirectory, dataDirectory);
  const config = parseConfig({ PORT: '0', ...settings, DATA_DIR: dataDirectory });
  const clock = { now: Date.now() };
  const log: string[] = [];
  const logger = pino({ level: 'trace', base: null }, { write: (line: string) => void log.push(line) });
  const watch = new StatusWatch(logger);
  const database = await openDatabase(config, clock.now);
  const service = await startService(config, wrap(database), logger, () => clock.now);
  const own = config.tls.mode === 'own';
  const ca = own ? await readFile(join(dataDirectory, 'tls-cert.pem'), 'utf8') : null;
  if (own && certificateDirectory === undefined) await keepTlsFiles(dataDirectory);
  const client = new Client(new URL(service.baseUrl).origin, ca);
  const made = { ...settings, DATA_DIR: dataDirectory };
  return new TestService({ environment: made, config, database, client, log, clock, service, watch });
}

async function copyTlsFiles(from: string, to: string): Promise<void> {
  await Promise.all(TLS_FILES.map((file) => copyFile(join(from, file), join(to, file))));
}

async function keepTlsFiles(dataDirectory: string): Promise<void> {
  const directory = await mkdtemp(join(tmpdir(), 'tradepost-tls-'));
  await copyTlsFiles(dataDirectory, directory);
  certificateDirectory = directory;
  process.once('exit', () => rmSync(directory, { recursive: true }));
}

/**
 * A service for all tests of the suite that this is called in. `service()` gives it to a test; a test
 * after which there is an answer with an undeclared status fails.
 */
export function useService(engine: Engine, settings?: Settings): () => TestService {
  let running: TestService | undefined;
  const service = (): TestService => {
    assert(running !== undefined, 'the service runs only while the suite does');
    return running;
  };
  before(async () => {
    running = await startTestService(engine, settings);
  });
  afterEach(() => service().checkStatuses());
  after(() => running?.close());
  return service;
}
