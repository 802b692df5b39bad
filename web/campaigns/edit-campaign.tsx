import { notifications } from '@mantine/notifications';
import { useMutation } from '@tanstack/react-query';
import type { Campaign } from '../../src/campaigns/campaign.ts';
import type { ChangedCampaign } from '../../src/console/console-api.ts';
import { useFormats } from '../format/use-formats.ts';
import { request } from '../server/request.ts';
import { Dialog } from '../ui/dialog.tsx';
import { type CampaignValues, changedValues, valuesOf } from './amounts.ts';
import { CampaignForm } from './campaign-form.tsx';
import { showCampaign } from './queries.ts';

/** Changes the name and the amounts of a campaign. Sends only what the user has changed. */
export function EditCampaign({ campaign, onClose }: { campaign: Campaign; onClose: () => void }) {
  const { whole } = useFormats();
  const initialValues = valuesOf(campaign);
  const { mutate, error, isPending } = useMutation({
    mutationFn: (values: CampaignValues) =>
      request<ChangedCampaign>(`campaigns/${campaign.internal_id}`, {
        method: 'POST',
        body: changedValues(initialValues, values),
      }),
    onSuccess: ({ moved_products: moved, ...saved }) => {
      showCampaign(saved);
      const isRenamed = saved.name !== campaign.name;
      const message = isRenamed
        ? `Campaign renamed.${movedText(moved, whole)}`
        : `Campaign “${saved.name}” saved.`;
      notifications.show({ message });
      onClose();
    },
  });
  return (
    <Dialog onClose={onClose} title="Edit campaign" size="lg" closeOnClickOutside={false}>
      <CampaignForm
        initialValues={initialValues}
        action="Save"
        error={error}
        isPending={isPending}
        onSubmit={mutate}
        onCancel={onClose}
      />
    </Dialog>
  );
}

/** Says how many products moved to the new name; null if they are so many that they follow. */
function movedText(moved: number | null, whole: (count: number) => string): string {
  if (moved === null) return ' Its products will move with it within minutes.';
  if (moved === 0) return '';
  return ` ${whole(moved)} ${moved === 1 ? 'product' : 'products'} moved with it.`;
}
