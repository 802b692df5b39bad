import { NativeSelect } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { useFormats } from '../../format/use-formats.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { IconCircleCheck } from '../../ui/icons.ts';
import { Loaded } from '../../ui/loaded.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { Panel } from '../../ui/panel.tsx';
import styles from './calls.module.css';
import { CauseFilter } from './cause-filter.tsx';
import { CausesTable } from './causes-table.tsx';
import { MerchantLog } from './merchant-log.tsx';
import { type CallsSearch, causesQuery, DEFAULT_HOURS } from './queries.ts';

const route = getRouteApi('/signed-in/calls');

const ranges = [
  { value: '1', label: 'Last hour' },
  { value: DEFAULT_HOURS, label: 'Last 24 hours' },
  { value: String(7 * 24), label: 'Last 7 days' },
];

export function Page() {
  const search = route.useSearch();
  const { merchant } = search;
  return (
    <>
      <PageHeader
        lead={
          merchant === undefined ? (
            'Why calls of merchants’ software fail. Causes that affect the most merchants come first.'
          ) : (
            <Link to="/calls">All merchants</Link>
          )
        }
      />
      {merchant === undefined ? (
        <Causes search={search} />
      ) : (
        <MerchantLog merchant={merchant} search={search} />
      )}
    </>
  );
}

function hasCause({ status, error, method, path }: CallsSearch): boolean {
  return [status, error, method, path].some((part) => part !== undefined);
}

function Causes({ search }: { search: CallsSearch }) {
  const navigate = useNavigate();
  const { time, count } = useFormats();
  const report = useQuery(causesQuery(search));
  const range = (
    <NativeSelect
      aria-label="Period"
      value={search.hours ?? DEFAULT_HOURS}
      data={ranges}
      onChange={({ currentTarget: { value } }) =>
        void navigate({ to: '/calls', search: { ...search, hours: value }, resetScroll: false })
      }
    />
  );
  return (
    <Panel title="Causes" aside={range} flush>
      <CauseFilter search={search} />
      <Loaded query={report} skeleton={6}>
        {({ groups, calls, since, more }) =>
          groups.length === 0 ? (
            <EmptyState
              Icon={IconCircleCheck}
              title="No failed calls"
              description={
                hasCause(search)
                  ? 'No call of a merchant has failed for this cause in this period.'
                  : 'No call of a merchant has failed in this period.'
              }
            />
          ) : (
            <>
              <CausesTable groups={groups} search={search} />
              <p className={`muted small ${styles.note}`}>
                {count(calls, 'failed call')} since {time(since)}.
                {more && ' There are further causes that affect fewer merchants.'}
              </p>
            </>
          )
        }
      </Loaded>
    </Panel>
  );
}
