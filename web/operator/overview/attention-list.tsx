import { Button } from '@mantine/core';
import { useFormats } from '../../format/use-formats.ts';
import rows from '../../overview/overview.module.css';
import { IconAlertTriangle, IconCircleCheck } from '../../ui/icons.ts';
import { LinkButton } from '../../ui/link-button.tsx';
import { Panel } from '../../ui/panel.tsx';
import type { MerchantSearch } from '../merchants/queries.ts';
import { MARKETPLACE } from '../webhooks/tabs.ts';
import styles from './overview.module.css';
import type { Attention } from './queries.ts';

/** The page that lists what a concern is about, if one does. */
const lists: Partial<
  Record<
    Attention['concern'],
    {
      to: '/calls' | '/events' | '/webhooks' | '/merchants' | '/system';
      search?: MerchantSearch | { state: string };
    }
  >
> = {
  installation_problems: { to: '/system' },
  installation_warnings: { to: '/system' },
  security_release: { to: '/system' },
  new_release: { to: '/system' },
  events_late: { to: '/events' },
  webhooks_late: { to: '/webhooks' },
  operator_webhooks_failing: { to: '/webhooks', search: { state: MARKETPLACE } },
  calls_failing_more: { to: '/calls' },
  merchants_calls_failing: { to: '/merchants', search: { failing: 'calls' } },
  merchants_webhooks_failing: { to: '/merchants', search: { failing: 'webhooks' } },
};

const nouns: Record<Attention['concern'], string> = {
  installation_problems: 'problem',
  installation_warnings: 'warning',
  security_release: 'security release',
  new_release: 'new version',
  events_late: 'event',
  webhooks_late: 'webhook',
  mails_late: 'email',
  operator_webhooks_failing: 'webhook',
  calls_failing_more: 'failed call',
  merchants_calls_failing: 'merchant',
  merchants_webhooks_failing: 'merchant',
};

/** Other concerns are warnings. */
const urgent: readonly Attention['concern'][] = [
  'installation_problems',
  'security_release',
  'events_late',
  'webhooks_late',
  'mails_late',
];

/** What needs attention, the most urgent first, each with the list of what is concerned. */
export function AttentionList({ attention }: { attention: readonly Attention[] }) {
  const { count } = useFormats();
  if (attention.length === 0)
    return (
      <Panel>
        <div className={styles.calm}>
          <IconCircleCheck size={26} />
          <p>
            <strong>Nothing needs attention.</strong>{' '}
            <span className="muted">
              Events, webhooks, and emails are on time, and every merchant’s software works.
            </span>
          </p>
        </div>
      </Panel>
    );
  return (
    <Panel title="Needs attention" flush>
      <ul className={rows.rows}>
        {attention.map(({ concern, count: number, message, url }) => {
          const list = lists[concern];
          return (
            <li key={concern}>
              <span className={styles.concern} data-tone={urgent.includes(concern) ? 'bad' : 'warn'}>
                <IconAlertTriangle size={20} />
                <span>
                  <strong>{count(number, nouns[concern])}</strong>
                  <br />
                  {message}
                </span>
              </span>
              {url !== null && (
                <Button
                  component="a"
                  href={url}
                  target="_blank"
                  rel="noreferrer"
                  variant="default"
                  size="compact-sm"
                >
                  How to upgrade
                </Button>
              )}
              {url === null && list !== undefined && (
                <LinkButton {...list} variant="default" size="compact-sm">
                  Show {count(number, nouns[concern])}
                </LinkButton>
              )}
            </li>
          );
        })}
      </ul>
    </Panel>
  );
}
