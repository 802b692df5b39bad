import { notifications } from '@mantine/notifications';
import type { Campaign } from '../../src/campaigns/campaign.ts';
import type { ChangedCampaign } from '../../src/console/catalog-api.ts';
import type { Formats } from '../format/formats.ts';
import { useFormats } from '../format/use-formats.ts';
import type { ProposedChange } from '../placements/loss-advice.ts';
import { post } from '../server/request.ts';
import { changedValues, valuesOf } from './amounts.ts';
import { CampaignDialog } from './campaign-dialog.tsx';
import { showCampaign } from './queries.ts';

interface Props {
  campaign: Campaign;
  /** Filled in from the beginning, or at least focused. */
  proposed?: ProposedChange;
  onClose: () => void;
}

/** Changes the name, the amounts and the hours of a campaign. Sends only what differs. */
export function EditCampaign({ campaign, proposed, onClose }: Props) {
  const formats = useFormats();
  const before = valuesOf(campaign);
  return (
    <CampaignDialog
      title="Edit campaign"
      initialValues={
        proposed?.amount === undefined ? before : { ...before, [proposed.field]: String(proposed.amount) }
      }
      focused={proposed?.field}
      action="Save"
      save={(after) =>
        post<ChangedCampaign>(`campaigns/${campaign.internal_id}`, changedValues(before, after))
      }
      onSaved={({ moved_products: moved, ...saved }) => {
        showCampaign(saved);
        const isRenamed = saved.name !== campaign.name;
        const message = isRenamed
          ? `Campaign renamed.${movedText(moved, formats)}`
          : `Campaign “${saved.name}” saved.`;
        notifications.show({ message });
        onClose();
      }}
      onClose={onClose}
    />
  );
}

/** Says how many products moved to the new name; null if they are so many that they follow. */
function movedText(moved: number | null, { count }: Formats): string {
  if (moved === null) return ' Its products will move with it within minutes.';
  return moved === 0 ? '' : ` ${count(moved, 'product')} moved with it.`;
}
