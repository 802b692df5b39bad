import { Link } from '@tanstack/react-router';
import type { Campaign } from '../../src/campaigns/campaign.ts';
import { useFormats } from '../format/use-formats.ts';
import { valueOrDash } from '../ui/empty-value.tsx';
import { type Column, Table } from '../ui/table.tsx';
import { amountFields } from './amounts.ts';
import { CampaignStatusChip } from './campaign-status.tsx';
import styles from './campaigns.module.css';

export function CampaignsTable({ campaigns }: { campaigns: Campaign[] }) {
  const { money, time, day } = useFormats();
  const amounts = amountFields.map(
    ({ name, label, short }): Column<Campaign> => ({
      label,
      short,
      kind: 'number',
      cell: (campaign) => valueOrDash(campaign[name], money),
    }),
  );
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
        { label: 'Status', cell: ({ status }) => <CampaignStatusChip status={status} /> },
        ...amounts,
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
