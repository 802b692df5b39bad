import { notifications } from '@mantine/notifications';
import { useMutation } from '@tanstack/react-query';
import type { Campaign } from '../../src/campaigns/campaign.ts';
import { call } from '../server/call.ts';
import { ConfirmDialog } from '../ui/dialog-form.tsx';
import { showCampaign } from './queries.ts';

export function EndCampaign({ campaign, onClose }: { campaign: Campaign; onClose: () => void }) {
  const ending = useMutation({
    mutationFn: () => call('endCampaign', { internal_id: campaign.internal_id }),
    onSuccess: (ended) => {
      showCampaign(ended);
      notifications.show({ message: `Campaign “${ended.name}” ended.` });
      onClose();
    },
  });
  return (
    <ConfirmDialog
      title={`End “${campaign.name}”?`}
      text={<p>This is permanent. To stop the campaign temporarily, pause it.</p>}
      action="End campaign"
      mutation={ending}
      onConfirm={() => ending.mutate()}
      onClose={onClose}
    />
  );
}
