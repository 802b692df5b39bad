import { Button, NativeSelect, TextInput } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { EmptyState } from '../ui/empty-state.tsx';
import { IconCircleCheck, IconFilterOff } from '../ui/icons.ts';
import { Loaded } from '../ui/loaded.tsx';
import { MoreButton } from '../ui/more-button.tsx';
import { Panel } from '../ui/panel.tsx';
import { withCurrent } from '../ui/with-current.ts';
import { FailureEntry } from './failure-entry.tsx';
import { failuresQuery, type RequestsSearch } from './queries.ts';
import styles from './requests.module.css';

/** The failed requests of the last seven days, with filters and a search by request ID. */
export function FailuresPanel({ search }: { search: RequestsSearch }) {
  const navigate = useNavigate();
  const list = useInfiniteQuery(failuresQuery(search));
  const first = list.data?.pages[0];
  const { status, key, path, request_id: requestId } = search;
  const isFiltered = [status, key, path, requestId].some((value) => value !== undefined);
  const change = (name: keyof RequestsSearch, value: string): void =>
    void navigate({ to: '/requests', search: { ...search, [name]: value }, resetScroll: false });
  return (
    <Panel title="Failed requests" flush>
      <div className={styles.filters}>
        <Filter
          label="Status"
          value={status}
          values={first?.statuses.map(String)}
          onChange={(value) => change('status', value)}
        />
        <Filter label="Key" value={key} values={first?.keys} onChange={(value) => change('key', value)} />
        <Filter label="Path" value={path} values={first?.paths} onChange={(value) => change('path', value)} />
        <form
          className={styles.search}
          onSubmit={(event) => {
            event.preventDefault();
            change('request_id', String(new FormData(event.currentTarget).get('request_id')).trim());
          }}
        >
          <TextInput
            key={requestId ?? ''}
            name="request_id"
            label="Request ID"
            defaultValue={requestId ?? ''}
            autoComplete="off"
          />
          <Button type="submit" variant="default">
            Find
          </Button>
        </form>
      </div>
      <Loaded query={list} skeleton={6}>
        {({ pages }) =>
          first?.requests.length !== 0 ? (
            <ul className={styles.entries}>
              {pages.flatMap(({ requests }) =>
                requests.map((request) => (
                  <FailureEntry key={request.id} request={request} isOpen={requestId !== undefined} />
                )),
              )}
            </ul>
          ) : isFiltered ? (
            <EmptyState
              Icon={IconFilterOff}
              title="No matching requests"
              description="The log has the newest 1,000 failed requests of the last 7 days."
            >
              <Button variant="default" onClick={() => void navigate({ to: '/requests' })}>
                Clear filters
              </Button>
            </EmptyState>
          ) : (
            <EmptyState
              Icon={IconCircleCheck}
              title="Nothing to fix"
              description="No failed requests in the last 7 days."
            />
          )
        }
      </Loaded>
      <MoreButton list={list} label="Show older requests" />
    </Panel>
  );
}

interface FilterProps {
  label: string;
  value: string | undefined;
  values: readonly string[] | undefined;
  onChange: (value: string) => void;
}

function Filter({ label, value, values = [], onChange }: FilterProps) {
  const options = values.map((option) => ({ value: option, label: option }));
  return (
    <NativeSelect
      label={label}
      value={value ?? ''}
      data={[{ value: '', label: 'All' }, ...withCurrent(options, value)]}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}
