import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { Campaign } from '../../src/campaigns/campaign.ts';
import type { Diagnosis } from '../../src/placements/diagnosis/diagnose.ts';
import { useFormats } from '../format/use-formats.ts';
import { EmptyState } from '../ui/empty-state.tsx';
import { IconHistory } from '../ui/icons.ts';
import { Loaded } from '../ui/loaded.tsx';
import { Panel } from '../ui/panel.tsx';
import { BidsTable } from './bids-table.tsx';
import styles from './diagnosis.module.css';
import type { ProposedChange } from './loss-advice.ts';
import { LossList } from './loss-list.tsx';
import { diagnosisQuery, type ResultsSearch } from './queries.ts';

interface Props {
  campaign: Campaign;
  search: ResultsSearch;
  /** Opens the dialog that changes the campaign; undefined if the user can't change it. */
  onChange: ((change: ProposedChange) => void) | undefined;
}

/**
 * Why a campaign, or its product that was chosen, lost requests of the last 24 hours, what to do about each
 * reason, and which bids would have won more.
 */
export function DiagnosisPanel({ campaign, search, onChange }: Props) {
  const { internal_id: id } = campaign;
  // A link that closes a list leaves an empty value.
  const product = search.product === '' ? undefined : search.product;
  const query = useQuery(diagnosisQuery(id, product));
  const aside = product !== undefined && (
    <Link
      to="/campaigns/$campaign"
      params={{ campaign: id }}
      search={{ ...search, product: '' }}
      resetScroll={false}
      className="small"
    >
      Show the whole campaign
    </Link>
  );
  return (
    <Panel
      title={product === undefined ? 'Why is it not shown more?' : `Why is ${product} not shown more?`}
      aside={aside}
    >
      <Loaded query={query} skeleton={5}>
        {(diagnosis) =>
          diagnosis.requests === 0 ? (
            <NoRequests />
          ) : (
            <Reasons campaign={campaign} diagnosis={diagnosis} onChange={onChange} />
          )
        }
      </Loaded>
    </Panel>
  );
}

function NoRequests() {
  return (
    <EmptyState
      Icon={IconHistory}
      title="No requests yet"
      description="In the last 24 hours, the marketplace had no place to give that this campaign could have won."
    />
  );
}

function Reasons({
  campaign,
  diagnosis,
  onChange,
}: Omit<Props, 'search'> & { campaign: Campaign; diagnosis: Diagnosis }) {
  const { whole, wholePercent, money, count } = useFormats();
  const { requests, won, median_winning_price: price } = diagnosis;
  return (
    <div className={styles.parts}>
      <p>
        In the last 24 hours, {count(requests, 'request')} could have shown it. It won{' '}
        <strong>
          {whole(won)} ({wholePercent(won / requests)})
        </strong>
        {price === null ? '.' : `, at a median price of ${money(price)}.`}
      </p>
      {won < requests && <LossList campaign={campaign} diagnosis={diagnosis} onChange={onChange} />}
      <BidsTable campaign={campaign} diagnosis={diagnosis} onChange={onChange} />
    </div>
  );
}
