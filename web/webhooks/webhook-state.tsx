import type { ConsoleWebhook } from '../../src/console/console-api.ts';
import { Ago } from '../format/ago.tsx';
import { useFormats } from '../format/use-formats.ts';
import { Chip } from '../ui/chip.tsx';
import type { Tone } from '../ui/tone.ts';

const tones: Record<ConsoleWebhook['state'], Tone> = { enabled: 'good', failing: 'warn', disabled: 'quiet' };
const labels: Record<ConsoleWebhook['state'], string> = {
  enabled: 'Enabled',
  failing: 'Failing',
  disabled: 'Disabled',
};
type Reasons = Readonly<Record<NonNullable<ConsoleWebhook['disabled_reason']>, string>>;

const reasonsForOwner: Reasons = {
  owner: 'Disabled by you',
  operator: 'Disabled by your marketplace operator',
  failures: 'Every delivery failed for five days',
  gone: 'The receiver responded with 410 Gone',
};

interface Props {
  webhook: Pick<ConsoleWebhook, 'state' | 'failing_since' | 'disabled_reason' | 'waits_until'>;
  reasons?: Reasons;
}

/** The state of a webhook, with the reason if it does not work. */
export function WebhookState({ webhook, reasons = reasonsForOwner }: Props) {
  const { time } = useFormats();
  const { state, failing_since: failingSince, disabled_reason: reason, waits_until: waitsUntil } = webhook;
  return (
    <span className="stack">
      <Chip tone={tones[state]}>{labels[state]}</Chip>
      {reason !== null && <span className="muted small">{reasons[reason]}</span>}
      {state === 'failing' && failingSince !== null && (
        <span className="muted small">
          Since <Ago at={failingSince} />
        </span>
      )}
      {waitsUntil !== null && (
        <span className="muted small">
          Today’s deliveries are used up. Events wait until{' '}
          <time dateTime={waitsUntil}>{time(waitsUntil)}</time>
        </span>
      )}
    </span>
  );
}
