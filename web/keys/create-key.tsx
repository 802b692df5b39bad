import { Checkbox, NativeSelect, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation } from '@tanstack/react-query';
import { defaultScopes, scopes } from '../../src/api-keys/scopes.ts';
import type { NewKeyForm, NewToken } from '../../src/console/console-api.ts';
import { endOfDay, today } from '../format/days.ts';
import { refresh } from '../server/query-client.ts';
import { post } from '../server/request.ts';
import { recentToken, useSession } from '../session/session.ts';
import { useIsTestData } from '../test-data/use-test-data.ts';
import { DialogForm } from '../ui/dialog-form.tsx';
import { fieldErrors } from '../ui/field-errors.ts';
import { expiryOptions, expiryTime } from './expiry.ts';
import { NewTokenPanel } from './new-token.tsx';
import { scopeLabels } from './scope-labels.ts';

/** Without it, browsers accept years of six digits, which are no RFC 3339 times. */
const LAST_DAY = '9999-12-31';

export function CreateKey({ onClose }: { onClose: () => void }) {
  const { time_zone: timeZone } = useSession().merchant;
  const isTestData = useIsTestData();
  const form = useForm({
    initialValues: {
      name: '',
      test: isTestData,
      original: false,
      scopes: defaultScopes,
      expires: '365d',
      expires_at: '',
    },
    validate: { scopes: ({ length }) => (length === 0 ? 'Select at least one.' : null) },
  });
  const creation = useMutation({
    mutationFn: ({ name, test, original, scopes, expires, expires_at: day }: typeof form.values) => {
      const body: NewKeyForm = {
        name,
        mode: test ? 'test' : 'live',
        scopes: scopes.join(','),
        expires_at: expires === 'date' ? endOfDay(day, timeZone) : expiryTime(expiryOptions, expires),
        fields: original ? 'original' : 'standard',
      };
      return post<NewToken>('keys', body);
    },
    onSuccess: ({ access_token: token }) => {
      recentToken.set(token);
      void refresh('keys', 'audit', 'overview');
    },
    onError: (problem) => form.setErrors(fieldErrors(problem)),
  });
  const token = creation.data?.access_token;
  return (
    <DialogForm
      title={token === undefined ? 'Create key' : 'Your new key'}
      size="lg"
      action="Create key"
      mutation={creation}
      inputs={Object.keys(form.values)}
      onSubmit={form.onSubmit((values) => creation.mutate(values))}
      onClose={onClose}
      result={token && <NewTokenPanel token={token} onDone={onClose} />}
    >
      <TextInput
        label="Name"
        description="The integration that will use the key, such as “Warehouse sync”."
        required
        maxLength={100}
        data-autofocus
        {...form.getInputProps('name')}
      />
      {isTestData ? (
        <p className="muted small">A test key: it reads and writes test data only.</p>
      ) : (
        <Checkbox
          label="Test key"
          description="Reads and writes test data only, never your products or sales."
          {...form.getInputProps('test', { type: 'checkbox' })}
        />
      )}
      <Checkbox
        label="Fields of the original API"
        description="Products also have the fields that clients of the original API read."
        {...form.getInputProps('original', { type: 'checkbox' })}
      />
      <Checkbox.Group
        label="Permissions"
        description="Choose what this key can do."
        {...form.getInputProps('scopes')}
      >
        {scopes.map((scope) => (
          <Checkbox key={scope} value={scope} label={scopeLabels[scope]} mt="xs" />
        ))}
      </Checkbox.Group>
      <NativeSelect
        label="Expiration"
        description="You can revoke the key at any time."
        data={expiryOptions.map(({ value, label }) => ({ value, label }))}
        {...form.getInputProps('expires')}
      />
      {form.values.expires === 'date' && (
        <TextInput
          label="Expiration date"
          description={`Valid through this day, ${timeZone} time.`}
          type="date"
          required
          min={today(timeZone)}
          max={LAST_DAY}
          {...form.getInputProps('expires_at')}
        />
      )}
    </DialogForm>
  );
}
