import assert from 'node:assert/strict';
import { chmod, chown, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { withFileLock } from '../../src/shared/file-lock.ts';
import { publishFile, removeDrafts } from '../../src/shared/publish-file.ts';
import { SpoolFile } from '../../src/shared/spool-file.ts';
import { fc } from '../support/seed.ts';

let directory: string;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'tradepost-'));
});
afterEach(() => rm(directory, { recursive: true }));

describe('a published file', () => {
  it('is the same for all processes that create it together, and only its owner can read it', async () => {
    const file = join(directory, 'keys');
    const contents = ['one', 'two', 'three', 'four'];
    const found = await Promise.all(
      contents.map((content) => publishFile(file, content, { replace: false })),
    );
    const kept = await readFile(file, 'utf8');
    assert.ok(contents.includes(kept), kept);
    assert.deepEqual([...new Set(found.map(String))], [kept]);
    assert.equal((await stat(file)).mode & 0o777, 0o600);
    assert.deepEqual(await readdir(directory), ['keys']);
  });

  it('replaces an earlier one only if asked to', async () => {
    const file = join(directory, 'keys');
    await writeFile(file, 'earlier');
    assert.equal(String(await publishFile(file, 'later', { replace: false })), 'earlier');
    assert.equal(String(await publishFile(file, 'later', { replace: true })), 'later');
    assert.equal(await readFile(file, 'utf8'), 'later');
  });

  it('has the owner, group and permissions of another file if asked to', async () => {
    const file = join(directory, 'keys');
    await writeFile(file, 'earlier');
    await chmod(file, 0o640);
    if (process.getuid?.() === 0) await chown(file, 1234, 1235);
    const like = await stat(file);
    await publishFile(file, 'later', { replace: true, like });
    const { mode, uid, gid } = await stat(file);
    assert.deepEqual([mode, uid, gid], [like.mode, like.uid, like.gid]);
  });

  it('leaves drafts if its process dies, which can be removed, and no other file with them', async () => {
    for (const name of ['keys', 'keys.1.new', 'keys.2.new', 'other.1.new', 'keys.lock'])
      await writeFile(join(directory, name), name);
    await removeDrafts(join(directory, 'keys'));
    assert.deepEqual((await readdir(directory)).sort(), ['keys', 'keys.lock', 'other.1.new']);
  });

  it('leaves nothing behind if it cannot be stored', async () => {
    await assert.rejects(publishFile(join(directory, 'missing', 'keys'), 'x', { replace: false }), {
      code: 'ENOENT',
    });
    assert.deepEqual(await readdir(directory), []);
  });
});

describe('a lock of a file', () => {
  it('belongs to one at a time, and is free after a failure', async () => {
    const file = join(directory, 'keys.lock');
    let [inside, most] = [0, 0];
    const results = await Promise.allSettled(
      Array.from({ length: 6 }, (_, index) =>
        withFileLock(file, async () => {
          inside += 1;
          most = Math.max(most, inside);
          await stat(file);
          inside -= 1;
          if (index % 2 === 1) throw new Error(`failure ${index}`);
          return index;
        }),
      ),
    );
    assert.equal(most, 1);
    assert.deepEqual(
      results.map((result) => (result.status === 'fulfilled' ? result.value : result.reason.message)),
      [0, 'failure 1', 2, 'failure 3', 4, 'failure 5'],
    );
    assert.equal((await stat(file)).mode & 0o777, 0o600);
  });

  it('is not taken where its file cannot be created', async () => {
    const work = async (): Promise<void> => assert.fail('ran');
    await assert.rejects(withFileLock(join(directory, 'missing', 'keys.lock'), work), { code: 'ENOENT' });
  });
});

describe('a spool file', () => {
  it('gives back the bytes that were written, and has no name on disk', async () => {
    const anyParts = fc.array(fc.array(fc.uint8Array({ maxLength: 50_000 }), { maxLength: 4 }), {
      maxLength: 6,
    });
    await fc.assert(
      fc.asyncProperty(anyParts, async (writes) => {
        const spool = await SpoolFile.create(directory, () => {});
        try {
          for (const parts of writes) await spool.append(parts);
          const expected = Buffer.concat(writes.flat());
          assert.equal(spool.bytes, expected.length);
          assert.ok(expected.equals(await buffer(spool.read())));
          assert.deepEqual(await readdir(directory), []);
        } finally {
          await spool.close();
        }
      }),
      { numRuns: 20 },
    );
  });

  it('reports once that it is closed, also if it could not be created', async () => {
    let closed = 0;
    const onClose = (): void => {
      closed += 1;
    };
    const spool = await SpoolFile.create(join(directory, 'spool'), onClose);
    assert.equal(closed, 0);
    await spool.close();
    await spool.close();
    assert.equal(closed, 1);
    await writeFile(join(directory, 'file'), '');
    await assert.rejects(SpoolFile.create(join(directory, 'file', 'spool'), onClose));
    assert.equal(closed, 2);
  });
});
