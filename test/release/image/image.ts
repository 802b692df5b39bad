import assert from 'node:assert/strict';
import { chown, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { readIdentity } from '../../../release/identity.ts';
import { type BuiltImage, buildImages } from '../../../release/image/image.ts';
import { postgres } from '../../support/engines.ts';
import { freePort } from '../../support/postgres/programs.ts';
import { until } from '../../support/until.ts';
import { page } from '../debian/page.ts';
import { cannotMakeRoot, runIn } from '../debian/root.ts';
import { Podman } from './podman.ts';

const ROOT = join(import.meta.dirname, '../../..');
const USER = 10001;
const architecture = process.arch === 'arm64' ? 'arm64' : 'x64';
const { version, commit } = readIdentity();
const IMAGE = `localhost/tradepost:${version}`;

const skipImage = await cannotMakeRoot(['mmdebstrap', 'podman', 'crun', 'nsenter', 'pgrep']);

/** The commands of the guide, by the block that they are in. */
async function guideBlocks(): Promise<string[]> {
  const guide = await readFile(join(ROOT, 'docs/how-to/run-in-a-container.md'), 'utf8');
  const blocks = [...guide.matchAll(/^```sh\n([^`]*)^```$/gm)].map(([, block = '']) => block);
  return blocks.map((block) =>
    block.replaceAll('VERSION', version).replaceAll('amd64', architecture === 'x64' ? 'amd64' : 'arm64'),
  );
}

/** What the kernel says about a process, such as `CapEff`. */
async function facts(pid: string): Promise<Record<string, string>> {
  const lines = (await readFile(`/proc/${pid}/status`, 'utf8')).trim().split('\n');
  return Object.fromEntries(lines.map((line) => line.split(':\t', 2)));
}

async function pidsOf(...filters: string[]): Promise<string[]> {
  const { output } = await runIn(['pgrep', ...filters]);
  return output.split('\n').filter((line) => line !== '');
}

/** Tests the image of a release, which is built before they run, with directories below `workspace`. */
export function testImage(built: () => { release: string; workspace: string }): void {
  describe('the image', { skip: skipImage }, () => {
    const images: BuiltImage[] = [];
    let buildSeconds = 0;
    let podman: Podman;
    let whyNot: string | undefined;
    let [load = '', start = '', commands = '', , , upgrade = ''] = [''];
    const directory = (name: string): string => join(built().workspace, name);
    before(async () => {
      [load = '', start = '', commands = '', , , upgrade = ''] = await guideBlocks();
      const begun = performance.now();
      const names = ['image', 'image-again'];
      const all = await Promise.all(
        names.map((name) => buildImages(built().release, directory(name), [architecture])),
      );
      images.push(...all.flat());
      buildSeconds = (performance.now() - begun) / 1000;
      podman = await Podman.open(directory('podman'));
      await podman.run(load, directory('image'));
      whyNot = await podman.whyNot(IMAGE);
    });
    after(() => podman?.close());

    it('is the same for the same commit, byte for byte', async (t) => {
      t.diagnostic(`two builds side by side: ${buildSeconds.toFixed(1)} s`);
      const [one, other] = images;
      assert(one !== undefined && other !== undefined);
      assert.deepEqual(one, other);
      const sums = (name: string): Promise<string> => readFile(join(directory(name), 'SHA256SUMS'), 'utf8');
      assert.equal(await sums('image'), await sums('image-again'));
    });

    it('says what it is, and which packages it contains', async (t) => {
      const [image] = JSON.parse(await podman.run(`podman image inspect ${IMAGE}`));
      t.diagnostic(`${(image.Size / 1e6).toFixed(0)} MB unpacked`);
      assert.equal(image.Digest, images[0]?.digest);
      const label = (name: string): string => image.Labels[`org.opencontainers.image.${name}`];
      assert.deepEqual(
        [label('version'), label('revision'), label('licenses')],
        [version, commit, 'Apache-2.0'],
      );
      assert.equal(image.Config.User, `${USER}:${USER}`);
    });

    describe('in a container', () => {
      let [pid, token] = ['', ''];
      const log = (): Promise<string> => podman.run('podman logs tradepost');
      const get = (url: string): ReturnType<typeof page> =>
        page(url, ['nsenter', '--target', pid, '--net', '--']);
      const products = (): ReturnType<typeof page> =>
        get(`https://127.0.0.1:8443/v1/products.json?access_token=${token}`);
      const startAsInGuide = async (): Promise<void> => {
        await podman.run(start);
        pid = await podman.inspect('tradepost', 'State.Pid');
        await until(async () => (await log()).includes('"serving"'), { message: 'it does not serve' });
      };

      it('is started with the commands of the guide, and prints a link that sets up the marketplace', async (t) => {
        if (whyNot !== undefined) return t.skip(whyNot);
        const begun = performance.now();
        await startAsInGuide();
        t.diagnostic(`serves after ${((performance.now() - begun) / 1000).toFixed(1)} s`);
        const [, link = ''] = await until(async () => /"setUpLink":"([^"]*)"/.exec(await log()));
        assert.equal((await get(link.replace(/\/\/[^:]+/, '//127.0.0.1'))).status, 200);
        const [doctor = '', create = ''] = commands.trim().split('\n');
        const { output } = await podman.try(doctor);
        assert.match(output, /^ok +settings/m);
        assert.doesNotMatch(output, /^problem/m);
        const created = await podman.run(create);
        token = /tp_\w+/.exec(created)?.[0] ?? assert.fail(created);
        assert.equal((await products()).status, 200);
      });

      it('is not root, has no capabilities, and cannot get any', async (t) => {
        if (whyNot !== undefined) return t.skip(whyNot);
        const processes = [pid, ...(await pidsOf('--parent', pid))];
        assert.equal(processes.length, 2);
        for (const each of processes) {
          const { Uid, Gid, CapEff, CapBnd, NoNewPrivs } = await facts(each);
          const ids = Array(4).fill(USER).join('\t');
          assert.deepEqual([Uid, Gid, Number(CapEff), Number(CapBnd), NoNewPrivs], [ids, ids, 0, 0, '1']);
        }
      });

      it('writes only to the volume', async (t) => {
        if (whyNot !== undefined) return t.skip(whyNot);
        const inside = `/proc/${pid}/root`;
        for (const path of ['etc/passwd', 'usr/bin/tradepost', 'new'])
          await assert.rejects(writeFile(join(inside, path), 'changed'), { code: 'EROFS' });
        const { output } = await runIn([
          'stat',
          '--format=%u %g %a',
          `${inside}/data`,
          `${inside}/data/tradepost.db`,
        ]);
        assert.equal(output, `${USER} ${USER} 700\n${USER} ${USER} 600\n`);
      });

      it('passes the health check while it serves', async (t) => {
        if (whyNot !== undefined) return t.skip(whyNot);
        await podman.run('podman healthcheck run tradepost');
        const elsewhere = '--env METRICS_ADDRESS=127.0.0.1:1';
        const { status, output } = await podman.try(`podman exec ${elsewhere} tradepost tradepost health`);
        assert.deepEqual([status, /No Tradepost responds/.test(output)], [1, true]);
      });

      it('reaps processes whose parent has ended', async (t) => {
        if (whyNot !== undefined) return t.skip(whyNot);
        const settings = 'WORKERS=2 PORT=0 METRICS_ADDRESS=off DATA_DIR=/data/other'.split(' ');
        const options = settings.map((setting) => `--env ${setting}`).join(' ');
        await podman.run(`podman exec --detach ${options} tradepost tradepost serve`);
        // The process that distributes connections, and its two workers.
        const [parent, workers] = await until(async () => {
          for (const each of await pidsOf('--ns', pid, '--nslist', 'pid')) {
            const children = await pidsOf('--parent', each);
            if (children.length === 2) return [each, children] as const;
          }
          return undefined;
        });
        process.kill(Number(parent), 'SIGKILL');
        const areGone = async (): Promise<boolean> =>
          (await runIn(['ps', '--pid', workers.join(',')])).status === 1;
        await until(areGone, { message: 'the workers were not reaped' });
      });

      it('stops cleanly when it is told to, and a new container has the same data', async (t) => {
        if (whyNot !== undefined) return t.skip(whyNot);
        const [dryRun = '', stop = '', remove = ''] = upgrade.trim().split('\n');
        await podman.run(dryRun);
        await podman.run(stop);
        assert.equal(await podman.inspect('tradepost', 'State.ExitCode'), '0');
        assert.match(await log(), /stopping after requests in progress/);
        await podman.run(remove);
        await startAsInGuide();
        assert.equal((await products()).status, 200);
      });

      it('reads its secrets from files, as compose.yaml states, and runs on PostgreSQL', async (t) => {
        if (whyNot !== undefined) return t.skip(whyNot);
        const compose = await readFile(join(ROOT, 'deploy/container/compose.yaml'), 'utf8');
        const [, setting, path] = /^ +(DATABASE_URL_FILE): (\S+)$/m.exec(compose) ?? assert.fail();
        const secret = directory('database-url');
        const { DATABASE_URL = assert.fail() } = await postgres.environment();
        await writeFile(secret, DATABASE_URL, { mode: 0o400 });
        await chown(secret, USER, USER);
        const address = `127.0.0.1:${await freePort()}`;
        const settings = [`${setting}=${path}`, 'HOST=127.0.0.1', 'PORT=0', `METRICS_ADDRESS=${address}`];
        const options = settings.map((each) => `--env ${each}`).join(' ');
        const limits = '--read-only --read-only-tmpfs=false --cap-drop=all --security-opt=no-new-privileges';
        await podman.run(
          `podman run --detach --name on-postgresql --network host ${limits} ${options} \\
            --volume ${secret}:${path}:ro --health-cmd='["tradepost", "health"]' ${IMAGE}`,
        );
        const isServing = async (): Promise<boolean> =>
          (await podman.try('podman healthcheck run on-postgresql')).status === 0;
        const message = (): string => 'it does not serve';
        await until(isServing, { message, intervalMs: 200 });
        const { output } = await podman.try('podman exec on-postgresql tradepost doctor');
        assert.match(
          output,
          /^ok +secrets: .*DATABASE_URL_FILE[\s\S]*^ok +clock: .* the database server's$/m,
        );
        assert.doesNotMatch(await podman.run('podman inspect on-postgresql'), /postgres:\/\//);
      });
    });
  });
}
