import { Button } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import type { NewSupportView } from '../../../src/operator/screen/screen-api.ts';
import { post } from '../../server/request.ts';
import { IconEye } from '../../ui/icons.ts';
import { showError } from '../../ui/notify.tsx';
import type { ListedMerchant } from './queries.ts';

/** Leads to the merchant's console in a support view, which is read only and audited. */
export function OpenConsole({ merchant: { external_id } }: { merchant: ListedMerchant }) {
  const opening = useMutation({
    mutationFn: () => post<NewSupportView>('support-views', { external_id }),
    onSuccess: ({ url }) => location.assign(url),
    onError: showError,
  });
  return (
    <Button
      variant="default"
      leftSection={<IconEye size={17} />}
      title="Read only. The merchant sees that you looked."
      loading={opening.isPending}
      onClick={() => opening.mutate()}
    >
      View console
    </Button>
  );
}
