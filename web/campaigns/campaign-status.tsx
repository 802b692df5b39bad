import type { CampaignStatus } from '../../src/campaigns/campaign.ts';
import { Chip } from '../ui/chip.tsx';
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

/** What each status means, and what the user can do. */
export const statusTexts: Record<CampaignStatus, string> = {
  Active: 'The campaign runs until you pause or end it.',
  Paused: 'The campaign isn’t running. Resume it to continue.',
  Expired: 'The campaign has ended and can’t be changed. Duplicate it to run it again.',
  'Lifetime Budget Exhausted':
    'The lifetime budget is spent. Raise it, and your marketplace operator can activate the campaign again.',
};
