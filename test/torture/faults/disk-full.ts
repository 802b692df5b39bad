import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdir, open, rm, statfs, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { generateDrafts } from '../../../bench/service/build-database.ts';
import { type Owner, temporaryDirectory, tradepost } from '../../support/process.ts';
import type { Scenario } from '../scenario.ts';
import { createDataIn } from '../test-data.ts';
import { surviveFault } from './fault.ts';

const SIZE = '64m';
/** Some writes still succeed before one finds the disk full. */
const FREE_BYTES = 1_000_000;

export const diskFull: Scenario = {
  promise:
    'on a full disk, writes get 503, reads continue, nothing is lost, and writes recover once there is space',
  skipReason: () => mountFailure(),
  run: async (t) => {
    const directory = await smallDisk(t);
    await using _ = { [Symbol.asyncDispose]: async () => unmount(directory) };
    const data = await createDataIn(directory, 500);
    const ballast = join(directory, 'ballast');
    const file = join(await temporaryDirectory(t), 'products.ndjson');
    const lines = [...generateDrafts(5_000, 2)].map(({ identifier, fields }) =>
      JSON.stringify({
        identifier: `more-${identifier}`,
        title: 'x'.repeat(200),
        description: fields.description,
      }),
    );
    await writeFile(file, lines.join('\n'));
    return await surviveFault(
      t,
      data,
      async () => {
        await fillUp(directory, ballast);
        return () => rm(ballast);
      },
      async () => {
        const command = ['import', 'products', file, '--merchant', 'Acme', '--json'];
        const { status, stdout, stderr } = await tradepost(command, data.settings, { cwd: directory });
        assert.deepEqual([status, stdout], [1, ''], stderr);
        assert.match(stderr, /^tradepost: [^\n]*full[^\n]*\n$/);
      },
    );
  },
};

function mountFailure(): string | null {
  if (process.getuid?.() !== 0) return 'Only root can mount a small disk (tmpfs).';
  try {
    // In a mount namespace that ends with the process.
    execFileSync('unshare', ['--mount', 'mount', '-t', 'tmpfs', 'tmpfs', '/mnt'], { stdio: 'ignore' });
    return null;
  } catch {
    return 'This machine does not allow mounting a small disk (tmpfs).';
  }
}

async function smallDisk(t: Owner): Promise<string> {
  const directory = join(await temporaryDirectory(t), 'disk');
  await mkdir(directory);
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${SIZE}`, 'tmpfs', directory]);
  return directory;
}

function unmount(directory: string): void {
  execFileSync('umount', ['--lazy', directory]);
}

async function fillUp(directory: string, ballast: string): Promise<void> {
  const { bavail, bsize } = await statfs(directory);
  const handle = await open(ballast, 'w');
  try {
    await handle.write(Buffer.alloc(Math.max(0, bavail * bsize - FREE_BYTES)));
  } finally {
    await handle.close();
  }
}
