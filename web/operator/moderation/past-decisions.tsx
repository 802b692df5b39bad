import type { PastDecision } from '../../../src/products/moderation/list-queue.ts';
import type { Moderation } from '../../../src/products/record/product-status.ts';
import { Ago } from '../../format/ago.tsx';
import { wordAuthor } from '../../format/author.ts';
import { Chip } from '../../ui/chip.tsx';
import type { Tone } from '../../ui/tone.ts';
import styles from './moderation.module.css';

const labels: Readonly<Record<Moderation, { label: string; tone: Tone }>> = {
  ok: { label: 'Approved', tone: 'good' },
  problematic: { label: 'Problematic', tone: 'warn' },
  banned: { label: 'Banned', tone: 'bad' },
};

interface Props {
  decisions: readonly PastDecision[];
  /** Whether they are about other products. */
  isNamed?: boolean;
  /** Shown if there are none. */
  none: string;
}

/** Decisions, with their reasons and who made them. */
export function PastDecisions({ decisions, isNamed = false, none }: Props) {
  if (decisions.length === 0) return <p className="muted small">{none}</p>;
  return (
    <ul className={styles.decisions}>
      {decisions.map((decision) => (
        <li key={`${decision.merchant.external_id} ${decision.identifier} ${decision.at}`}>
          <span className={styles.decision}>
            <Chip tone={labels[decision.state].tone}>{labels[decision.state].label}</Chip>
            {isNamed && <span className={styles.named}>{decision.title || decision.identifier}</span>}
            <span className="muted small">
              {isNamed && `${decision.merchant.name} · `}
              <Ago at={decision.at} /> · {wordAuthor(decision.who)}
            </span>
          </span>
          {decision.reasons.map(({ message }, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: reasons have no identity and never move
            <span key={index} className="small">
              {message}
            </span>
          ))}
        </li>
      ))}
    </ul>
  );
}
