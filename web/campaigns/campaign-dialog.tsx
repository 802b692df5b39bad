import { TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation } from '@tanstack/react-query';
import type { ProposedChange } from '../placements/loss-advice.ts';
import { useSession } from '../session/session.ts';
import { DialogForm } from '../ui/dialog-form.tsx';
import { fieldErrors } from '../ui/field-errors.ts';
import { amountFields } from './amount-fields.ts';
import type { CampaignValues } from './amounts.ts';
import styles from './campaigns.module.css';
import { ScheduleInput } from './hourly-schedule.tsx';
import { TypeChoice, type TypeChoiceProps } from './type-choice.tsx';

const prompts = { name: 'Enter a campaign name.', type: 'Enter a type.' };

interface Props<Saved> {
  title: string;
  initialValues: CampaignValues;
  /** The allowed types, null for any; undefined if the type cannot change. */
  types?: TypeChoiceProps['types'];
  /** The input that is focused first; the name if none is given. */
  focused?: ProposedChange['field'] | undefined;
  /** The label of the submit button. */
  action: string;
  save: (values: CampaignValues) => Promise<Saved>;
  onSaved: (saved: Saved) => void;
  onClose: () => void;
}

/** The form of a campaign. The server validates it by the API's rules and reports each field's errors. */
export function CampaignDialog<Saved>(props: Props<Saved>) {
  const { title, initialValues, types, focused, action, save, onSaved, onClose } = props;
  const { currency } = useSession().merchant;
  const form = useForm({ initialValues });
  const saving = useMutation({
    mutationFn: save,
    onSuccess: onSaved,
    onError: (problem) => form.setErrors(fieldErrors(problem, prompts)),
  });
  return (
    <DialogForm
      title={title}
      size="lg"
      closeOnClickOutside={false}
      noValidate
      action={action}
      mutation={saving}
      inputs={Object.keys(form.values)}
      onSubmit={form.onSubmit((values) => saving.mutate(values))}
      onClose={onClose}
    >
      <TextInput
        label="Name"
        required
        data-autofocus={focused === undefined || undefined}
        {...form.getInputProps('name')}
      />
      {types !== undefined && <TypeChoice types={types} {...form.getInputProps('type')} />}
      <div className={styles.amounts}>
        {amountFields.map(({ name, label, none }) => (
          <TextInput
            key={name}
            label={label}
            inputMode="decimal"
            placeholder={none}
            autoComplete="off"
            data-autofocus={name === focused || undefined}
            {...form.getInputProps(name)}
          />
        ))}
      </div>
      <p className="muted small">Amounts are in {currency}. Use a decimal point: 12.50</p>
      <ScheduleInput {...form.getInputProps('hourly_schedule')} />
    </DialogForm>
  );
}
