import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { checkRelease, checkReleaseFeed } from '../../src/doctor/check-release.ts';
import type { OperatorOverview } from '../../src/operator/overview/read-overview.ts';
import type { System } from '../../src/operator/system/read-system.ts';
import { FeedUnusable } from '../../src/releases/newest-release.ts';
import { readFeed } from '../../src/releases/read-feed.ts';
import { findNotice } from '../../src/releases/release-notice.ts';
import { VERSION } from '../../src/version.ts';
import { forEachEngine, sqlite } from '../support/engines.ts';
import { untilNumbered } from '../support/events.ts';
import { startTestService, type TestService } from '../support/service.ts';
import { until } from '../support/until.ts';
import { FeedServer } from './feed-server.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
const PAGE = 'https://shop.example/upgrade';

const noticeOf = ({ database, config }: TestService) => findNotice(database, config.releaseFeed);

const untilVersion = (service: TestService, version: string): Promise<unknown> =>
  until(async () => (await noticeOf(service))?.version === version);

const findingsOf = ({ database, config }: TestService) => checkRelease(database, config);

async function read<Body>(service: TestService, path: string): Promise<Body> {
  const response = await service.operator('GET', path, await service.newOperatorToken());
  assert.equal(response.status, 200, response.text);
  return response.json<Body>();
}

forEachEngine((engine) => {
  describe('the notice of a new version', () => {
    it('is shown in the overview, the state of the service and doctor', async () => {
      await using feed = await FeedServer.start();
      feed.publish({ version: '99.0.0', url: PAGE });
      await using service = await startTestService(engine, { environment: { RELEASE_FEED: feed.url } });
      await untilVersion(service, '99.0.0');
      const { attention } = await read<OperatorOverview>(service, '/overview');
      assert.deepEqual(attention.at(-1), {
        concern: 'new_release',
        count: 1,
        message: `Version 99.0.0 is available. This is version ${VERSION}.`,
        call: 'system',
        url: PAGE,
      });
      const { new_release: release } = await read<System>(service, '/system');
      assert.deepEqual(release, { version: '99.0.0', security: false, url: PAGE });
      assert.deepEqual(await findingsOf(service), [
        {
          check: 'version',
          result: 'ok',
          message: `${VERSION}; version 99.0.0 is available, and ${PAGE} says how to upgrade`,
          advice: null,
        },
      ]);
    });

    it('is urgent if the version fixes a vulnerability', async () => {
      await using feed = await FeedServer.start();
      feed.publish({ version: '99.0.0', security: '98.0.0' });
      await using service = await startTestService(engine, { environment: { RELEASE_FEED: feed.url } });
      await untilVersion(service, '99.0.0');
      const { attention } = await read<OperatorOverview>(service, '/overview');
      const found = attention.find(({ concern }) => concern === 'security_release');
      assert.match(found?.message ?? '', /^Version 99\.0\.0 is available and fixes a vulnerability/);
      assert.equal(found?.url, null);
      assert.equal((await read<System>(service, '/system')).new_release?.security, true);
      const [finding] = await findingsOf(service);
      assert.deepEqual([finding?.result, finding?.advice], ['warning', 'upgrade: docs/how-to/upgrade.md']);
    });

    it('costs one request a day of all processes, which says nothing about the installation', async () => {
      await using feed = await FeedServer.start();
      feed.publish({ version: VERSION });
      const environment = { RELEASE_FEED: feed.url };
      await using service = await startTestService(engine, { environment });
      await untilVersion(service, VERSION);
      await service.stop();
      const same = { name: engine.name, environment: async () => service.environment };
      const second = await startTestService(same);
      // Only a process that could read the feed numbers events.
      await second.newMerchant();
      await untilNumbered(second);
      assert.equal(feed.requests.length, 1);
      second.passTime(DAY_MS);
      await until(() => feed.requests.length === 2);
      await second.stop();
      for (const { target, headers } of feed.requests) {
        assert.equal(target, '/tradepost.json');
        assert.equal(headers['user-agent'], 'Tradepost');
        assert.equal(JSON.stringify(headers).includes(VERSION), false);
      }
    });

    it('keeps the last answer if the feed fails, and warns after three failures in a row', async () => {
      await using feed = await FeedServer.start();
      feed.publish({ version: '99.0.0' });
      await using service = await startTestService(engine, { environment: { RELEASE_FEED: feed.url } });
      await untilVersion(service, '99.0.0');
      feed.respond = (response) => response.writeHead(302, { location: '/elsewhere.json' }).end();
      const fail = async (failures: number): Promise<void> => {
        service.passTime(DAY_MS);
        await until(async () => (await noticeOf(service))?.failures === failures);
      };
      for (const failures of [1, 2]) await fail(failures);
      assert.deepEqual(await checkReleaseFeed(service.database, service.config), []);
      await fail(3);
      const [warning] = await checkReleaseFeed(service.database, service.config);
      assert.equal(
        warning?.message,
        'RELEASE_FEED could not be read the last 3 times: the response has status 302 instead of 200',
      );
      assert.equal((await read<System>(service, '/system')).new_release?.version, '99.0.0');
      assert.equal(feed.requests.length, 4);
      feed.publish({ version: VERSION });
      service.passTime(DAY_MS);
      await untilVersion(service, VERSION);
      assert.deepEqual(await checkReleaseFeed(service.database, service.config), []);
    });

    it('is of the address that is set, and none without one', async () => {
      await using first = await FeedServer.start();
      await using second = await FeedServer.start();
      first.publish({ version: '99.0.0' });
      second.publish({ version: '98.0.0' });
      await using service = await startTestService(engine, { environment: { RELEASE_FEED: first.url } });
      await untilVersion(service, '99.0.0');
      await service.stop();
      const restart = (feed: string): Promise<TestService> =>
        startTestService({
          name: engine.name,
          environment: async () => ({ ...service.environment, RELEASE_FEED: feed }),
        });
      const other = await restart(second.url);
      await untilVersion(other, '98.0.0');
      await other.stop();
      const none = await restart('');
      assert.equal((await read<System>(none, '/system')).new_release, null);
      assert.deepEqual(await findingsOf(none), []);
      await none.stop();
    });
  });
});

describe('reading RELEASE_FEED', () => {
  it('fails with a reason, and soon, if the server sends something else', async () => {
    await using feed = await FeedServer.start();
    const failure = async (respond: FeedServer['respond']): Promise<string> => {
      feed.respond = respond;
      const error: unknown = await readFeed(feed.url, new AbortController().signal).catch((each) => each);
      assert.ok(error instanceof FeedUnusable, String(error));
      return error.message;
    };
    assert.equal(await failure((response) => response.end('<html>')), 'it is not JSON');
    assert.equal(
      await failure((response) => response.writeHead(503).end()),
      'the response has status 503 instead of 200',
    );
    assert.equal(
      await failure((response) => response.end(' '.repeat(65_537))),
      'it has more than 65536 bytes',
    );
    assert.match(await failure((response) => response.destroy()), /^other side closed|socket hang up/);
    const stopped = AbortSignal.abort(new Error('stopping'));
    await assert.rejects(readFeed(feed.url, stopped), FeedUnusable);
  });

  it('is not part of a service without the setting', async () => {
    await using service = await startTestService(sqlite);
    assert.equal(service.config.releaseFeed, null);
    const { new_release: release } = await read<System>(service, '/system');
    assert.equal(release, null);
  });
});
