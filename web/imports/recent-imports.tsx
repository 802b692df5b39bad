import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ListedImport } from '../../src/console/catalog-api.ts';
import { wordAuthor } from '../format/author.ts';
import { useFormats } from '../format/use-formats.ts';
import { Chip } from '../ui/chip.tsx';
import { Panel } from '../ui/panel.tsx';
import { Table } from '../ui/table.tsx';
import type { Tone } from '../ui/tone.ts';
import { recentImportsQuery, rejectingImportsQuery } from './queries.ts';
import { wordsOf } from './words.ts';

const tones: Record<ListedImport['state'], Tone> = {
  checking: 'accent',
  checked: 'warn',
  importing: 'accent',
  done: 'good',
  failed: 'bad',
  canceled: 'quiet',
};

function labelOf(upload: ListedImport): string {
  const { running, done } = wordsOf(upload);
  const checked = upload.is_blocked ? 'Can’t be imported yet' : wordsOf(upload).checked;
  const labels = {
    checking: 'Checking',
    checked,
    importing: running,
    done,
    failed: 'Failed',
    canceled: 'Canceled',
  };
  return labels[upload.state];
}

/**
 * The imports of the last day, from the console and the API, or only those with rejected rows. Shows nothing
 * if there are none.
 */
export function RecentImports({ isRejectingOnly = false }: { isRejectingOnly?: boolean }) {
  const { time } = useFormats();
  const { data } = useQuery(isRejectingOnly ? rejectingImportsQuery : recentImportsQuery);
  if (data === undefined || data.imports.length === 0) return null;
  return (
    <Panel
      title={isRejectingOnly ? 'Recent uploads with rejected rows' : 'Recent uploads and bulk changes'}
      flush
    >
      <Table
        rows={data.imports}
        keyOf={({ id }) => id}
        columns={[
          {
            label: 'File or change',
            cell: ({ id, name }) => (
              <Link to="/products/import" search={{ id }}>
                {name}
              </Link>
            ),
          },
          {
            label: 'Status',
            cell: (upload) => <Chip tone={tones[upload.state]}>{labelOf(upload)}</Chip>,
          },
          { label: 'Created by', cell: ({ created_by: creator }) => wordAuthor(creator) },
          { label: 'Created', cell: ({ created_at: created }) => time(created) },
        ]}
      />
    </Panel>
  );
}
