import { Link } from '@tanstack/react-router';
import { Fragment, type ReactNode } from 'react';
import { useFormats } from '../../format/use-formats.ts';
import tiles from '../../overview/overview.module.css';
import { Panel } from '../../ui/panel.tsx';
import { useCurrencyFormats } from '../currency-formats.ts';
import type { MerchantSearch } from '../merchants/queries.ts';
import styles from './overview.module.css';
import type { Overview } from './queries.ts';

/** How many merchants there are and whose software fails, each linked to its list. */
export function MerchantTiles({ merchants }: { merchants: Overview['merchants'] }) {
  const { whole } = useFormats();
  const shown: { label: string; count: number; isBad?: boolean; search: MerchantSearch }[] = [
    { label: 'Active merchants', count: merchants.active, search: { state: 'active' } },
    { label: 'Suspended', count: merchants.suspended, search: { state: 'suspended' } },
    { label: 'Calls failing', count: merchants.calls_failing, isBad: true, search: { failing: 'calls' } },
    {
      label: 'Webhooks failing',
      count: merchants.webhooks_failing,
      isBad: true,
      search: { failing: 'webhooks' },
    },
  ];
  return (
    <nav aria-label="Merchants">
      <ul className={tiles.orders}>
        {shown.map(({ label, count, isBad = false, search }) => (
          <li key={label}>
            <Link to="/merchants" search={search} className={tiles.tile ?? ''}>
              <span className={tiles.tileValue} data-tone={isBad && count > 0 ? 'bad' : undefined}>
                {whole(count)}
              </span>
              <span>{label}</span>
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}

/** What waits or runs in the whole service, and what ads have cost today. */
export function NowPanel({ overview }: { overview: Overview }) {
  const { whole, count } = useFormats();
  const formatsOf = useCurrencyFormats();
  const { events, webhooks, mails, imports } = overview.queues;
  const waiting = ({ waiting: number, oldest_seconds: age }: Overview['queues']['mails']): string =>
    number === 0 ? 'None waiting' : `${whole(number)} waiting, the oldest for ${count(age, 'second')}`;
  const queues: [label: string, state: ReactNode][] = [
    [
      'Events',
      <Link key="events" to="/events">
        {waiting(events)}
      </Link>,
    ],
    [
      'Webhooks',
      <Fragment key="webhooks">
        <Link to="/webhooks" search={{ state: 'enabled' }}>
          {whole(webhooks.enabled)} enabled
        </Link>
        <Link to="/webhooks">{whole(webhooks.failing)} failing</Link>
        <Link to="/webhooks" search={{ state: 'disabled' }}>
          {whole(webhooks.disabled)} disabled
        </Link>
      </Fragment>,
    ],
    ['Emails', waiting(mails)],
    [
      'Imports',
      <Link key="imports" to="/imports" search={{ state: 'running' }}>
        {imports.running === 0 ? 'None running' : `${whole(imports.running)} running`}
      </Link>,
    ],
    [
      'Ad spend today',
      overview.ad_spend_today.length === 0
        ? 'None'
        : overview.ad_spend_today.map(({ currency, amount }) => (
            <Link key={currency} to="/campaigns" search={{ currency }}>
              {formatsOf(currency).money(amount)}
            </Link>
          )),
    ],
  ];
  return (
    <Panel title="Now" flush>
      <ul className={styles.queues}>
        {queues.map(([label, state]) => (
          <li key={label}>
            <span>{label}</span>
            <div className={styles.states}>{state}</div>
          </li>
        ))}
      </ul>
    </Panel>
  );
}
