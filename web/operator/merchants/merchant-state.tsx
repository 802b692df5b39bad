import { Link } from '@tanstack/react-router';
import { Chip } from '../../ui/chip.tsx';
import type { ListedMerchant } from './queries.ts';

interface Props {
  merchant: ListedMerchant;
}

/** Whether a merchant is active, and what fails, with links to the lists of what fails. */
export function MerchantState({ merchant: { external_id: merchant, state, activity } }: Props) {
  const { calls_failing: callsFail, failing_webhooks: failing, disabled_webhooks: disabled } = activity;
  return (
    <>
      <Chip tone={state === 'active' ? 'good' : 'warn'}>{state === 'active' ? 'Active' : 'Suspended'}</Chip>
      {callsFail && (
        <Link to="/calls" search={{ merchant }}>
          <Chip tone="bad">Calls failing</Chip>
        </Link>
      )}
      {failing + disabled > 0 && (
        <Link to="/webhooks" search={failing > 0 ? { merchant } : { merchant, state: 'disabled' }}>
          <Chip tone="bad">Webhooks failing</Chip>
        </Link>
      )}
      {activity.running_import !== null && <Chip tone="accent">Importing</Chip>}
    </>
  );
}
