import type { Finding } from '../../doctor/finding.ts';
import type { NewRelease } from '../../releases/release-notice.ts';
import type { Queues } from './read-queues.ts';

/** Older events are not numbered by any process. */
const MAX_OUTBOX_SECONDS = 60;
const MAX_MAIL_SECONDS = 15 * 60;
const MAX_WEBHOOK_SECONDS = 60;
/** Fewer calls say little about the share that fails. */
const MIN_CALLS = 100;
const MIN_FAILED_SHARE = 0.05;
const GROWTH = 2;

/** What needs attention, the most urgent first. */
export const concerns = [
  'installation_problems',
  'security_release',
  'events_late',
  'webhooks_late',
  'mails_late',
  'operator_webhooks_failing',
  'calls_failing_more',
  'merchants_calls_failing',
  'merchants_webhooks_failing',
  'installation_warnings',
  'new_release',
] as const;
export type Concern = (typeof concerns)[number];

export interface Attention {
  concern: Concern;
  /** What is concerned: findings, releases, events, webhooks, mails, calls or merchants. */
  count: number;
  message: string;
  /** The call that lists them, below the base URL; null if no call does. */
  call: string | null;
  /** A page that says how to upgrade to a new release; null for other concerns, and if there is none. */
  url: string | null;
}

type Found = Omit<Attention, 'url'> & Partial<Pick<Attention, 'url'>>;

export interface OverviewFindings {
  /** Of `doctor`. */
  installation: readonly Finding[];
  /** Null if this version is the newest one, as far as is known. */
  release: NewRelease | null;
  queues: Queues;
  calls: { current: number; previous: number };
  failedCalls: { current: number; previous: number };
  merchantsWithFailingCalls: number;
  merchantsWithFailingWebhooks: number;
  ownFailingWebhooks: number;
}

/** Returns what needs attention, the most urgent first. */
export function attentionOf(findings: OverviewFindings): Attention[] {
  const { events, webhooks, mails } = findings.queues;
  const { calls, failedCalls } = findings;
  const share = rateOf(failedCalls.current, calls.current);
  const shareBefore = rateOf(failedCalls.previous, calls.previous);
  const fails = share >= MIN_FAILED_SHARE && share >= shareBefore * GROWTH;
  const found: (Found | false)[] = [
    installationConcern('installation_problems', 'problem', findings.installation),
    releaseConcern('security_release', findings.release),
    events.oldest_seconds > MAX_OUTBOX_SECONDS && {
      concern: 'events_late',
      count: events.waiting,
      message: `Events wait to be numbered, the oldest for ${events.oldest_seconds} s.`,
      call: null,
    },
    webhooks.oldest_seconds > MAX_WEBHOOK_SECONDS && {
      concern: 'webhooks_late',
      count: webhooks.waiting,
      message: `Messages to these webhooks wait to be sent, the oldest for ${webhooks.oldest_seconds} s.`,
      call: null,
    },
    mails.oldest_seconds > MAX_MAIL_SECONDS && {
      concern: 'mails_late',
      count: mails.waiting,
      message: `Mails wait, the oldest for ${mails.oldest_seconds} s. The mail server may refuse them.`,
      call: null,
    },
    findings.ownFailingWebhooks > 0 && {
      concern: 'operator_webhooks_failing',
      count: findings.ownFailingWebhooks,
      message: 'Webhooks of the marketplace fail, or were disabled automatically.',
      call: 'webhooks',
    },
    calls.current >= MIN_CALLS &&
      fails && {
        concern: 'calls_failing_more',
        count: failedCalls.current,
        message: `${percent(share)} of calls failed in the last 24 hours, and ${percent(shareBefore)} in the 24 hours before.`,
        call: 'calls',
      },
    findings.merchantsWithFailingCalls > 0 && {
      concern: 'merchants_calls_failing',
      count: findings.merchantsWithFailingCalls,
      message: 'Many recent calls of these merchants failed.',
      call: 'merchants?failing=calls',
    },
    findings.merchantsWithFailingWebhooks > 0 && {
      concern: 'merchants_webhooks_failing',
      count: findings.merchantsWithFailingWebhooks,
      message: 'Webhooks of these merchants fail, or were disabled automatically.',
      call: 'merchants?failing=webhooks',
    },
    installationConcern('installation_warnings', 'warning', findings.installation),
    releaseConcern('new_release', findings.release),
  ];
  return found.filter((each) => each !== false).map((each) => ({ url: null, ...each }));
}

function releaseConcern(
  concern: 'security_release' | 'new_release',
  release: NewRelease | null,
): Found | false {
  if (release === null || release.isSecurity !== (concern === 'security_release')) return false;
  const { version, installed, isSecurity, url } = release;
  const message = isSecurity
    ? `Version ${version} is available and fixes a vulnerability in this version, ${installed}.`
    : `Version ${version} is available. This is version ${installed}.`;
  return { concern, count: 1, message, call: 'system', url };
}

function installationConcern(
  concern: Concern,
  result: Finding['result'],
  findings: readonly Finding[],
): Found | false {
  const found = findings.filter((finding) => finding.result === result);
  const [first] = found;
  if (first === undefined) return false;
  const more = found.length === 1 ? '' : ` And ${found.length - 1} more.`;
  const message = `Check of the installation: ${first.check}: ${first.message}.${more}`;
  return { concern, count: found.length, message, call: 'system' };
}

function rateOf(part: number, whole: number): number {
  return whole === 0 ? 0 : part / whole;
}

function percent(share: number): string {
  return `${(share * 100).toFixed(1)}%`;
}
