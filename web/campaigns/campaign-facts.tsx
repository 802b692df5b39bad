import { useQuery } from '@tanstack/react-query';
import type { Campaign } from '../../src/campaigns/campaign.ts';
import { useFormats } from '../format/use-formats.ts';
import { Panel } from '../ui/panel.tsx';
import styles from './campaigns.module.css';
import { ScheduleRow } from './hourly-schedule.tsx';
import { campaignOverviewQuery } from './queries.ts';

/** The hours of a campaign, and the fields that do not change its results. */
export function CampaignFacts({ campaign }: { campaign: Campaign }) {
  const { time } = useFormats();
  const { data } = useQuery(campaignOverviewQuery);
  const type = data?.types?.find(({ name }) => name === campaign.type);
  return (
    <>
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
