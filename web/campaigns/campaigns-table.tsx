import type { CampaignPage } from '../../src/console/console-api.ts';
import { useFormats } from '../format/use-formats.ts';
import { Chip } from '../ui/chip.tsx';
import { valueOrDash } from '../ui/empty-value.tsx';
import styles from './campaigns.module.css';

/** The amounts of a campaign, with the labels of the form and of the table's columns. */
export const amountFields = [
  { name: 'bid_amount', label: 'Bid amount', short: 'Bid' },
  { name: 'daily_budget', label: 'Daily budget', short: 'Daily' },
  { name: 'daily_budget_per_product', label: 'Daily budget per product', short: 'Daily / product' },
  { name: 'lifetime_budget', label: 'Lifetime budget', short: 'Lifetime' },
  { name: 'lifetime_budget_per_product', label: 'Lifetime budget per product', short: 'Lifetime / product' },
] as const;

export function CampaignsTable({ campaigns }: { campaigns: CampaignPage['campaigns'] }) {
  const { amount, time, day } = useFormats();
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
                <span className={styles.name}>{campaign.name}</span>
                <span className="muted small">{campaign.type}</span>
              </td>
              <td data-label="Status">
                <Chip tone={campaign.status === 'Active' ? 'good' : 'quiet'}>{campaign.status}</Chip>
              </td>
              {amountFields.map(({ name, label }) => (
                <td key={name} data-label={label} className="number">
                  {valueOrDash(campaign[name], amount)}
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
