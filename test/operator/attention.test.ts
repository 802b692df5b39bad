import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { attentionOf, type OverviewFindings } from '../../src/operator/overview/attention.ts';

const quiet: OverviewFindings = {
  installation: [],
  release: null,
  queues: {
    events: { waiting: 3, oldest_seconds: 60 },
    webhooks: { enabled: 5, failing: 1, disabled: 1, waiting: 0, oldest_seconds: 60 },
    mails: { waiting: 2, oldest_seconds: 900 },
    imports: { running: 1 },
  },
  calls: { current: 1_000, previous: 1_000 },
  failedCalls: { current: 49, previous: 0 },
  merchantsWithFailingCalls: 0,
  merchantsWithFailingWebhooks: 0,
  ownFailingWebhooks: 0,
};

const concernsOf = (findings: Partial<OverviewFindings>): string[] =>
  attentionOf({ ...quiet, ...findings }).map(({ concern }) => concern);

describe('what needs attention', () => {
  it('is nothing while queues move and few calls fail', () => {
    assert.deepEqual(concernsOf({}), []);
    assert.deepEqual(concernsOf({ failedCalls: { current: 200, previous: 101 } }), []);
    const few = { current: 99, previous: 0 };
    assert.deepEqual(concernsOf({ calls: few, failedCalls: few }), []);
  });

  it('is a queue whose oldest entry waits too long', () => {
    const { queues } = quiet;
    for (const [queue, seconds, concern] of [
      ['events', 61, 'events_late'],
      ['webhooks', 61, 'webhooks_late'],
      ['mails', 901, 'mails_late'],
    ] as const) {
      const late = { ...queues, [queue]: { ...queues[queue], oldest_seconds: seconds } };
      assert.deepEqual(concernsOf({ queues: late }), [concern]);
    }
  });

  it('is a share of failed calls that is high, and twice as high as before', () => {
    assert.deepEqual(concernsOf({ failedCalls: { current: 50, previous: 25 } }), ['calls_failing_more']);
    const [found] = attentionOf({ ...quiet, failedCalls: { current: 200, previous: 100 } });
    assert.equal(found?.count, 200);
    assert.equal(
      found?.message,
      '20.0% of calls failed in the last 24 hours, and 10.0% in the 24 hours before.',
    );
  });

  it('is a newer version: after everything else, or before other urgent things if it fixes a vulnerability', () => {
    const release = { version: '0.2.0', installed: '0.1.0', isSecurity: false, url: null };
    const others = { merchantsWithFailingCalls: 1 };
    assert.deepEqual(concernsOf({ ...others, release }), ['merchants_calls_failing', 'new_release']);
    const security = { ...release, isSecurity: true };
    assert.deepEqual(concernsOf({ ...others, release: security }), [
      'security_release',
      'merchants_calls_failing',
    ]);
  });

  it('is what doctor finds: problems before everything else, warnings last', () => {
    const warning = {
      check: 'disk',
      result: 'warning',
      message: '800 MB free',
      advice: 'free up space',
    } as const;
    const problem = { ...warning, check: 'certificate', result: 'problem', message: 'expired' } as const;
    const found = attentionOf({
      ...quiet,
      merchantsWithFailingCalls: 1,
      installation: [warning, problem, { ...problem, message: 'not valid for shop.example' }],
    });
    assert.deepEqual(
      found.map(({ concern, count, message, call }) => [concern, count, message, call]),
      [
        [
          'installation_problems',
          2,
          'Check of the installation: certificate: expired. And 1 more.',
          'system',
        ],
        [
          'merchants_calls_failing',
          1,
          'Many recent calls of these merchants failed.',
          'merchants?failing=calls',
        ],
        ['installation_warnings', 1, 'Check of the installation: disk: 800 MB free.', 'system'],
      ],
    );
  });

  it('is listed with the most urgent first', () => {
    const { queues } = quiet;
    assert.deepEqual(
      concernsOf({
        queues: { ...queues, events: { waiting: 1, oldest_seconds: 100 } },
        merchantsWithFailingCalls: 2,
        merchantsWithFailingWebhooks: 1,
        ownFailingWebhooks: 1,
      }),
      ['events_late', 'operator_webhooks_failing', 'merchants_calls_failing', 'merchants_webhooks_failing'],
    );
  });
});
