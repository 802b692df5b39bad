import { Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { Campaign } from '../../src/campaigns/campaign.ts';
import { type LossReason, lossReasons } from '../../src/placements/decide/loss-reasons.ts';
import type { Diagnosis } from '../../src/placements/diagnosis/diagnose.ts';
import { useFormats } from '../format/use-formats.ts';
import { ShareBar } from '../ui/share-bar.tsx';
import styles from './diagnosis.module.css';
import { higherBid, lossAdvice, type ProposedChange, partOfRequests } from './loss-advice.ts';

interface Props {
  campaign: Campaign;
  diagnosis: Diagnosis;
  onChange: ((change: ProposedChange) => void) | undefined;
}

/** The reasons for which requests were lost, the most frequent first, each with what to do about it. */
export function LossList({ campaign, diagnosis, onChange }: Props) {
  const { lost } = diagnosis;
  const reasons = lossReasons
    .filter((reason) => lost[reason] > 0)
    .toSorted((one, other) => lost[other] - lost[one]);
  return (
    <ul className={styles.reasons} aria-label="Why it lost requests">
      {reasons.map((reason) => (
        <li key={reason}>
          <Reason reason={reason} campaign={campaign} diagnosis={diagnosis} onChange={onChange} />
        </li>
      ))}
    </ul>
  );
}

function Reason({ reason, campaign, diagnosis, onChange }: Props & { reason: LossReason }) {
  const { whole, wholePercent, money } = useFormats();
  const { lost, requests, bids, product_identifier: product } = diagnosis;
  const { label, text, change, products } = lossAdvice[reason];
  const share = lost[reason] / requests;
  const needed = reason === 'outbid' ? higherBid(bids, campaign) : undefined;
  const filter = {
    campaign: campaign.name,
    ...(products !== undefined && products.status !== '' && { status: products.status }),
    ...(product !== null && { query: product }),
  };
  return (
    <>
      <p className={styles.reason}>
        <strong>{label}</strong>
        <span className="numbers">
          {whole(lost[reason])} ({wholePercent(share)})
        </span>
      </p>
      <ShareBar share={share} />
      <p className={styles.advice}>
        <span className="muted">
          {needed === undefined
            ? text
            : `A bid of ${money(needed.bid)} would have won ${partOfRequests(needed.percent)} of all requests.`}
        </span>
        {change !== undefined && onChange !== undefined && (
          <Button
            variant="default"
            size="compact-sm"
            onClick={() =>
              onChange({ field: change.field, ...(needed !== undefined && { amount: needed.bid }) })
            }
          >
            {needed === undefined ? change.action : `Bid ${money(needed.bid)}`}
          </Button>
        )}
        {products !== undefined && (
          <Link to="/products" search={filter} className="small">
            {products.action}
          </Link>
        )}
      </p>
    </>
  );
}
