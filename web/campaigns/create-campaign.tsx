import { notifications } from '@mantine/notifications';
import { useMutation } from '@tanstack/react-query';
import type { Campaign } from '../../src/campaigns/campaign.ts';
import type { CampaignPage } from '../../src/console/console-api.ts';
import { request } from '../server/request.ts';
import { Dialog } from '../ui/dialog.tsx';
import type { CampaignValues } from './amounts.ts';
import { CampaignForm } from './campaign-form.tsx';
import { refreshCampaigns } from './queries.ts';

interface Props {
  title: string;
  initialValues: CampaignValues;
  /** The allowed types, or null if any type is allowed. */
  types: CampaignPage['types'];
  onCreated?: (campaign: Campaign) => void;
  onClose: () => void;
}

/** Creates a campaign from a form. */
export function CreateCampaign({ title, initialValues, types, onCreated, onClose }: Props) {
  const { mutate, error, isPending } = useMutation({
    mutationFn: (body: CampaignValues) => request<Campaign>('campaigns', { method: 'POST', body }),
    onSuccess: (campaign) => {
      refreshCampaigns();
      notifications.show({ message: `Campaign “${campaign.name}” created.` });
      onClose();
      onCreated?.(campaign);
    },
  });
  const isAllowed = types === null || types.some(({ name }) => name === initialValues.type);
  const type = isAllowed ? initialValues.type : (types[0]?.name ?? '');
  return (
    <Dialog onClose={onClose} title={title} size="lg" closeOnClickOutside={false}>
      <CampaignForm
        initialValues={{ ...initialValues, type }}
        types={types}
        action="Create"
        error={error}
        isPending={isPending}
        onSubmit={mutate}
        onCancel={onClose}
      />
    </Dialog>
  );
}
