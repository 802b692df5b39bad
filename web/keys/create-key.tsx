import { Button, Modal, NativeSelect, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation } from '@tanstack/react-query';
import type { NewKeyForm, NewToken } from '../../src/console/console-api.ts';
import { fieldErrors } from '../feedback/field-errors.ts';
import { queryClient } from '../server/query-client.ts';
import { request } from '../server/request.ts';
import { useSession } from '../session/session.ts';
import { FormProblem } from '../sign-in/form-problem.tsx';
import { endOf, endOfDay, expiryChoices, today } from './end-times.ts';
import { keepToken } from './kept-token.ts';
import styles from './keys.module.css';
import { NewTokenShown } from './new-token-shown.tsx';

export function CreateKey({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  const { time_zone: timeZone } = useSession().merchant;
  const form = useForm({ initialValues: { name: '', ends: '365d', day: '' } });
  const { mutate, reset, data, error, isPending } = useMutation({
    mutationFn: ({ name, ends, day }: typeof form.values) => {
      const choice = expiryChoices.find(({ value }) => value === ends);
      const body: NewKeyForm = {
        name,
        expires_at: ends === 'date' ? endOfDay(day, timeZone) : endOf(choice),
      };
      return request<NewToken>('keys', { method: 'POST', body });
    },
    onSuccess: ({ access_token: token }) => {
      keepToken(token);
      void queryClient.invalidateQueries({ queryKey: ['keys'] });
      void queryClient.invalidateQueries({ queryKey: ['audit'] });
      void queryClient.invalidateQueries({ queryKey: ['overview'] });
    },
    onError: (problem) => form.setErrors(fieldErrors(problem, { expires_at: 'day' })),
  });
  const close = (): void => {
    onClose();
    form.reset();
    reset();
  };
  return (
    <Modal
      opened={opened}
      onClose={close}
      title={data === undefined ? 'Make a key' : 'Your new key'}
      size="lg"
      closeOnClickOutside={data === undefined}
      closeButtonProps={{ 'aria-label': 'Close' }}
    >
      {data !== undefined ? (
        <NewTokenShown token={data.access_token} onDone={close} />
      ) : (
        <form className={styles.form} onSubmit={form.onSubmit((values) => mutate(values))}>
          <FormProblem error={Object.keys(form.errors).length > 0 ? null : error} />
          <TextInput
            label="Name"
            description="The program that will use it, such as “Warehouse sync”."
            required
            maxLength={100}
            data-autofocus
            {...form.getInputProps('name')}
          />
          <NativeSelect
            label="When it ends"
            description="After that, the program needs a new one. You can end it earlier at any time."
            data={expiryChoices.map(({ value, label }) => ({ value, label }))}
            {...form.getInputProps('ends')}
          />
          {form.values.ends === 'date' && (
            <TextInput
              label="Last day"
              description={`It works until that day is over, in ${timeZone}.`}
              type="date"
              required
              min={today(timeZone)}
              {...form.getInputProps('day')}
            />
          )}
          <div className={styles.buttons}>
            <Button variant="default" onClick={close}>
              Cancel
            </Button>
            <Button type="submit" loading={isPending}>
              Make the key
            </Button>
          </div>
        </form>
      )}
    </Modal>
  );
}
