import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readdir, readFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { buildDebianPackage } from '../../../release/debian-package.ts';
import { until } from '../../support/until.ts';
import { BootedDebian } from './booted.ts';
import { ServiceByHand } from './by-hand.ts';
import { page } from './page.ts';
import { cannotMakeRoot, copyRoot, Debian, makeRoot, runIn } from './root.ts';

const SECONDS_TO_FIRST_PAGE = 60;
const CATALOG = 'identifier,title\npot,Blue pot\n';
const CREATE = 'tradepost merchants create --name "Harbour Home"';
const IMPORT = 'tradepost import products /tmp/catalog.csv --merchant "Harbour Home"';

const skipPackage = await cannotMakeRoot();
const skipBooted = skipPackage || (await cannotMakeRoot(['systemd-nspawn', 'nsenter', 'pgrep']));

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  assert(address !== null && typeof address === 'object');
  server.close();
  return address.port;
}

const tokenIn = (output: string): string => /tp_\w+/.exec(output)?.[0] ?? assert.fail(output);

/** The package of a release, and one of a higher version. */
async function packagesOf(release: string, directory: string): Promise<[file: string, higher: string]> {
  const architecture = process.arch === 'arm64' ? 'arm64' : 'x64';
  const ending = architecture === 'arm64' ? 'arm64.deb' : 'amd64.deb';
  const name = (await readdir(release)).find((each) => each.endsWith(ending)) ?? assert.fail();
  const executable = join(release, `tradepost-linux-${architecture}`);
  const licenses = await readFile(join(release, 'LICENSES.txt'), 'utf8');
  const built = { version: '999.0.0', architecture, executable, licenses, time: 0 } as const;
  return [join(release, name), await buildDebianPackage(built, directory)];
}

