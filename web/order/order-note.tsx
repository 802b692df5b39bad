import { Textarea } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
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
  return (
    <Panel title="Note">
      {canWrite ? (
        <NoteForm order={order} />
      ) : (
        <p className={annotation === null ? 'muted' : styles.note}>{annotation ?? 'None'}</p>
      )}
    </Panel>
  );
}

function NoteForm({ order }: { order: Order }) {
  const { order_id: id, annotation } = order;
  const [edited, setEdited] = useState<string>();
  const text = edited ?? annotation ?? '';
  const saving = useMutation({
    mutationFn: () =>
      call('annotateOrder', { order_id: id, annotation: text.trim() === '' ? null : text.trim() }),
    onSuccess: (changed) => {
      setEdited(undefined);
      showOrder(changed);
      notifications.show({ message: changed.annotation === null ? 'Note deleted.' : 'Note saved.' });
    },
  });
  return (
    <Form
      action="Save note"
      button={{ variant: 'default' }}
      className={styles.noteForm}
      mutation={saving}
      inputs={['annotation']}
      onSubmit={() => edited !== undefined && saving.mutate()}
    >
      <Textarea
        aria-label="Note"
        description="For your team. Customers don’t see it."
        maxLength={MAX_LENGTH}
        autosize
        minRows={2}
        maxRows={8}
        error={fieldErrors(saving.error).annotation}
        value={text}
        onChange={(event) => setEdited(event.currentTarget.value)}
      />
    </Form>
  );
}
