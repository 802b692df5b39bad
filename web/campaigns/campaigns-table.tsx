import { Link } from '@tanstack/react-router';
import type { CampaignPage } from '../../src/console/console-api.ts';
import { useFormats } from '../format/use-formats.ts';
import { valueOrDash } from '../ui/empty-value.tsx';
import { amountFields } from './amounts.ts';
import { CampaignStatusChip } from './campaign-status.tsx';
import styles from './campaigns.module.css';

export function CampaignsTable({ campaigns }: { campaigns: CampaignPage['campaigns'] }) {
  const { money, time, day } = useFormats();
  return (
    <div className="table-frame">
      <table className="table cards">
        <thead>
          <tr>
            <th scope="col">Campaign</th>
            <th scope="col">Status</th>
            {amountFields.map(({ name, short }) => (
              <th key={name} scope="col" className="number">
                {short}
              </th>
            ))}
            <th scope="col" className="number">
              Created
            </th>
          </tr>
        </thead>
        <tbody>
          {campaigns.map((campaign) => (
            <tr key={campaign.internal_id}>
              <td className="lead">
                <Link
                  to="/campaigns/$campaign"
                  params={{ campaign: campaign.internal_id }}
                  className={styles.name ?? ''}
                >
                  {campaign.name}
                </Link>
                <span className="muted small">{campaign.type}</span>
              </td>
              <td data-label="Status">
                <CampaignStatusChip status={campaign.status} />
              </td>
              {amountFields.map(({ name, label }) => (
                <td key={name} data-label={label} className="number">
                  {valueOrDash(campaign[name], money)}
                </td>
              ))}
              <td data-label="Created" className="number">
                <time dateTime={campaign.created_at} title={time(campaign.created_at)}>
                  {day(campaign.created_at)}
                </time>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
