import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { FeedUnusable, isNewer, parseNewestRelease } from '../../src/releases/newest-release.ts';
import { newReleaseIn } from '../../src/releases/release-notice.ts';

describe('the document of RELEASE_FEED', () => {
  it('names the newest version, and optionally the newest security release and a page', () => {
    const none = { security: null, url: null };
    assert.deepEqual(parseNewestRelease('{"version":"0.2.0"}'), { version: '0.2.0', ...none });
    assert.deepEqual(parseNewestRelease('{"version":"0.2.0","security":null,"later":[1]}'), {
      version: '0.2.0',
      ...none,
    });
    const all = { version: '1.10.0', security: '1.9.2', url: 'https://shop.example/upgrade' };
    assert.deepEqual(parseNewestRelease(JSON.stringify(all)), all);
  });

  it('is as the guide for publishers shows it', () => {
    const guide = readFileSync(join(import.meta.dirname, '../../docs/how-to/verify-a-release.md'), 'utf8');
    const [, example = ''] = /^```json\n(.*?)\n```$/ms.exec(guide) ?? [];
    const { version, security } = parseNewestRelease(example);
    assert.ok(security !== null && isNewer(version, security));
  });

  it('is refused if it is anything else, or leads to another page than one with https://', () => {
    for (const text of [
      '',
      '<html>',
      'null',
      '[]',
      '{}',
      '{"version":2}',
      '{"version":"v0.2.0"}',
      '{"version":"0.2"}',
      '{"version":"0.2.0-rc.1"}',
      '{"version":"0.2.0","security":"0.3.0"}',
      '{"version":"0.2.0","security":true}',
      '{"version":"0.2.0","url":"javascript:alert(1)"}',
      '{"version":"0.2.0","url":"http://shop.example"}',
      `{"version":"0.2.0","url":"https://shop.example/${'x'.repeat(2_000)}"}`,
    ])
      assert.throws(() => parseNewestRelease(text), FeedUnusable, text);
  });
});

describe('a release', () => {
  it('is newer by its numbers', () => {
    assert.deepEqual(
      [isNewer('0.10.0', '0.9.9'), isNewer('1.0.0', '0.99.0'), isNewer('0.9.9', '0.10.0')],
      [true, true, false],
    );
    assert.equal(isNewer('0.1.0', '0.1.0'), false);
  });

  it('is a security release if a vulnerability was fixed since the installed version', () => {
    const newest = { version: '0.3.0', security: '0.2.1', url: null };
    assert.equal(newReleaseIn(newest, '0.2.0')?.isSecurity, true);
    assert.equal(newReleaseIn(newest, '0.2.1')?.isSecurity, false);
    assert.equal(newReleaseIn(newest, '0.3.0'), null);
    assert.equal(newReleaseIn(newest, '0.4.0'), null);
    assert.equal(newReleaseIn({ version: null, security: null, url: null }, '0.2.0'), null);
  });
});
