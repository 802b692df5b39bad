import { notifications } from '@mantine/notifications';
import { useMutation } from '@tanstack/react-query';
import { refresh } from '../../server/query-client.ts';
import { ConfirmDialog } from '../../ui/dialog-form.tsx';
import { call } from '../call.ts';
import type { MerchantCampaign } from './queries.ts';

export type CampaignState = 'Active' | 'Paused' | 'Expired';

const words: Record<CampaignState, { verb: string; done: string; text: string }> = {
  Active: { verb: 'Resume', done: 'is active', text: 'It competes for places again.' },
  Paused: { verb: 'Pause', done: 'is paused', text: 'It gets no places until it is resumed.' },
  Expired: {
    verb: 'End',
    done: 'has ended',
    text: 'Its products are no longer promoted, and the merchant can’t change or resume it.',
  },
};

interface Props {
  campaign: MerchantCampaign;
  state: CampaignState;
  onClose: () => void;
}

/** Asks before the operator changes a merchant's campaign. The merchant sees who did it. */
export function SetCampaignState({ campaign: { merchant, campaign }, state, onClose }: Props) {
  const { verb, done, text } = words[state];
  const change = useMutation({
    mutationFn: () =>
      call(
        'setCampaignState',
        { external_id: merchant.external_id, campaign: campaign.internal_id },
        { state },
      ),
    onSuccess: async () => {
      await refresh('campaigns');
      notifications.show({ message: `${campaign.name} ${done}.` });
      onClose();
    },
  });
  return (
    <ConfirmDialog
      title={`${verb} ${campaign.name}?`}
      text={
        <p>
          {text} {merchant.name} sees the change and your name in its activity.
        </p>
      }
      action={`${verb} campaign`}
      button={{ ...(state === 'Expired' && { color: 'red' }) }}
      mutation={change}
      onConfirm={() => change.mutate()}
      onClose={onClose}
    />
  );
}
