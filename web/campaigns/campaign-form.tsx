import { Button, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useEffect } from 'react';
import { useSession } from '../session/session.ts';
import { fieldErrors } from '../ui/field-errors.ts';
import { FormError } from '../ui/form-error.tsx';
import { amountFields, type CampaignValues } from './amounts.ts';
import styles from './campaigns.module.css';
import { TypeChoice, type TypeChoiceProps } from './type-choice.tsx';

const prompts = { name: 'Enter a campaign name.', type: 'Enter a type.' };

interface Props {
  initialValues: CampaignValues;
  /** The allowed types, null for any; undefined if the type cannot change. */
  types?: TypeChoiceProps['types'];
  /** The label of the submit button. */
  action: string;
  error: unknown;
  isPending: boolean;
  onSubmit: (values: CampaignValues) => void;
  onCancel: () => void;
}

/** The form of a campaign. The server validates it by the rules of the API and reports the errors of each field. */
export function CampaignForm({ initialValues, types, action, error, isPending, onSubmit, onCancel }: Props) {
  const { currency } = useSession().merchant;
  const form = useForm({ initialValues });
  const { setErrors } = form;
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new error is the only reason to set them
  useEffect(() => setErrors(fieldErrors(error, prompts)), [error]);
  return (
    <form className={styles.form} noValidate onSubmit={form.onSubmit(onSubmit)}>
      <FormError error={error} inputs={Object.keys(form.values)} />
      <TextInput label="Name" required data-autofocus {...form.getInputProps('name')} />
      {types !== undefined && <TypeChoice types={types} {...form.getInputProps('type')} />}
      <div className={styles.amounts}>
        {amountFields.map(({ name, label, none }) => (
          <TextInput
            key={name}
            label={label}
            inputMode="decimal"
            placeholder={none}
            autoComplete="off"
            {...form.getInputProps(name)}
          />
        ))}
      </div>
      <p className="muted small">Amounts are in {currency}. Use a decimal point: 12.50</p>
      <div className={styles.buttons}>
        <Button variant="default" onClick={onCancel}>
          Cancel
        </Button>
        <Button type="submit" loading={isPending}>
          {action}
        </Button>
      </div>
    </form>
  );
}
