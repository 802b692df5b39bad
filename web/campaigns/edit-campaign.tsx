import { notifications } from '@mantine/notifications';
import { useMutation } from '@tanstack/react-query';
import type { Campaign } from '../../src/campaigns/campaign.ts';
import { request } from '../server/request.ts';
import { Dialog } from '../ui/dialog.tsx';
import { type CampaignValues, changedValues, valuesOf } from './amounts.ts';
import { CampaignForm } from './campaign-form.tsx';
import { showCampaign } from './queries.ts';

/** Changes the name and the amounts of a campaign. Sends only what the user has changed. */
export function EditCampaign({ campaign, onClose }: { campaign: Campaign; onClose: () => void }) {
  const initialValues = valuesOf(campaign);
  const { mutate, error, isPending } = useMutation({
    mutationFn: (values: CampaignValues) =>
      request<Campaign>(`campaigns/${campaign.internal_id}`, {
        method: 'POST',
        body: changedValues(initialValues, values),
      }),
    onSuccess: (saved) => {
      showCampaign(saved);
      notifications.show({ message: `Campaign “${saved.name}” saved.` });
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