/** The commands of the deploy guide, in their order. */
async function guideCommands(): Promise<string[]> {
  const guide = await readFile(join(import.meta.dirname, '../../../docs/how-to/deploy.md'), 'utf8');
  const blocks = [...guide.matchAll(/^```sh\n([^`]*)^```$/gm)];
  return blocks.flatMap(([, block = '']) => block.trim().split('\n'));
}

/** Tests the Debian package of a release, which is built before they run, in roots below a directory. */
export function testDebianPackage(built: () => { release: string; workspace: string }): void {
  describe('the Debian package', { skip: skipPackage }, () => {
    let [file, higher, base] = ['', '', ''];
    before(async () => {
      const { release, workspace } = built();
      [file, higher] = await packagesOf(release, workspace);
      base = join(workspace, 'debian');
      await makeRoot(base, ['systemd-sysv']);
    });

    it('has no errors and no warnings of lintian', async () => {
      const { status, output } = await runIn(['lintian', '--fail-on', 'error,warning', file]);
      assert.equal(status, 0, output);
      assert.doesNotMatch(output, /^[EW]:/m);
    });

    it('is one of the files that SHA256SUMS lists, for each processor', async () => {
      const sums = await readFile(join(built().release, 'SHA256SUMS'), 'utf8');
      assert.match(sums, / {2}tradepost_[\d.]+_amd64\.deb$/m);
      assert.match(sums, / {2}tradepost_[\d.]+_arm64\.deb$/m);
    });

    it('is installed with at most six commands of the guide', async () => {
      const commands = await guideCommands();
      assert.ok(commands.length > 0 && commands.length <= 6, commands.join('\n'));
    });

    describe('without systemd as the first process', () => {
      let debian: Debian;
      let [token, url] = ['', ''];
      let service: ServiceByHand | undefined;
      const products = async (): Promise<string> =>
        (await page(`${url}/v1/products.json?access_token=${token}`)).text;
      before(async () => {
        const root = join(built().workspace, 'chroot');
        await copyRoot(base, root);
        await runIn(['mount', '-t', 'proc', 'proc', join(root, 'proc')]);
        debian = new Debian(root);
        await debian.write('/tmp/catalog.csv', CATALOG);
      });
      after(async () => {
        await service?.stop();
        await runIn(['umount', join(debian.root, 'proc')]);
      });

      it('serves a page with data after three commands, within 60 seconds', async (t) => {
        const inside = await debian.receive(file);
        const started = performance.now();
        const output = await debian.run(`apt-get install --yes ${inside}`);
        assert.match(output, /so the service was not started\.\nTo start it, run "tradepost serve"/);
        const port = await freePort();
        url = `https://127.0.0.1:${port}`;
        await debian.set('HOST=127.0.0.1', `PORT=${port}`, 'METRICS_ADDRESS=off');
        service = await ServiceByHand.start(debian);
        const { status } = await page(await service.setUpLink());
        assert.equal(status, 200);
        token = tokenIn(await debian.run(CREATE));
        assert.match(await debian.run(IMPORT), /^1 created/m);
        assert.match(await products(), /Blue pot/);
        const seconds = (performance.now() - started) / 1000;
        t.diagnostic(`from apt-get install to the first page with data: ${seconds.toFixed(1)} s`);
        assert.ok(seconds < SECONDS_TO_FIRST_PAGE, `${seconds} s`);
      });

      it('keeps data and settings from other users', async () => {
        assert.equal(await debian.facts('/var/lib/tradepost'), 'tradepost tradepost 700');
        assert.equal(await debian.facts('/var/lib/tradepost/tradepost.db'), 'tradepost tradepost 600');
        assert.equal(await debian.facts('/etc/tradepost'), 'root tradepost 750');
        assert.equal(await debian.facts('/etc/tradepost/tradepost.env'), 'root tradepost 640');
        assert.equal(await debian.facts('/usr/lib/tradepost/tradepost'), 'root root 755');
      });

      it('runs commands with the settings as systemd reads them', async () => {
        await debian.set(`BRAND_NAME='Kim & Co; $HOME'`, '# BASE_PATH=/x', '  LOG_LEVEL=info');
        const doctor = await debian.run('tradepost doctor');
        assert.match(doctor, /^ok +settings: all are valid$/m);
        assert.match(await debian.run('tradepost --version'), /^tradepost \d/);
        await debian.set('LOG_LEVEL=loud');
        assert.match((await debian.try('tradepost doctor')).output, /LOG_LEVEL/);
        await debian.set('LOG_LEVEL=info');
        const asNobody = 'setpriv --reuid=nobody --clear-groups tradepost merchants list';
        const { status, output } = await debian.try(asNobody);
        assert.deepEqual([status, /run this as root/.test(output)], [1, true]);
      });

      it('keeps data and settings when it is upgraded', async () => {
        await service?.stop();
        const settings = await debian.read('/etc/tradepost/tradepost.env');
        await debian.run(`apt-get install --yes ${await debian.receive(higher)}`);
        assert.match(await debian.run('dpkg-query --show tradepost'), /\t999\.0\.0$/m);
        assert.equal(await debian.read('/etc/tradepost/tradepost.env'), settings);
        service = await ServiceByHand.start(debian);
        assert.match(await products(), /Blue pot/);
      });

      it('keeps data and settings when it is removed, and uses them again', async () => {
        await service?.stop();
        await debian.run('apt-get remove --yes tradepost');
        assert.equal(await debian.facts('/var/lib/tradepost/tradepost.db'), 'tradepost tradepost 600');
        await debian.run('test ! -e /usr/lib/tradepost');
        await debian.run(`apt-get install --yes ${await debian.receive(file)}`);
        service = await ServiceByHand.start(debian);
        assert.match(await products(), /Blue pot/);
        await service.stop();
        service = undefined;
      });

      it('asks before it deletes the data, and keeps it without a yes', async () => {
        const isThere = async (): Promise<boolean> =>
          (await debian.try('test -e /var/lib/tradepost/tradepost.db')).status === 0;
        const install = `apt-get install --yes ${await debian.receive(file)}`;
        const ask = { environment: { DEBIAN_FRONTEND: 'teletype' } };
        assert.match(
          await debian.run('dpkg --purge tradepost'),
          /The data in \/var\/lib\/tradepost was kept/,
        );
        await debian.run('test ! -e /etc/tradepost');
        assert.equal(await isThere(), true);
        await debian.run(install);
        const output = await debian.run('dpkg --purge tradepost', { ...ask, input: 'no\n' });
        assert.match(output, /Delete all data of Tradepost\?/);
        assert.equal(await isThere(), true);
        await debian.run(install);
        await debian.run('dpkg --purge tradepost', { ...ask, input: 'yes\n' });
        await debian.run('test ! -e /var/lib/tradepost');
      });
    });

    describe('under systemd', { skip: skipBooted }, () => {
      let debian: BootedDebian | undefined;
      before(async () => {
        const root = join(built().workspace, 'booted');
        await copyRoot(base, root);
        // In the container, there is no network to get them.
        const dependencies = 'apt-get install --yes --no-install-recommends adduser libatomic1 libstdc++6';
        await new Debian(root).run(dependencies);
        debian = await BootedDebian.boot(root);
      });
      after(() => debian?.stop());

      it('starts the service, prints a link that sets up the marketplace, and restarts it when it is upgraded', async (t) => {
        if (debian === undefined) return t.skip('systemd does not run in a container on this machine');
        const { network } = debian;
        await debian.write('/root/catalog.csv', CATALOG);
        const inside = await debian.receive(file);
        const started = performance.now();
        const output = await debian.run(`apt-get install --yes ${inside}`);
        const link = /https:\S+set-up#token=\S+/.exec(output)?.[0] ?? assert.fail(output);
        assert.equal((await page(link.replace(/\/\/[^:]+/, '//127.0.0.1'), network)).status, 200);
        const token = tokenIn(await debian.run(CREATE));
        await debian.run('cp /root/catalog.csv /tmp/');
        await debian.run(IMPORT);
        const url = `https://127.0.0.1:8443/v1/products.json?access_token=${token}`;
        assert.match((await page(url, network)).text, /Blue pot/);
        const seconds = (performance.now() - started) / 1000;
        t.diagnostic(`from apt-get install to the first page with data: ${seconds.toFixed(1)} s`);
        assert.ok(seconds < SECONDS_TO_FIRST_PAGE, `${seconds} s`);

        const process = (): Promise<string> =>
          debian?.run('systemctl show -P MainPID tradepost') ?? assert.fail();
        const former = await process();
        await debian.run(`apt-get install --yes ${await debian.receive(higher)}`);
        assert.notEqual(await process(), former);
        const isServing = async (): Promise<boolean> => (await debian?.try('tradepost health'))?.status === 0;
        await until(isServing);
        assert.match((await page(url, network)).text, /Blue pot/);
        assert.equal((await debian.try('systemctl is-enabled tradepost')).output, 'enabled\n');
        await debian.run('apt-get remove --yes tradepost');
        assert.notEqual((await debian.try('systemctl is-active tradepost')).output, 'active\n');
        await debian.run('test -e /var/lib/tradepost/tradepost.db');
      });

      it('is installed, restarted and backed up with the commands of the guide', async (t) => {
        if (debian === undefined) return t.skip('systemd does not run in a container on this machine');
        await debian.run('dpkg --purge tradepost && rm -rf /var/lib/tradepost && mkdir /tmp/release');
        const inside = await debian.receive(file);
        await debian.receive(join(built().release, 'SHA256SUMS'));
        await debian.run(`mv ${inside} /root/SHA256SUMS /tmp/release`);
        for (const command of await guideCommands()) {
          const output = await debian.run(`cd /tmp/release && ${command.replace('apt ', 'apt-get --yes ')}`);
          assert.doesNotMatch(output, /^(problem|warning)/m);
        }
        await debian.run('test -s /var/lib/tradepost/first.db && test -s /var/lib/tradepost/encryption.keys');
        // The way back of the upgrade guide stops the service first.
        await debian.run('systemctl stop tradepost');
        await debian.run('apt-get install --yes --reinstall /tmp/release/tradepost_*.deb');
        await until(async () => (await debian?.try('tradepost health'))?.status === 0);
      });

      it('keeps the port while the service restarts, once the socket is enabled, and closes it when the service stops', async (t) => {
        if (debian === undefined) return t.skip('systemd does not run in a container on this machine');
        const { network } = debian;
        const socket = async (): Promise<string> =>
          (await debian?.try('systemctl is-active tradepost.socket'))?.output ?? '';
        await debian.run('systemctl enable tradepost.socket');
        await debian.run('systemctl stop tradepost');
        await debian.run('systemctl start tradepost');
        for (let time = 0; time < 3; time += 1) {
          // Right after the start, no process accepts connections yet.
          assert.equal((await page('https://127.0.0.1:8443/openapi.json', network)).status, 200);
          assert.equal(await socket(), 'active\n');
          await debian.run('systemctl restart tradepost');
        }
        await debian.run('systemctl stop tradepost');
        assert.equal(await socket(), 'inactive\n');
        await assert.rejects(page('https://127.0.0.1:8443/openapi.json', network), /ECONNREFUSED/);
        assert.equal((await debian.try('systemctl is-active tradepost')).output, 'inactive\n');
      });
    });
  });
}
