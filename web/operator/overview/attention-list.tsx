import { useFormats } from '../../format/use-formats.ts';
import styles from '../../overview/overview.module.css';
import { EmptyState } from '../../ui/empty-state.tsx';
import { IconCircleCheck } from '../../ui/icons.ts';
import { LinkButton } from '../../ui/link-button.tsx';
import { Panel } from '../../ui/panel.tsx';
import type { MerchantSearch } from '../merchants/queries.ts';
import type { Attention } from './queries.ts';

/** The page that lists what a concern is about, if one does. */
const lists: Partial<
  Record<
    Attention['concern'],
    { to: '/calls' | '/events' | '/webhooks' | '/merchants' | '/system'; search?: MerchantSearch }
  >
> = {
  installation_problems: { to: '/system' },
  installation_warnings: { to: '/system' },
  events_late: { to: '/events' },
  webhooks_late: { to: '/webhooks' },
  calls_failing_more: { to: '/calls' },
  merchants_calls_failing: { to: '/merchants', search: { failing: 'calls' } },
  merchants_webhooks_failing: { to: '/merchants', search: { failing: 'webhooks' } },
};

const nouns: Record<Attention['concern'], string> = {
  installation_problems: 'problem',
  installation_warnings: 'warning',
  events_late: 'event',
  webhooks_late: 'webhook',
  mails_late: 'mail',
  operator_webhooks_failing: 'webhook',
  calls_failing_more: 'failed call',
  merchants_calls_failing: 'merchant',
  merchants_webhooks_failing: 'merchant',
};

/** What needs attention, the most urgent first, each with the list of what is concerned. */
export function AttentionList({ attention }: { attention: readonly Attention[] }) {
  const { count } = useFormats();
  return (
    <Panel title="Needs attention" flush>
      {attention.length === 0 ? (
        <EmptyState
          Icon={IconCircleCheck}
          title="Nothing needs attention"
          description="Events, messages and mails are on their way, and the software of all merchants works."
        />
      ) : (
        <ul className={styles.rows}>
          {attention.map(({ concern, count: number, message }) => {
            const list = lists[concern];
            return (
              <li key={concern}>
                <span>
                  <strong>{count(number, nouns[concern])}</strong>
                  <br />
                  {message}
                </span>
                {list !== undefined && (
                  <LinkButton {...list} variant="default" size="compact-sm">
                    Show {count(number, nouns[concern])}
                  </LinkButton>
                )}
              </li>
            );
          })}
        </ul>
      )}
    </Panel>
  );
}
