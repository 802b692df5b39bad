import { Button, Checkbox, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation } from '@tanstack/react-query';
import type { ConsoleWebhook, NewConsoleWebhook, WebhookForm } from '../../src/console/console-api.ts';
import { queryClient } from '../server/query-client.ts';
import { request } from '../server/request.ts';
import { Dialog } from '../ui/dialog.tsx';
import { fieldErrors } from '../ui/field-errors.ts';
import { FormError } from '../ui/form-error.tsx';
import { SecretPanel } from './secret-panel.tsx';
import styles from './webhooks.module.css';

interface Props {
  /** The webhook to change; undefined to add one. */
  webhook?: ConsoleWebhook;
  /** All types of events. */
  types: readonly string[];
  onClose: () => void;
}

/** Adds a webhook, and then shows its secret, or changes one. */
export function EditWebhook({ webhook, types, onClose }: Props) {
  const form = useForm({
    initialValues: {
      url: webhook?.url ?? '',
      description: webhook?.description ?? '',
      test: false,
      all: webhook === undefined || webhook.types.length === 0,
      types: (webhook?.types ?? []) as string[],
    },
    validate: {
      types: (chosen, { all }) => (!all && chosen.length === 0 ? 'Select at least one.' : null),
    },
  });
  const { mutate, data, error, isPending } = useMutation({
    mutationFn: ({ url, description, test, all, types: chosen }: typeof form.values) => {
      const body: WebhookForm = { url, description, types: all ? null : chosen.join(',') };
      if (webhook !== undefined)
        return request<ConsoleWebhook | NewConsoleWebhook>(`webhooks/${webhook.id}`, {
          method: 'POST',
          body,
        });
      const mode = test ? 'test' : 'live';
      return request<ConsoleWebhook | NewConsoleWebhook>('webhooks', {
        method: 'POST',
        body: { ...body, mode },
      });
    },
    onSuccess: (saved) => {
      void queryClient.invalidateQueries({ queryKey: ['webhooks'] });
      void queryClient.invalidateQueries({ queryKey: ['audit'] });
      if (!('secret' in saved)) onClose();
    },
    onError: (problem) => form.setErrors(fieldErrors(problem)),
  });
  const secret = data !== undefined && 'secret' in data ? data.secret : undefined;
  const title = webhook === undefined ? 'Add webhook' : 'Edit webhook';
  return (
    <Dialog
      onClose={onClose}
      title={secret === undefined ? title : 'Your webhook’s secret'}
      size="lg"
      closeOnClickOutside={secret === undefined}
    >
      {secret !== undefined ? (
        <SecretPanel secret={secret} onDone={onClose} />
      ) : (
        <form className={styles.form} onSubmit={form.onSubmit((values) => mutate(values))}>
          <FormError error={error} inputs={Object.keys(form.values)} />
          <TextInput
            label="URL"
            description="Where events are sent: a public https:// address that your software serves."
            type="url"
            placeholder="https://erp.example/tradepost"
            required
            data-autofocus
            {...form.getInputProps('url')}
          />
          <TextInput label="Description" maxLength={200} {...form.getInputProps('description')} />
          {webhook === undefined && (
            <Checkbox
              label="Test data"
              description="Sends events about your test data instead of your shop."
              {...form.getInputProps('test', { type: 'checkbox' })}
            />
          )}
          <Checkbox label="All events" {...form.getInputProps('all', { type: 'checkbox' })} />
          {!form.values.all && (
            <Checkbox.Group label="Events" {...form.getInputProps('types')}>
              <div className={styles.types}>
                {types.map((type) => (
                  <Checkbox key={type} value={type} label={type} />
                ))}
              </div>
            </Checkbox.Group>
          )}
          <div className={styles.buttons}>
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button type="submit" loading={isPending}>
              {webhook === undefined ? 'Add webhook' : 'Save'}
            </Button>
          </div>
        </form>
      )}
    </Dialog>
  );
}
