import { Textarea } from '@mantine/core';
import { useForm } from '@mantine/form';
import { notifications } from '@mantine/notifications';
import { useMutation } from '@tanstack/react-query';
import type { Order } from '../orders/order.ts';
import { showOrder } from '../orders/queries.ts';
import { call } from '../server/call.ts';
import { useAllows } from '../session/role.ts';
import { fieldErrors } from '../ui/field-errors.ts';
import { Form } from '../ui/form.tsx';
import { Panel } from '../ui/panel.tsx';
import styles from './order.module.css';

const MAX_LENGTH = 500;

/** The merchant’s own note. */
export function OrderNote({ order }: { order: Order }) {
  const { status, annotation } = order;
  const canWrite = useAllows('editor') && (status === 'paid' || status === 'shipped');
  if (canWrite) return <NoteForm key={annotation} order={order} />;
  return (
    <Panel title="Note">
      <p className={annotation === null ? 'muted' : styles.note}>{annotation ?? 'None'}</p>
    </Panel>
  );
}

function NoteForm({ order }: { order: Order }) {
  const before = order.annotation ?? '';
  const form = useForm({ initialValues: { annotation: before } });
  const saving = useMutation({
    mutationFn: ({ annotation }: typeof form.values) =>
      call('annotateOrder', {
        order_id: order.order_id,
        annotation: annotation.trim() === '' ? null : annotation,
      }),
    onSuccess: (changed) => {
      showOrder(changed);
      notifications.show({ message: changed.annotation === null ? 'Note deleted.' : 'Note saved.' });
    },
    onError: (problem) => form.setErrors(fieldErrors(problem)),
  });
  const isChanged = form.values.annotation.trim() !== before;
  return (
    <Panel title="Note">
      <Form
        action="Save note"
        button={{ variant: 'default', disabled: !isChanged }}
        className={styles.noteForm}
        mutation={saving}
        inputs={['annotation']}
        onSubmit={form.onSubmit((values) => saving.mutate(values))}
      >
        <Textarea
          aria-label="Note"
          description="For your team. Customers don’t see it."
          maxLength={MAX_LENGTH}
          autosize
          minRows={2}
          maxRows={8}
          {...form.getInputProps('annotation')}
        />
      </Form>
    </Panel>
  );
}
