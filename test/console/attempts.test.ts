import assert from 'node:assert/strict';
import { mkdtemp } from 'node:fs/promises';
import { BlockList, Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, beforeEach, describe, it } from 'node:test';
import {
  limitAttempts,
  limitNetworks,
  limits,
  takeAttempt,
} from '../../src/console/attempts/limit-attempts.ts';
import { clientAddress, networkOf } from '../../src/http/gate/client-address.ts';
import { networksOf, widestNetworkOf } from '../../src/http/gate/networks.ts';
import { ConsoleClient, newUser, PASSWORD } from '../support/console.ts';
import { forEachEngine } from '../support/engines.ts';
import { parseSamples, startHealthServer } from '../support/health.ts';
import { startTestService, type TestService } from '../support/service.ts';

forEachEngine((engine) => {
  describe('sign-in attempts, on two services that share a database', () => {
    let one: TestService;
    let other: TestService;
    before(async () => {
      const environment = {
        ...(await engine.environment()),
        DATA_DIR: await mkdtemp(join(tmpdir(), 'tradepost-')),
        TRUST_PROXY: '127.0.0.1',
      };
      const shared = { name: engine.name, environment: async () => environment };
      [one, other] = await Promise.all([startTestService(shared), startTestService(shared)]);
    });
    after(async () => {
      await other.stop();
      await one.close();
    });
    beforeEach(() => {
      for (const service of [one, other]) service.passTime(61_000);
    });

    const attempt = async (email: string, password: string, address: string, index: number) =>
      await new ConsoleClient((index % 2 === 0 ? one : other).client).request('POST', '/auth/sign-in/email', {
        json: { email, password },
        headers: { 'x-forwarded-proto': 'https', 'x-forwarded-for': `made.up, ${address}` },
      });

    it('are limited to ten per minute from one network, for all accounts together', async () => {
      const { email } = await newUser(one, await one.newMerchant());
      for (const [index, node] of [one, other].entries()) {
        for (let time = 0; time < 4; time += 1)
          await limitAttempts(node, limits.signInByNetwork, '2001:db8:0:0');
        assert.equal((await attempt('nobody@example.com', 'wrong', '2001:db8::1', index)).status, 401);
      }
      for (const index of [0, 1]) {
        const response = await attempt(email, PASSWORD, '2001:db8::2', index);
        assert.equal(response.status, 429);
        assert.ok(Number(response.header('retry-after')) > 0);
        assert.match(response.message, /^Too many attempts\. Try again in \d+ s\.$/);
      }
      assert.equal((await attempt(email, PASSWORD, '192.0.2.7', 0)).status, 200);
      for (const service of [one, other]) service.passTime(61_000);
      assert.equal((await attempt(email, PASSWORD, '2001:db8::1', 1)).status, 200);
    });

    it('do not count for an account once they exceed the limit of their network', async () => {
      const limit = { name: 'test of network', attempts: 10, windowMs: 60_000 };
      const account = { limit: { ...limit, name: 'test of account', attempts: 11 }, subject: 'x' };
      const attempts = Array.from({ length: 100 }, () => limitNetworks(one, limit, '198.51.101.7', account));
      const rejected = (await Promise.allSettled(attempts)).filter(({ status }) => status === 'rejected');
      assert.equal(rejected.length, 90);
      await limitNetworks(other, limit, '198.51.101.8', account);
      await assert.rejects(limitNetworks(one, limit, '198.51.101.9', account), /Too many attempts/);
    });

    it('are also limited per wider network: IPv6 /56 and /48, IPv4 /24', async () => {
      // Each address is a different subscriber's. `outside` is the first in the next wider network.
      const cases: { taken: (index: number) => string; allowed: number; outside: string }[] = [
        { taken: (index) => `2001:db8:1:${index}::1`, allowed: 20, outside: '2001:db8:1:100::1' },
        { taken: (index) => `2001:db8:2:${index.toString(16)}00::1`, allowed: 40, outside: '2001:db8:3::1' },
        { taken: (index) => `203.0.113.${index}`, allowed: 60, outside: '203.0.114.0' },
      ];
      const limit = { name: 'test of networks', attempts: 10, windowMs: 60_000 };
      for (const { taken, allowed, outside } of cases) {
        for (let index = 0; index < allowed; index += 1) await limitNetworks(one, limit, taken(index));
        await assert.rejects(limitNetworks(other, limit, taken(allowed)), /Too many attempts/);
        await limitNetworks(other, limit, outside);
      }
    });

    it('do not count toward wider networks once they exceed the limit of their own network', async () => {
      const limit = { name: 'test of one network', attempts: 10, windowMs: 60_000 };
      const attempts = Array.from({ length: 100 }, () => limitNetworks(one, limit, '198.51.100.7'));
      const rejected = (await Promise.allSettled(attempts)).filter(({ status }) => status === 'rejected');
      assert.equal(rejected.length, 90);
      await limitNetworks(one, limit, '198.51.100.8');
    });

    it('are limited to fifty per hour for one email, from any network and whether or not it has an account', async () => {
      const { email } = await newUser(one, await one.newMerchant());
      for (const address of [email, 'unknown@example.com']) {
        for (let time = 0; time < 49; time += 1) await limitAttempts(one, limits.signInByAccount, address);
        assert.equal((await attempt(address.toUpperCase(), 'wrong', '198.51.100.1', 1)).status, 401);
        assert.equal((await attempt(address, PASSWORD, '198.51.100.2', 0)).status, 429);
        assert.equal((await attempt(address, PASSWORD, '198.51.100.3', 1)).status, 429);
      }
    });

    it('are counted in a metric when they are rejected', async (t) => {
      const getHealth = await startHealthServer(t, one.health);
      const counted = async (): Promise<number> =>
        parseSamples((await getHealth('/metrics')).text).get(
          'tradepost_rate_limited_total{limit="console"}',
        ) ?? 0;
      const before = await counted();
      for (let time = 0; time < 10; time += 1) await limitAttempts(one, limits.signInByNetwork, '192.0.2.9');
      for (let time = 0; time < 3; time += 1) {
        assert.equal((await attempt('nobody@example.com', 'wrong', '192.0.2.9', 0)).status, 429);
      }
      assert.equal((await attempt('nobody@example.com', 'wrong', '192.0.2.10', 0)).status, 401);
      assert.equal((await counted()) - before, 3);
    });

    it('are all counted, even when they are concurrent', async () => {
      const limit = { name: 'test', attempts: 5, windowMs: 60_000 };
      const waits = await Promise.all(
        Array.from({ length: 20 }, (_, index) => takeAttempt(index % 2 === 0 ? one : other, limit, 'x')),
      );
      assert.equal(waits.filter((wait) => wait === 0).length, 5);
    });
  });
});

