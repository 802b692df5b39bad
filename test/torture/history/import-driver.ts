import assert from 'node:assert/strict';
import { setTimeout as pause } from 'node:timers/promises';
import type { Import } from '../../../src/imports/import-record.ts';
import { interrupted } from '../../../src/imports/import-state.ts';
import type { ClientResponse } from '../../support/client.ts';
import { until } from '../../support/until.ts';
import type { CallLog } from './call-log.ts';
import { get } from './read-records.ts';

const POLL_MS = 50;
/** An import whose process is gone counts as running for 20 s. */
const END_MS = 600_000;

export interface DriverOptions {
  log: CallLog;
  token: string;
  /** How many times nodes have been killed. */
  kills: () => number;
  /** Whether to wait until interrupted imports have failed. Otherwise they are canceled. */
  isPatient: boolean;
}

/** Starts a merchant’s imports, and waits for their end in spite of kills. */
export class ImportDriver {
  readonly #options: DriverOptions;

  constructor(options: DriverOptions) {
    this.#options = options;
  }

  /** Sends the call that starts an import until it is accepted. Resolves to its ID; null if it is refused. */
  async start(send: () => Promise<ClientResponse | undefined>): Promise<string | null> {
    for (;;) {
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

  /** Resolves once the import has ended, or is checked. */
  async end(id: string): Promise<Import> {
    const { kills, isPatient } = this.#options;
    const killed = kills();
    return await until(
      async () => {
        const record = await this.#read(id);
        if (!isRunning(record)) return record;
        if (!isPatient && kills() > killed) await this.#cancel(id);
        return false;
      },
      { timeoutMs: END_MS, intervalMs: POLL_MS, message: `${id} does not end` },
    );
  }

  /** Whether kills have interrupted an import that has ended. */
  isInterrupted({ status, failure }: Import): boolean {
    if (status === 'failed') assert.ok(Object.values(interrupted).includes(failure ?? ''), failure ?? '');
    return status === 'failed' || status === 'canceled';
  }

  async #endOthers(): Promise<void> {
    const { log, token, isPatient } = this.#options;
    const listed = await get({ cluster: log, token }, 'imports');
    for (const { id } of listed.json<Import[]>().filter(isRunning)) {
      if (!isPatient) await this.#cancel(id);
      await this.end(id);
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
