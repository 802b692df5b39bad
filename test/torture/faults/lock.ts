import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { Scenario } from '../scenario.ts';
import { createTestData } from '../test-data.ts';
import { surviveFault } from './fault.ts';

/** Longer than a write waits for the lock. */
const SHORT_MS = 6_000;
const LONG_MS = 10_000;

export const lock: Scenario = {
  promise:
    'while another process holds the write lock, writes wait and then get 503, reads continue, and nothing is lost',
  run: async (t, { full }) => {
    const data = await createTestData(t, 500);
    return await surviveFault(t, data, async () => {
      const holder = fork(join(import.meta.dirname, 'hold-lock.ts'), [
        join(data.settings.DATA_DIR, 'tradepost.db'),
      ]);
      t.after(() => holder.kill('SIGKILL'));
      await once(holder, 'message');
      const held = pause(full ? LONG_MS : SHORT_MS);
      return async () => {
        await held;
        holder.send('release');
        await once(holder, 'exit');
      };
    });
  },
};
