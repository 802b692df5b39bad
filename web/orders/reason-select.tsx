import { NativeSelect, type NativeSelectProps } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { errorMessage } from '../server/server-error.ts';
import { inWords } from './order.ts';
import { refundReasonsQuery } from './queries.ts';

/** The marketplace’s reasons for refunds. None is chosen at first. */
export function ReasonSelect({ error, ...props }: NativeSelectProps) {
  const reasons = useQuery(refundReasonsQuery);
  const options = (reasons.data ?? []).map((value) => ({ value, label: inWords(value) }));
  return (
    <NativeSelect
      label="Reason"
      required
      data={[{ value: '', label: 'Select a reason', disabled: true }, ...options]}
      error={error ?? (reasons.error !== null && errorMessage(reasons.error))}
      {...props}
    />
  );
}

/** Says that a reason is missing. */
export function reasonMissing(reason: string): string | null {
  return reason === '' ? 'Select a reason.' : null;
}
