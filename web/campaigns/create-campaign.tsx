import { notifications } from '@mantine/notifications';
import type { Campaign } from '../../src/campaigns/campaign.ts';
import type { CampaignOverview } from '../../src/console/catalog-api.ts';
import { call } from '../server/call.ts';
import { type CampaignValues, newCampaign } from './amounts.ts';
import { CampaignDialog } from './campaign-dialog.tsx';
import { refreshCampaigns } from './queries.ts';

interface Props {
  title: string;
  initialValues: CampaignValues;
  /** The allowed types, or null if any type is allowed. */
  types: CampaignOverview['types'];
  onCreated?: (campaign: Campaign) => void;
  onClose: () => void;
}

/** Creates a campaign from a form. */
export function CreateCampaign({ title, initialValues, types, onCreated, onClose }: Props) {
  const isAllowed = types === null || types.some(({ name }) => name === initialValues.type);
  const type = isAllowed ? initialValues.type : (types[0]?.name ?? '');
  return (
    <CampaignDialog
      title={title}
      initialValues={{ ...initialValues, type }}
      types={types}
      action="Create"
      save={(values) => call('createCampaign', newCampaign(values))}
      onSaved={(campaign) => {
        refreshCampaigns();
        notifications.show({ message: `Campaign “${campaign.name}” created.` });
        onClose();
        onCreated?.(campaign);
      }}
      onClose={onClose}
    />
  );
}
