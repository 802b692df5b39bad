import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { glob } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { tradepost } from '../../support/process.ts';
import type { Scenario } from '../scenario.ts';
import { stock } from '../stock.ts';
import { standFault } from './fault.ts';

/**
 * Files that nobody may write to any more. Their modes alone would not do: they are looked at when a file is
 * opened, and root's are not looked at at all.
 */
export const readOnly: Scenario = {
  promise:
    'on files made read-only writes get 503, reads go on, nothing is lost, and the service goes on by itself',
  lacks: () => immutableTrouble(),
  run: async (t) => {
    const made = await stock(t, 500);
    const { DATA_DIR } = made.settings;
    const stood = standFault(
      t,
      made,
      async () => {
        await setImmutable(true, DATA_DIR);
        return () => setImmutable(false, DATA_DIR);
      },
      async () => {
        const command = ['merchants', 'create', '--name', 'Other', '--json'];
        const { status, stdout, stderr } = await tradepost(command, made.settings);
        assert.deepEqual([status, stdout], [1, ''], stderr);
        assert.match(stderr, /^tradepost: [^\n]*tradepost\.db[^\n]*\n$/);
      },
    );
    // Whatever happened, the directory can be removed then.
    return await stood.finally(() => setImmutable(false, DATA_DIR));
  },
};

async function setImmutable(isImmutable: boolean, directory: string): Promise<void> {
  // Not the third file, which processes share as memory: the kernel ends whoever writes to such memory (SIGBUS).
  const files = await Array.fromAsync(glob(join(directory, 'tradepost.db{,-wal}')));
  execFileSync('chattr', [isImmutable ? '+i' : '-i', ...files, directory]);
}

function immutableTrouble(): string | null {
  const directory = mkdtempSync(join(tmpdir(), 'tradepost-'));
  const file = join(directory, 'a');
  writeFileSync(file, '');
  try {
    execFileSync('chattr', ['+i', file], { stdio: 'ignore' });
    execFileSync('chattr', ['-i', file], { stdio: 'ignore' });
    return null;
  } catch {
    return 'Files of the temporary directory cannot be made immutable here (root, and chattr on ext4, can).';
  } finally {
    rmSync(directory, { recursive: true });
  }
}
