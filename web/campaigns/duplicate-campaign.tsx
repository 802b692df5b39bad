import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import type { Campaign } from '../../src/campaigns/campaign.ts';
import { Dialog } from '../ui/dialog.tsx';
import { Loaded } from '../ui/loaded.tsx';
import { valuesOf } from './amounts.ts';
import { CreateCampaign } from './create-campaign.tsx';
import { campaignOverviewQuery } from './queries.ts';

/** Creates a campaign with the values of another one, and opens it. */
export function DuplicateCampaign({ campaign, onClose }: { campaign: Campaign; onClose: () => void }) {
  const navigate = useNavigate();
  const overview = useQuery(campaignOverviewQuery);
  const title = 'Duplicate campaign';
  if (overview.data === undefined)
    return (
      <Dialog onClose={onClose} title={title} size="lg">
        <Loaded query={overview} skeleton={5} />
      </Dialog>
    );
  return (
    <CreateCampaign
      title={title}
      initialValues={{ ...valuesOf(campaign), name: `${campaign.name} (copy)` }}
      types={overview.data.types}
      onCreated={({ internal_id: id }) =>
        void navigate({ to: '/campaigns/$campaign', params: { campaign: id } })
      }
      onClose={onClose}
    />
  );
}
