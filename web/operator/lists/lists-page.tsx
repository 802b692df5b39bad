import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useFormats } from '../../format/use-formats.ts';
import { inline } from '../../reference/prose.tsx';
import styles from '../../team/team.module.css';
import { Chip } from '../../ui/chip.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { Panel } from '../../ui/panel.tsx';
import { Table } from '../../ui/table.tsx';
import { useAllows } from '../session.ts';
import { EditList } from './edit-list.tsx';
import { type ListSummary, listsQuery } from './queries.ts';
import { ResetList } from './reset-list.tsx';
import { listTitle } from './titles.ts';

type OpenDialog = { kind: 'edit' | 'reset'; list: ListSummary };

export function Page() {
  const lists = useQuery(listsQuery);
  const isAdmin = useAllows('admin');
  const { whole } = useFormats();
  const [dialog, setDialog] = useState<OpenDialog>();
  const close = (): void => setDialog(undefined);
  return (
    <>
      <PageHeader lead="What merchants’ software and the console offer to choose from." />
      <Panel flush>
        <Loaded query={lists} skeleton={14}>
          {({ results }) => (
            <Table
              rows={results}
              keyOf={({ list }) => list}
              columns={[
                {
                  label: 'List',
                  kind: 'lead',
                  cell: ({ list, description }) => (
                    <>
                      <strong>{listTitle(list)}</strong>
                      <br />
                      <span className="muted small">{inline(description)}</span>
                    </>
                  ),
                },
                { label: 'Names', kind: 'number', cell: ({ entries }) => whole(entries) },
                {
                  label: 'Set by',
                  cell: ({ is_default: isDefault }) => (
                    <Chip tone={isDefault ? 'quiet' : 'accent'}>{isDefault ? 'Tradepost' : 'Operator'}</Chip>
                  ),
                },
                {
                  label: 'Actions',
                  kind: 'actions',
                  cell: (list) => (
                    <span className={styles.actions}>
                      <Button
                        variant="default"
                        size="compact-sm"
                        onClick={() => setDialog({ kind: 'edit', list })}
                      >
                        {isAdmin ? 'Edit' : 'Show'}
                        <span className="visually-hidden"> {listTitle(list.list)}</span>
                      </Button>
                      {isAdmin && !list.is_default && (
                        <Button
                          variant="subtle"
                          color="red"
                          size="compact-sm"
                          onClick={() => setDialog({ kind: 'reset', list })}
                        >
                          Reset<span className="visually-hidden"> {listTitle(list.list)}</span>
                        </Button>
                      )}
                    </span>
                  ),
                },
              ]}
            />
          )}
        </Loaded>
      </Panel>
      {dialog?.kind === 'edit' && <EditList list={dialog.list} onClose={close} />}
      {dialog?.kind === 'reset' && <ResetList list={dialog.list} onClose={close} />}
    </>
  );
}
