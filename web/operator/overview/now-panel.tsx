import { Link } from '@tanstack/react-router';
import facts from '../../campaigns/campaigns.module.css';
import { useFormats } from '../../format/use-formats.ts';
import tiles from '../../overview/overview.module.css';
import { Panel } from '../../ui/panel.tsx';
import type { MerchantSearch } from '../merchants/queries.ts';
import { moneyIn } from './money-in.ts';
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
  const { events, webhooks, mails, imports } = overview.queues;
  const waiting = ({ waiting: number, oldest_seconds: age }: Overview['queues']['mails']): string =>
    number === 0 ? 'None waiting' : `${whole(number)} waiting, the oldest for ${age} s`;
  return (
    <Panel title="Now">
      <dl className={facts.facts}>
        <div>
          <dt>
            <Link to="/events">Events to number</Link>
          </dt>
          <dd>{waiting(events)}</dd>
        </div>
        <div>
          <dt>
            <Link to="/webhooks">Webhooks</Link>
          </dt>
          <dd>
            {whole(webhooks.enabled)} enabled, {whole(webhooks.failing)} failing, {whole(webhooks.disabled)}{' '}
            disabled
          </dd>
        </div>
        <div>
          <dt>Mails</dt>
          <dd>{waiting(mails)}</dd>
        </div>
        <div>
          <dt>
            <Link to="/imports">Imports</Link>
          </dt>
          <dd>{imports.running === 0 ? 'None running' : `${count(imports.running, 'import')} running`}</dd>
        </div>
        <div>
          <dt>
            <Link to="/campaigns">Ad spend today</Link>
          </dt>
          <dd>
            {overview.ad_spend_today.length === 0
              ? 'None'
              : overview.ad_spend_today.map(({ currency, amount }) => moneyIn(currency)(amount)).join(', ')}
          </dd>
        </div>
      </dl>
    </Panel>
  );
}
