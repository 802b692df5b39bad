import assert from 'node:assert/strict';
import { setTimeout as pause } from 'node:timers/promises';
import type { Import } from '../../../src/imports/import-record.ts';
import type { ClientResponse } from '../../support/client.ts';
import type { ConsoleClient } from '../../support/console.ts';
import { until } from '../../support/until.ts';
import type { CallLog } from './call-log.ts';
import { get } from './read-records.ts';

const POLL_MS = 50;
/** An import whose process is gone counts as running for 20 s. */
const END_MS = 600_000;

export interface DriverOptions {
  log: CallLog;
  token: string;
  console: ConsoleClient;
  /** How many times nodes have been killed. */
  kills: () => number;
  /** Whether to wait until interrupted imports have failed. Otherwise they are canceled. */
  isPatient: boolean;
}

/** Starts a merchant’s imports, and waits for their end in spite of kills. */
export class ImportDriver {
  readonly #options: DriverOptions;
  /** The kills before the newest call that starts a step of an import. */
  #kills = 0;

  constructor(options: DriverOptions) {
    this.#options = options;
  }

  /**
   * Sends the call that starts an import until it is accepted. Resolves to the ID of the import; null if
   * there is nothing to undo.
   */
  async start(send: () => Promise<ClientResponse | undefined>): Promise<string | null> {
    for (;;) {
      this.#kills = this.#options.kills();
      const response = await send();
      if (response?.status === 200 || response?.status === 202) return response.json<{ id: string }>().id;
      if (response?.status === 400) {
        assert.match(response.message, /^There is nothing to undo/);
        return null;
      }
      if (response !== undefined) assert.ok([409, 503].includes(response.status), response.text);
      // An import whose call got no response may be running.
      if (response?.status === 409) await this.#endOthers();
      await pause(POLL_MS);
    }
  }

  /** Resolves once the import has ended. Imports what was only checked. */
  async finish(id: string): Promise<Import> {
    const { console, kills } = this.#options;
    for (;;) {
      const record = await this.#untilEnded(id);
      if (record.status !== 'checked') return record;
      this.#kills = kills();
      await console.post(`/imports/${id}/import`).catch(() => undefined);
      await pause(POLL_MS);
    }
  }

  /** Whether kills have interrupted an import that has ended. */
  isInterrupted({ status, failure }: Import): boolean {
    if (status === 'failed') assert.match(failure ?? '', / was interrupted, /);
    return status === 'failed' || status === 'canceled';
  }

  /** Resolves once no step of the import is in progress. */
  async #untilEnded(id: string): Promise<Import> {
    const { kills, isPatient } = this.#options;
    return await until(
      async () => {
        const record = await this.#read(id);
        if (!isRunning(record)) return record;
        if (!isPatient && kills() > this.#kills) await this.#cancel(id);
        return false;
      },
      { timeoutMs: END_MS, intervalMs: POLL_MS, message: `${id} does not end` },
    );
  }

  async #endOthers(): Promise<void> {
    const { log, token, isPatient } = this.#options;
    const listed = await get({ cluster: log, token }, 'imports');
    for (const { id } of listed.json<Import[]>().filter(isRunning)) {
      if (!isPatient) await this.#cancel(id);
      await this.#untilEnded(id);
    }
  }

  async #read(id: string): Promise<Import> {
    const { log, token } = this.#options;
    return (await get({ cluster: log, token }, 'imports/retrieve', { id })).json<Import>();
  }

  async #cancel(id: string): Promise<void> {
    const { log, token } = this.#options;
    const json = { id, access_token: token };
    const response = await log.send('POST', '/v1/imports/cancel', { json });
    assert.equal(response?.status, 200, response?.text ?? 'no response');
  }
}

function isRunning({ status }: Import): boolean {
  return status === 'checking' || status === 'importing';
}
