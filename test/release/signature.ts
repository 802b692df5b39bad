import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { cp, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { promisify } from 'node:util';
import { readIdentity } from '../../release/identity.ts';

const run = promisify(execFile);
const GUIDE = join(import.meta.dirname, '../../docs/how-to/verify-a-release.md');
const hasTool = await run('sh', ['-c', 'command -v ssh-keygen']).then(
  () => true,
  () => false,
);

/** Tests the checksums of a release, which is built before they run, in a directory below `workspace`. */
export function testSignature(built: () => { release: string; workspace: string }): void {
  describe('the checksums of a release', () => {
    it('are signed and verified with the commands of the guide, and a changed file is noticed', {
      skip: !hasTool && 'ssh-keygen is not installed: apt-get install openssh-client',
    }, async () => {
      const directory = join(built().workspace, 'signed');
      await mkdir(directory);
      for (const name of ['SHA256SUMS', 'LICENSES.txt'])
        await cp(join(built().release, name), join(directory, name));
      const key = join(directory, 'release_key');
      await run('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-C', '', '-f', key]);
      await writeFile(join(directory, 'allowed_signers'), `release ${await readFile(`${key}.pub`, 'utf8')}`);
      const guide = await readFile(GUIDE, 'utf8');
      const [sign, verify] = [...guide.matchAll(/^```sh\n([^`]*)^```$/gm)].map(([, block = '']) => block);
      assert(sign !== undefined && verify !== undefined);
      const follow = (block: string): Promise<{ stdout: string }> =>
        run('sh', ['-e', '-c', block], { cwd: directory });
      await follow(sign);
      assert.match((await follow(verify)).stdout, /^Good "tradepost-release" signature for release/);
      const sums = await readFile(join(directory, 'SHA256SUMS'), 'utf8');
      await writeFile(
        join(directory, 'SHA256SUMS'),
        sums.replace(/^./, (digit) => (digit === '0' ? '1' : '0')),
      );
      await assert.rejects(follow(verify), /incorrect signature/);
      await writeFile(join(directory, 'SHA256SUMS'), sums);
      await writeFile(join(directory, 'LICENSES.txt'), 'changed');
      await assert.rejects(follow(verify), /did NOT match/);
    });

    it('agree with the provenance statement, which names the commit', async () => {
      const { release } = built();
      const { subject, predicate } = JSON.parse(await readFile(join(release, 'provenance.json'), 'utf8'));
      const { externalParameters } = predicate.buildDefinition;
      assert.deepEqual(externalParameters, readIdentity());
      const sums = (await readFile(join(release, 'SHA256SUMS'), 'utf8')).split('\n');
      const lines = subject.map(
        ({ name, digest }: { name: string; digest: { sha256: string } }) => `${digest.sha256}  ${name}`,
      );
      assert.deepEqual(
        sums.filter((line) => line !== '' && !line.endsWith('  provenance.json')),
        lines,
      );
    });
  });
}
