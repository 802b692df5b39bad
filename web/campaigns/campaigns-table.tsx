import type { CampaignPage } from '../../src/console/console-api.ts';
import { Chip } from '../feedback/chip.tsx';
import { orNothing } from '../feedback/fact.tsx';
import { useFormats } from '../format/use-formats.ts';
import styles from './campaigns.module.css';
import { amountFields } from './fields.ts';

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
            <tr key={campaign.id}>
              <td className="lead">
                <span className={styles.name}>{campaign.name}</span>
                <span className="soft small">{campaign.type}</span>
              </td>
              <td data-label="Status">
                <Chip tone={campaign.status === 'Active' ? 'good' : 'quiet'}>{campaign.status}</Chip>
              </td>
              {amountFields.map(({ name, label }) => (
                <td key={name} data-label={label} className="number">
                  {orNothing(campaign[name], amount)}
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
