import { Checkbox } from '@mantine/core';
import { queryOptions, useMutation, useQuery } from '@tanstack/react-query';
import type { Notifications } from '../../src/console/console-api.ts';
import { queryClient } from '../server/query-client.ts';
import { post, request } from '../server/request.ts';
import { optionsQuery } from '../session/session.ts';
import { FormError } from '../ui/form-error.tsx';
import { Loaded } from '../ui/loaded.tsx';
import { Panel } from '../ui/panel.tsx';
import styles from './account.module.css';

const notificationsQuery = queryOptions({
  queryKey: ['notifications'],
  queryFn: ({ signal }) => request<Notifications>('notifications', { signal }),
});

const choices: readonly { kind: keyof Notifications; label: string; description: string }[] = [
  { kind: 'keys_expiring', label: 'API keys expire soon', description: 'Seven days before they expire.' },
  {
    kind: 'webhook_disabled',
    label: 'A webhook was disabled',
    description: 'After five days of failed deliveries.',
  },
];

/** The emails that the user gets. Renders nothing if the service sends no email. */
export function EmailNotifications() {
  const { data: options } = useQuery(optionsQuery);
  if (options?.mail !== true) return null;
  return (
    <Panel anchor="notifications" title="Email notifications">
      <Choices />
    </Panel>
  );
}

function Choices() {
  const query = useQuery(notificationsQuery);
  const change = useMutation({
    mutationFn: (body: Partial<Notifications>) => post<Notifications>('notifications', body),
    onSuccess: (saved) => queryClient.setQueryData(notificationsQuery.queryKey, saved),
  });
  if (query.data === undefined) return <Loaded query={query} skeleton={2} />;
  const shown = { ...query.data, ...(change.isPending && change.variables) };
  return (
    <div className={styles.form}>
      {choices.map(({ kind, label, description }) => (
        <Checkbox
          key={kind}
          label={label}
          description={description}
          checked={shown[kind]}
          onChange={(event) => change.mutate({ [kind]: event.currentTarget.checked })}
        />
      ))}
      <FormError error={change.error} />
      <p className="muted small">
        Account emails, such as links to set a password, can’t be turned off. To get an email when an import
        is done, choose it on the import’s page.
      </p>
    </div>
  );
}