it('treats all addresses of one subscriber as one network', () => {
  assert.equal(networkOf('192.0.2.1'), '192.0.2.1');
  assert.equal(networkOf('::ffff:192.0.2.1'), '192.0.2.1');
  assert.equal(networkOf('2001:db8:0:1::1'), networkOf('2001:0db8:0000:0001:ffff::9'));
  assert.notEqual(networkOf('2001:db8:0:1::1'), networkOf('2001:db8:0:2::1'));
  assert.equal(networkOf('::1'), networkOf('::2'));
  assert.equal(networkOf('fe80::1%eth0'), 'fe80:0:0:0');
  for (const mapped of ['::ffff:c000:201', '0:0:0:0:0:ffff:192.0.2.1'])
    assert.equal(networkOf(mapped), '192.0.2.1');
  assert.equal(networkOf('64:ff9b::192.0.2.1'), '64:ff9b:0:0');
  // Groups after the `::` can belong to the /64.
  assert.equal(networkOf('2001::1:2:3:4:5'), '2001:0:0:1');
  assert.equal(networkOf('::db8:1:2:3:4:5:6'), '0:db8:1:2');
});

it('names the wider networks of an address', () => {
  const names = (address: string): string[] => networksOf(address).map(({ name }) => name);
  assert.deepEqual(names('192.0.2.1'), ['192.0.2.1', '192.0.2.0/24']);
  assert.deepEqual(names('::ffff:192.0.2.1'), ['192.0.2.1', '192.0.2.0/24']);
  assert.deepEqual(names('2001:db8:0:1234::1'), [
    '2001:db8:0:1234',
    '2001:db8:0:1200::/56',
    '2001:db8:0::/48',
  ]);
  assert.equal(widestNetworkOf('2001:db8::1'), widestNetworkOf('2001:db8:0:ffff::1'));
  assert.notEqual(widestNetworkOf('2001:db8::1'), widestNetworkOf('2001:db8:1::1'));
  assert.equal(widestNetworkOf('2001::1:2:3:4:5'), '2001:0:0::/48');
  assert.deepEqual(names('unknown'), ['unknown']);
});

it('ignores the port that a proxy appends to the address of a client', () => {
  const trusted = new BlockList();
  trusted.addAddress('127.0.0.1');
  trusted.addAddress('10.0.0.7');
  const addressIn = (header: string): string =>
    clientAddress(
      {
        headers: { 'x-forwarded-for': header },
        socket: Object.defineProperty(new Socket(), 'remoteAddress', { value: '127.0.0.1' }),
      },
      trusted,
    );
  for (const [header, address] of [
    ['198.51.100.7:4711', '198.51.100.7'],
    ['198.51.100.7', '198.51.100.7'],
    ['[2001:db8::1]:4711', '2001:db8::1'],
    ['[2001:db8::1]', '2001:db8::1'],
    ['2001:db8::4711', '2001:db8::4711'],
    ['192.0.2.1, 198.51.100.7:4711, 10.0.0.7:80', '198.51.100.7'],
    ['unknown', 'unknown'],
    ['[not an address]:80', '[not an address]:80'],
    ['198.51.100.7:http', '198.51.100.7:http'],
    ['300.1.1.1:80', '300.1.1.1:80'],
  ] as const) {
    assert.equal(addressIn(header), address);
  }
});
