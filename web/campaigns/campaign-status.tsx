import type { Campaign, CampaignLimit, CampaignStatus } from '../../src/campaigns/campaign.ts';
import { Chip } from '../ui/chip.tsx';
import { Panel } from '../ui/panel.tsx';
import type { Tone } from '../ui/tone.ts';

const tones: Record<CampaignStatus, Tone> = {
  Active: 'good',
  Paused: 'warn',
  Expired: 'quiet',
  'Lifetime Budget Exhausted': 'bad',
};

/** The labels of statuses. */
export const statusLabels: Record<CampaignStatus, string> = {
  Active: 'Active',
  Paused: 'Paused',
  Expired: 'Ended',
  'Lifetime Budget Exhausted': 'Budget spent',
};

export function CampaignStatusChip({ status }: { status: CampaignStatus }) {
  return <Chip tone={tones[status]}>{statusLabels[status]}</Chip>;
}

const runs = 'The campaign runs until you pause or end it.';

/** Why a campaign is not shown, and what the user can do. */
const limitTexts: Record<CampaignLimit, string> = {
  ended: 'The campaign has ended and can’t be changed. Duplicate it to run it again.',
  paused: 'The campaign isn’t running. Resume it to continue.',
  lifetime_budget:
    'The campaign isn’t shown, because the rest of its lifetime budget doesn’t cover its bid. Raise the budget to continue.',
  no_products: 'The campaign isn’t shown, because it has no products. Add products to start advertising.',
  no_bid:
    'The campaign isn’t shown, because it has no bid. Set a bid amount, or a scheduling fee bid of its products.',
  daily_budget:
    'The campaign isn’t shown for the rest of today, because its daily budget is spent. It continues tomorrow, or as soon as you raise the daily budget.',
};

/** The limits that the status does not say. */
const limitLabels: Partial<Record<CampaignLimit, string>> = {
  no_products: 'No products',
  no_bid: 'No bid',
  daily_budget: 'Today’s budget spent',
};

/** The status, and why an active campaign is not shown. */
export function CampaignStatusCell({ campaign: { status, limited_by: limit } }: { campaign: Campaign }) {
  const label = limit === null ? undefined : limitLabels[limit];
  return (
    <span className="stack">
      <CampaignStatusChip status={status} />
      {label !== undefined && <span className="muted small">{label}</span>}
    </span>
  );
}

/** Whether the campaign runs, and if not, what the user can do. */
export function CampaignState({ campaign: { status, limited_by: limit } }: { campaign: Campaign }) {
  return (
    <Panel title="Status" aside={<CampaignStatusChip status={status} />}>
      <p>{limit === null ? runs : limitTexts[limit]}</p>
    </Panel>
  );
}
