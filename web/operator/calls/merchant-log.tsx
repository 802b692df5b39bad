import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { FailureEntry } from '../../requests/failure-entry.tsx';
import styles from '../../requests/requests.module.css';
import { EmptyState } from '../../ui/empty-state.tsx';
import { IconCircleCheck } from '../../ui/icons.ts';
import { Loaded } from '../../ui/loaded.tsx';
import { MoreButton } from '../../ui/more-button.tsx';
import { Panel } from '../../ui/panel.tsx';
import { merchantQuery } from '../merchants/queries.ts';
import { CauseFilter } from './cause-filter.tsx';
import { type CallsSearch, logQuery } from './queries.ts';

/** The failed calls of one merchant, as its console shows them. */
export function MerchantLog({ merchant, search }: { merchant: string; search: CallsSearch }) {
  const list = useInfiniteQuery(logQuery(merchant, search));
  const { data } = useQuery(merchantQuery(merchant));
  return (
    <Panel title={`Failed calls of ${data?.name ?? merchant}`} flush>
      <CauseFilter search={search} />
      <Loaded query={list} skeleton={6}>
        {({ pages }) =>
          pages[0]?.results.length === 0 ? (
            <EmptyState
              Icon={IconCircleCheck}
              title="No failed calls"
              description="The log has the newest 1,000 failed calls of the last 7 days."
            />
          ) : (
            <ul className={styles.entries}>
              {pages.flatMap(({ results }) =>
                results.map((request) => <FailureEntry key={request.id} request={request} isOpen={false} />),
              )}
            </ul>
          )
        }
      </Loaded>
      <MoreButton list={list} label="Show older calls" />
    </Panel>
  );
}
