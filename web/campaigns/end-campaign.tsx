import { Button } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation } from '@tanstack/react-query';
import type { Campaign } from '../../src/campaigns/campaign.ts';
import { request } from '../server/request.ts';
import { Dialog } from '../ui/dialog.tsx';
import { FormError } from '../ui/form-error.tsx';
import styles from './campaigns.module.css';
import { showCampaign } from './queries.ts';

export function EndCampaign({ campaign, onClose }: { campaign: Campaign; onClose: () => void }) {
  const { mutate, error, isPending } = useMutation({
    mutationFn: () =>
      request<Campaign>(`campaigns/${campaign.internal_id}/end`, { method: 'POST', body: {} }),
    onSuccess: (ended) => {
      showCampaign(ended);
      notifications.show({ message: `Campaign “${ended.name}” ended.` });
      onClose();
    },
  });
  return (
    <Dialog onClose={onClose} title={`End “${campaign.name}”?`}>
      <div className={styles.form}>
        <p>This can’t be undone. To stop it temporarily, pause it instead.</p>
        <FormError error={error} />
        <div className={styles.buttons}>
          <Button variant="default" onClick={onClose} data-autofocus>
            Cancel
          </Button>
          <Button color="red" loading={isPending} onClick={() => mutate()}>
            End campaign
          </Button>
        </div>
      </div>
    </Dialog>
  );
}
