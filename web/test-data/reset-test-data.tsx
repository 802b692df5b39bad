import { Radio } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useFormats } from '../format/use-formats.ts';
import { call } from '../server/call.ts';
import { queryClient } from '../server/query-client.ts';
import { ConfirmDialog } from '../ui/dialog-form.tsx';

/** Asks before all test data is deleted, and whether samples take its place. */
export function ResetTestData({ onClose }: { onClose: () => void }) {
  const navigate = useNavigate();
  const { count } = useFormats();
  const [content, setContent] = useState('samples');
  const reset = useMutation({
    mutationFn: () => call('resetTestSide', { samples: content === 'samples' }),
    onSuccess: async ({ products, campaigns, orders }) => {
      onClose();
      // A page of a record that is gone would show an error.
      await navigate({ to: '/' });
      await queryClient.invalidateQueries();
      const parts = [count(products, 'product'), count(campaigns, 'campaign'), count(orders, 'order')];
      notifications.show({
        message: products === 0 ? 'Your test data is empty.' : `Your test data has ${parts.join(', ')}.`,
      });
    },
  });
  return (
    <ConfirmDialog
      title="Reset test data?"
      action={content === 'samples' ? 'Reset with sample data' : 'Delete all test data'}
      mutation={reset}
      text={
        <p>
          Deletes all products, campaigns, orders, sales, and imports of your test data. Test keys stay. Your
          shop’s own data doesn’t change.
        </p>
      }
      onConfirm={() => reset.mutate()}
      onClose={onClose}
    >
      <Radio.Group label="Then start with" value={content} onChange={setContent}>
        <Radio
          value="samples"
          label="Sample data"
          description="60 products, campaigns, orders, and a year of sales."
          mt="xs"
        />
        <Radio value="nothing" label="Nothing" description="An empty shop." mt="xs" />
      </Radio.Group>
    </ConfirmDialog>
  );
}
