import { Button } from '@mantine/core';
import type { Campaign } from '../../src/campaigns/campaign.ts';
import type { Diagnosis } from '../../src/placements/diagnosis/diagnose.ts';
import { MIN_REQUESTS } from '../../src/placements/diagnosis/needed-bids.ts';
import { useFormats } from '../format/use-formats.ts';
import { Chip } from '../ui/chip.tsx';
import { ShareBar } from '../ui/share-bar.tsx';
import styles from './diagnosis.module.css';
import { type ProposedChange, partOfRequests } from './loss-advice.ts';

interface Props {
  campaign: Campaign;
  diagnosis: Diagnosis;
  onChange: ((change: ProposedChange) => void) | undefined;
}

/** The bids that would have won parts of the requests, with the campaign's own bid among them. */
export function BidsTable({ campaign: { bid_amount: own }, diagnosis, onChange }: Props) {
  const { money } = useFormats();
  const { bids, requests } = diagnosis;
  if (bids === null)
    return (
      <p className="muted small">
        {requests < MIN_REQUESTS
          ? `Suggested bids appear here after ${MIN_REQUESTS} requests.`
          : 'Suggested bids appear here while the campaign has a product that competes, and at least three other shops win requests, none of them most of these.'}
      </p>
    );
  const most = Math.max(own ?? 0, ...bids.map(({ bid }) => bid));
  const rows = [
    ...bids.map(({ percent, bid }) => ({ name: `Wins ${partOfRequests(percent)}`, bid, isOwn: false })),
    ...(own === null ? [] : [{ name: 'Your bid', bid: own, isOwn: true }]),
  ].sort((one, other) => one.bid - other.bid);
  return (
    <div className="table-frame">
      <table className={`table ${styles.bids}`}>
        <caption>What bids would have won</caption>
        <thead>
          <tr>
            <th scope="col">Of all requests</th>
            <th scope="col" className="number">
              Bid
            </th>
          </tr>
        </thead>
        <tbody>
          {rows.map(({ name, bid, isOwn }) => (
            <tr key={name}>
              <th scope="row">
                {isOwn ? <Chip tone="accent">{name}</Chip> : name}
                <ShareBar share={most > 0 ? bid / most : 0} isAccented={isOwn} />
              </th>
              <td className="number">
                {isOwn || bid === own || onChange === undefined ? (
                  money(bid)
                ) : (
                  <Button
                    variant="default"
                    size="compact-sm"
                    aria-label={`Change the bid to ${money(bid)}: ${name.toLowerCase()}`}
                    onClick={() => onChange({ field: 'bid_amount', amount: bid })}
                  >
                    {money(bid)}
                  </Button>
                )}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
