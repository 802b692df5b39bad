import { Checkbox, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation } from '@tanstack/react-query';
import type { ConsoleWebhook, NewConsoleWebhook, WebhookForm } from '../../src/console/console-api.ts';
import { refresh } from '../server/query-client.ts';
import { post } from '../server/request.ts';
import { useIsTestData } from '../test-data/use-test-data.ts';
import { DialogForm } from '../ui/dialog-form.tsx';
import { fieldErrors } from '../ui/field-errors.ts';
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
  const isTestData = useIsTestData();
  const form = useForm({
    initialValues: {
      url: webhook?.url ?? '',
      description: webhook?.description ?? '',
      test: isTestData,
      all: webhook === undefined || webhook.types.length === 0,
      types: (webhook?.types ?? []) as string[],
    },
    validate: {
      types: (chosen, { all }) => (!all && chosen.length === 0 ? 'Select at least one.' : null),
    },
  });
  const save = useMutation({
    mutationFn: ({ url, description, test, all, types: chosen }: typeof form.values) => {
      const body: WebhookForm = { url, description, types: all ? null : chosen.join(',') };
      return webhook === undefined
        ? post<ConsoleWebhook | NewConsoleWebhook>('webhooks', { ...body, mode: test ? 'test' : 'live' })
        : post<ConsoleWebhook | NewConsoleWebhook>(`webhooks/${webhook.id}`, body);
    },
    onSuccess: (saved) => {
      void refresh('webhooks', 'audit', 'overview');
      if (!('secret' in saved)) onClose();
    },
    onError: (problem) => form.setErrors(fieldErrors(problem)),
  });
  const secret = save.data !== undefined && 'secret' in save.data ? save.data.secret : undefined;
  const title = webhook === undefined ? 'Add webhook' : 'Edit webhook';
  return (
    <DialogForm
      title={secret === undefined ? title : 'Your webhook’s secret'}
      size="lg"
      action={webhook === undefined ? 'Add webhook' : 'Save'}
      mutation={save}
      inputs={Object.keys(form.values)}
      onSubmit={form.onSubmit((values) => save.mutate(values))}
      onClose={onClose}
      result={secret && <SecretPanel secret={secret} onDone={onClose} />}
    >
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
      {webhook === undefined && !isTestData && (
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
    </DialogForm>
  );
}
