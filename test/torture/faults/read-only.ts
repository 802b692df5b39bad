import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { glob } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { tradepost } from '../../support/process.ts';
import type { Scenario } from '../scenario.ts';
import { createTestData } from '../test-data.ts';
import { surviveFault } from './fault.ts';

/** The files become immutable. Modes are checked only when a file is opened, and not for root. */
export const readOnly: Scenario = {
  promise:
    'while its files are read-only, writes get 503, reads continue, nothing is lost, and the service recovers by itself',
  skipReason: () => immutableFailure(),
  run: async (t) => {
    const data = await createTestData(t, 500);
    const { DATA_DIR } = data.settings;
    const outcome = surviveFault(
      t,
      data,
      async () => {
        await setImmutable(true, DATA_DIR);
        return () => setImmutable(false, DATA_DIR);
      },
      async () => {
        const command = ['merchants', 'create', '--name', 'Other', '--json'];
        const { status, stdout, stderr } = await tradepost(command, data.settings);
        assert.deepEqual([status, stdout], [1, ''], stderr);
        assert.match(stderr, /^tradepost: [^\n]*tradepost\.db[^\n]*\n$/);
      },
    );
    // Even after a failure, so that the directory can be removed.
    return await outcome.finally(() => setImmutable(false, DATA_DIR));
  },
};

async function setImmutable(isImmutable: boolean, directory: string): Promise<void> {
  // Not the -shm file, which is shared memory: the kernel would kill its writers (SIGBUS).
  const files = await Array.fromAsync(glob(join(directory, 'tradepost.db{,-wal}')));
  execFileSync('chattr', [isImmutable ? '+i' : '-i', ...files, directory]);
}

function immutableFailure(): string | null {
  const directory = mkdtempSync(join(tmpdir(), 'tradepost-'));
  const file = join(directory, 'a');
  writeFileSync(file, '');
  try {
    execFileSync('chattr', ['+i', file], { stdio: 'ignore' });
    execFileSync('chattr', ['-i', file], { stdio: 'ignore' });
    return null;
  } catch {
    return 'Files in the temporary directory cannot be made immutable (this needs root, and chattr on ext4).';
  } finally {
    rmSync(directory, { recursive: true });
  }
}
