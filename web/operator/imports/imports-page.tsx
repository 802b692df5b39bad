import { Button, NativeSelect } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { Ago } from '../../format/ago.tsx';
import { wordAuthor } from '../../format/author.ts';
import { useFormats } from '../../format/use-formats.ts';
import { Chip } from '../../ui/chip.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { IconFileUpload } from '../../ui/icons.ts';
import { Loaded } from '../../ui/loaded.tsx';
import { MoreButton } from '../../ui/more-button.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { Panel } from '../../ui/panel.tsx';
import { Table } from '../../ui/table.tsx';
import type { Tone } from '../../ui/tone.ts';
import { useAllows } from '../session.ts';
import { StateTabs } from '../tabs.tsx';
import { CancelImport } from './cancel-import.tsx';
import styles from './imports.module.css';
import { importsQuery, type ListedImport } from './queries.ts';
import { isUndoable, UndoImport } from './undo-import.tsx';

const route = getRouteApi('/signed-in/imports');

const tabs = [
  { state: undefined, label: 'All' },
  { state: 'running', label: 'Running' },
  { state: 'waiting', label: 'Waiting' },
  { state: 'failed', label: 'Failed' },
  { state: 'finished', label: 'Finished' },
];
const sources = [
  { value: '', label: 'All sources' },
  { value: 'csv', label: 'CSV' },
  { value: 'ndjson', label: 'NDJSON' },
  { value: 'shopify', label: 'Shopify' },
  { value: 'bulk', label: 'Bulk changes' },
];
const tones: Record<ListedImport['status'], Tone> = {
  checking: 'accent',
  checked: 'warn',
  importing: 'accent',
  done: 'good',
  failed: 'bad',
  canceled: 'quiet',
};
const labels: Record<ListedImport['status'], string> = {
  checking: 'Checking',
  checked: 'Checked',
  importing: 'Importing',
  done: 'Done',
  failed: 'Failed',
  canceled: 'Canceled',
};

export function Page() {
  const search = route.useSearch();
  const navigate = useNavigate();
  const { whole, wholePercent } = useFormats();
  const maySupport = useAllows('support');
  const [canceling, setCanceling] = useState<ListedImport>();
  const [undoing, setUndoing] = useState<ListedImport>();
  const list = useInfiniteQuery(importsQuery(search));
  const { state, source } = search;
  const isFiltered = state !== undefined || source !== undefined;
  const filter = (
    <NativeSelect
      aria-label="Source"
      value={source ?? ''}
      data={sources}
      onChange={({ currentTarget: { value } }) =>
        void navigate({ to: '/imports', search: { ...search, source: value }, resetScroll: false })
      }
    />
  );
  return (
    <>
      <PageHeader lead="Product files and bulk changes of the last day." />
      <StateTabs to="/imports" tabs={tabs} current={state} rest={source === undefined ? {} : { source }} />
      <Panel title="Imports" aside={filter} flush>
        <Loaded query={list} skeleton={6}>
          {({ pages }) =>
            pages[0]?.results.length === 0 ? (
              <EmptyState
                Icon={IconFileUpload}
                title={isFiltered ? 'No such imports' : 'No imports'}
                description={
                  isFiltered
                    ? 'No import of the last day matches the filter.'
                    : 'Imports of merchants appear here for a day.'
                }
              />
            ) : (
              <Table
                rows={pages.flatMap(({ results }) => results)}
                keyOf={({ id }) => id}
                columns={[
                  {
                    label: 'File',
                    kind: 'lead',
                    cell: ({ name, merchant, created_by: creator, test, failure }) => (
                      <span className={styles.file}>
                        <strong>{name}</strong>
                        <span className="muted small">
                          <Link to="/merchants/$merchant" params={{ merchant: merchant.external_id }}>
                            {merchant.name}
                          </Link>
                          , {wordAuthor(creator)}
                        </span>
                        {test && <Chip tone="accent">Test</Chip>}
                        {failure !== null && <span className="small">{failure}</span>}
                      </span>
                    ),
                  },
                  {
                    label: 'Status',
                    cell: ({ status, progress }) => (
                      <Chip tone={tones[status]}>
                        {labels[status]}
                        {tones[status] === 'accent' && ` ${wholePercent(progress)}`}
                      </Chip>
                    ),
                  },
                  {
                    label: 'Source',
                    cell: ({ source: format }) =>
                      sources.find(({ value }) => value === format)?.label ?? 'Not known yet',
                  },
                  { label: 'New', kind: 'number', cell: ({ created }) => whole(created) },
                  { label: 'Changed', kind: 'number', cell: ({ updated }) => whole(updated) },
                  { label: 'Rejected', kind: 'number', cell: ({ rejected }) => whole(rejected) },
                  { label: 'Created', className: 'nowrap', cell: ({ created_at: at }) => <Ago at={at} /> },
                  maySupport && {
                    label: 'Actions',
                    kind: 'actions',
                    cell: (one) =>
                      tones[one.status] === 'accent' || one.status === 'checked' ? (
                        <Button variant="default" size="compact-sm" onClick={() => setCanceling(one)}>
                          Cancel<span className="visually-hidden"> {one.name}</span>
                        </Button>
                      ) : isUndoable(one) ? (
                        <Button variant="default" size="compact-sm" onClick={() => setUndoing(one)}>
                          Undo<span className="visually-hidden"> {one.name}</span>
                        </Button>
                      ) : null,
                  },
                ]}
              />
            )
          }
        </Loaded>
        <MoreButton list={list} label="Show older imports" />
      </Panel>
      {canceling !== undefined && <CancelImport upload={canceling} onClose={() => setCanceling(undefined)} />}
      {undoing !== undefined && <UndoImport upload={undoing} onClose={() => setUndoing(undefined)} />}
    </>
  );
}
