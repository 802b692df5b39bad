import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import type { Campaign } from '../../src/campaigns/campaign.ts';
import { Dialog } from '../ui/dialog.tsx';
import { ErrorState } from '../ui/error-state.tsx';
import { TableSkeleton } from '../ui/table-skeleton.tsx';
import { valuesOf } from './amounts.ts';
import { CreateCampaign } from './create-campaign.tsx';
import { campaignsQuery } from './queries.ts';

/** Creates a campaign with the values of another one, and opens it. */
export function DuplicateCampaign({ campaign, onClose }: { campaign: Campaign; onClose: () => void }) {
  const navigate = useNavigate();
  const { data, error, refetch } = useQuery(campaignsQuery({}));
  const title = 'Duplicate campaign';
  if (data === undefined)
    return (
      <Dialog onClose={onClose} title={title} size="lg">
        {error === null ? (
          <TableSkeleton rows={5} />
        ) : (
          <ErrorState error={error} retry={() => void refetch()} />
        )}
      </Dialog>
    );
  return (
    <CreateCampaign
      title={title}
      initialValues={{ ...valuesOf(campaign), name: `${campaign.name} (copy)` }}
      types={data.types}
      onCreated={({ internal_id: id }) =>
        void navigate({ to: '/campaigns/$campaign', params: { campaign: id } })
      }
      onClose={onClose}
    />
  );
}
