import { Chip } from '../../ui/chip.tsx';
import type { ListedMerchant } from './queries.ts';

/** Whether a merchant is active, and what fails. */
export function MerchantState({ merchant: { state, activity } }: { merchant: ListedMerchant }) {
  const { calls_failing: callsFail, failing_webhooks: failing, disabled_webhooks: disabled } = activity;
  return (
    <>
      <Chip tone={state === 'active' ? 'good' : 'warn'}>{state === 'active' ? 'Active' : 'Suspended'}</Chip>
      {callsFail && <Chip tone="bad">Calls failing</Chip>}
      {failing + disabled > 0 && <Chip tone="bad">Webhooks failing</Chip>}
      {activity.running_import !== null && <Chip tone="accent">Importing</Chip>}
    </>
  );
}
