import { useQuery } from '@tanstack/react-query';
import type { Campaign } from '../../src/campaigns/campaign.ts';
import { useFormats } from '../format/use-formats.ts';
import { Panel } from '../ui/panel.tsx';
import { amountFields } from './amounts.ts';
import { CampaignStatusChip, statusTexts } from './campaign-status.tsx';
import styles from './campaigns.module.css';
import { ScheduleRow } from './hourly-schedule.tsx';
import { campaignOverviewQuery } from './queries.ts';

const spendFields = [
  { name: 'spend_today', label: 'Spent today' },
  { name: 'spend', label: 'Spent in total' },
] as const;

/** The status, the budgets, the hours and the other fields of a campaign. */
export function CampaignFacts({ campaign }: { campaign: Campaign }) {
  const { money, time } = useFormats();
  const { data } = useQuery(campaignOverviewQuery);
  const type = data?.types?.find(({ name }) => name === campaign.type);
  return (
    <>
      <Panel title="Status" aside={<CampaignStatusChip status={campaign.status} />}>
        <p>{statusTexts[campaign.status]}</p>
      </Panel>
      <Panel title="Budgets">
        <dl className={styles.facts}>
          {amountFields.map(({ name, label, none }) => {
            const value = campaign[name];
            return (
              <div key={name}>
                <dt>{label}</dt>
                <dd className={value === null ? 'muted' : 'numbers'}>
                  {value === null ? none : money(value)}
                </dd>
              </div>
            );
          })}
          {spendFields.map(({ name, label }) => (
            <div key={name}>
              <dt>{label}</dt>
              <dd className="numbers">{money(campaign[name])}</dd>
            </div>
          ))}
        </dl>
      </Panel>
      <Panel title="Hours">
        <ScheduleRow schedule={campaign.hourly_schedule} />
      </Panel>
      <Panel title="Details">
        <dl className={styles.facts}>
          <div>
            <dt>Type</dt>
            <dd>
              {campaign.type}
              {type?.explanation != null && <span className="muted small">{type.explanation}</span>}
            </dd>
          </div>
          <div>
            <dt>Created</dt>
            <dd>{time(campaign.created_at)}</dd>
          </div>
          <div>
            <dt>Updated</dt>
            <dd>{time(campaign.updated_at)}</dd>
          </div>
          <div>
            <dt>Internal ID</dt>
            <dd className="mono">{campaign.internal_id}</dd>
          </div>
        </dl>
      </Panel>
    </>
  );
}
