import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { Scenario } from '../scenario.ts';
import { stock } from '../stock.ts';
import { standFault } from './fault.ts';

/** Longer than a write waits for the lock. */
const SHORT_MS = 6_000;
const LONG_MS = 10_000;

/** Another process that holds the write lock. */
export const lock: Scenario = {
  promise:
    'while another process holds the write lock writes get 503 in the end, reads go on, and nothing is lost',
  run: async (t, { full }) => {
    const made = await stock(t, 500);
    return await standFault(t, made, async () => {
      const holder = fork(join(import.meta.dirname, 'hold-lock.ts'), [
        join(made.settings.DATA_DIR, 'tradepost.db'),
      ]);
      t.after(() => holder.kill('SIGKILL'));
      await once(holder, 'message');
      const held = pause(full ? LONG_MS : SHORT_MS);
      return async () => {
        await held;
        holder.send('let go');
        await once(holder, 'exit');
      };
    });
  },
};
