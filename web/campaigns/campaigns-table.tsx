import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { Campaign } from '../../src/campaigns/campaign.ts';
import { useFormats } from '../format/use-formats.ts';
import { valueOrDash } from '../ui/empty-value.tsx';
import { Table } from '../ui/table.tsx';
import { SpendBar } from './budget-bar.tsx';
import { CampaignStatusCell } from './campaign-status.tsx';
import styles from './campaigns.module.css';
import { campaignReturnsQuery } from './queries.ts';

export function CampaignsTable({ campaigns }: { campaigns: Campaign[] }) {
  const { money, time, day, whole, multiple } = useFormats();
  const returns = useQuery(campaignReturnsQuery(campaigns)).data?.returns;
  return (
    <Table
      rows={campaigns}
      keyOf={({ internal_id: id }) => id}
      columns={[
        {
          label: 'Campaign',
          kind: 'lead',
          cell: ({ internal_id: id, name, type }) => (
            <>
              <Link to="/campaigns/$campaign" params={{ campaign: id }} className={styles.name ?? ''}>
                {name}
              </Link>
              <span className="muted small">{type}</span>
            </>
          ),
        },
        { label: 'Status', cell: (campaign) => <CampaignStatusCell campaign={campaign} /> },
        { label: 'Bid', kind: 'number', cell: ({ bid_amount: bid }) => valueOrDash(bid, money) },
        {
          label: 'Spent today',
          kind: 'number',
          cell: ({ spend_today: spent, daily_budget: budget }) => <Spend spent={spent} budget={budget} />,
        },
        {
          label: 'Spent in total',
          kind: 'number',
          cell: ({ spend: spent, lifetime_budget: budget }) => <Spend spent={spent} budget={budget} />,
        },
        { label: 'Placements', kind: 'number', cell: ({ placements }) => whole(placements) },
        {
          label: 'Return on spend',
          short: 'Return',
          kind: 'number',
          cell: ({ internal_id: id }) => valueOrDash(returns?.[id] ?? null, multiple),
        },
        {
          label: 'Created',
          kind: 'number',
          cell: ({ created_at: created }) => (
            <time dateTime={created} title={time(created)}>
              {day(created)}
            </time>
          ),
        },
      ]}
    />
  );
}

function Spend({ spent, budget }: { spent: number; budget: number | null }) {
  const { money } = useFormats();
  return (
    <span className={styles.budget}>
      {money(spent)}
      <span className="muted">{budget === null ? ', no limit' : ` of ${money(budget)}`}</span>
      <SpendBar spent={spent} budget={budget} />
    </span>
  );
}
