import { Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { CampaignStatusChip } from '../../campaigns/campaign-status.tsx';
import { Ago } from '../../format/ago.tsx';
import { useFormats } from '../../format/use-formats.ts';
import styles from '../../team/team.module.css';
import { Table } from '../../ui/table.tsx';
import { useCurrencyFormats } from '../currency-formats.ts';
import { useAllows } from '../session.ts';
import type { MerchantCampaign } from './queries.ts';
import type { CampaignState } from './set-campaign-state.tsx';
import { wordType } from './type-words.ts';

interface Props {
  campaigns: readonly MerchantCampaign[];
  onChange: (campaign: MerchantCampaign, state: CampaignState) => void;
}

export function CampaignTable({ campaigns, onChange }: Props) {
  const isAdmin = useAllows('admin');
  const { whole } = useFormats();
  const formatsOf = useCurrencyFormats();
  const spent = ({ currency }: MerchantCampaign, amount: number, budget: number | null) => {
    const { money } = formatsOf(currency);
    return (
      <span className="stack">
        {money(amount)}
        <span className="muted small">{budget === null ? 'no limit' : `of ${money(budget)}`}</span>
      </span>
    );
  };
  return (
    <Table
      rows={campaigns}
      keyOf={({ campaign }) => campaign.internal_id}
      columns={[
        {
          label: 'Campaign',
          kind: 'lead',
          cell: ({ campaign, merchant }) => (
            <span className={styles.lead}>
              <strong>{campaign.name}</strong>
              <span className="muted small">
                <Link to="/merchants/$merchant" params={{ merchant: merchant.external_id }}>
                  {merchant.name}
                </Link>
                , {wordType(campaign.type)}, created <Ago at={campaign.created_at} />
              </span>
            </span>
          ),
        },
        { label: 'State', cell: ({ campaign }) => <CampaignStatusChip status={campaign.status} /> },
        {
          label: 'Spent today',
          kind: 'number',
          cell: (row) => spent(row, row.campaign.spend_today, row.campaign.daily_budget),
        },
        {
          label: 'Spent',
          kind: 'number',
          cell: (row) => spent(row, row.campaign.spend, row.campaign.lifetime_budget),
        },
        {
          label: 'Placements',
          kind: 'number',
          cell: ({ campaign }) => whole(campaign.placements),
        },
        isAdmin && {
          label: 'Actions',
          kind: 'actions',
          cell: (row) => <Actions row={row} onChange={onChange} />,
        },
      ]}
    />
  );
}

function Actions({ row, onChange }: Pick<Props, 'onChange'> & { row: MerchantCampaign }) {
  const { name, status } = row.campaign;
  const button = (label: string, state: CampaignState, color?: string) => (
    <Button
      variant={color === undefined ? 'default' : 'subtle'}
      {...(color !== undefined && { color })}
      size="compact-sm"
      onClick={() => onChange(row, state)}
    >
      {label}
      <span className="visually-hidden"> {name}</span>
    </Button>
  );
  return (
    <span className={styles.actions}>
      {status === 'Active' && button('Pause', 'Paused')}
      {status !== 'Active' && button('Resume', 'Active')}
      {status !== 'Expired' && button('End', 'Expired', 'red')}
    </span>
  );
}
