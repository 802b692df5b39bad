import { Checkbox, NativeSelect, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation } from '@tanstack/react-query';
import { defaultScopes, scopes } from '../../../src/api-keys/scopes.ts';
import { scopeLabels } from '../../keys/scope-labels.ts';
import { DialogForm } from '../../ui/dialog-form.tsx';
import { fieldErrors } from '../../ui/field-errors.ts';
import { call } from '../call.ts';
import { NewKey } from './new-key.tsx';
import { type ListedMerchant, refreshMerchant } from './queries.ts';

const lifetimes = [
  { value: '', label: 'No expiration' },
  { value: '30d', label: '30 days' },
  { value: '90d', label: '90 days' },
  { value: '365d', label: '1 year' },
];

interface Props {
  merchant: ListedMerchant;
  onClose: () => void;
}

export function CreateMerchantKey({ merchant: { external_id: id, name }, onClose }: Props) {
  const form = useForm({
    initialValues: { name: '', test: false, scopes: defaultScopes, expires_in: '' },
    validate: {
      name: (given) => (given.trim() === '' ? 'Enter a name.' : null),
      scopes: ({ length }) => (length === 0 ? 'Select at least one.' : null),
    },
  });
  const creation = useMutation({
    mutationFn: ({ test, expires_in: lifetime, ...fields }: typeof form.values) =>
      call(
        'createMerchantKey',
        { external_id: id },
        {
          ...fields,
          mode: test ? 'test' : 'live',
          ...(lifetime !== '' && { expires_in: lifetime }),
        },
      ),
    onSuccess: () => void refreshMerchant(id),
    onError: (problem) => form.setErrors(fieldErrors(problem)),
  });
  const { data: key } = creation;
  return (
    <DialogForm
      title={key === undefined ? `Create a key of ${name}` : `New key of ${name}`}
      size="lg"
      closeOnClickOutside={false}
      noValidate
      action="Create key"
      mutation={creation}
      inputs={Object.keys(form.values)}
      onSubmit={form.onSubmit((values) => creation.mutate(values))}
      onClose={onClose}
      result={key && <NewKey token={key.access_token} onDone={onClose} />}
    >
      <TextInput
        label="Name"
        description="The software that will use the key, such as “Warehouse sync”."
        required
        maxLength={100}
        autoComplete="off"
        data-autofocus
        {...form.getInputProps('name')}
      />
      <Checkbox
        label="Test key"
        description="Reads and writes test data only."
        {...form.getInputProps('test', { type: 'checkbox' })}
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
      <NativeSelect label="Expiration" data={lifetimes} {...form.getInputProps('expires_in')} />
    </DialogForm>
  );
}
