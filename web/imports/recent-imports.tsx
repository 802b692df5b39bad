import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ListedImport } from '../../src/console/console-api.ts';
import { useFormats } from '../format/use-formats.ts';
import { Chip, type Tone } from '../ui/chip.tsx';
import { Panel } from '../ui/panel.tsx';
import { recentImportsQuery } from './queries.ts';
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
  const { checked, running, done } = wordsOf(upload);
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

/** The imports of the last day, from the console and the API. Shows nothing if there are none. */
export function RecentImports() {
  const { time } = useFormats();
  const { data } = useQuery(recentImportsQuery);
  if (data === undefined || data.imports.length === 0) return null;
  return (
    <Panel title="Recent uploads and bulk changes" flush>
      <div className="table-frame">
        <table className="table cards">
          <thead>
            <tr>
              <th scope="col">File or change</th>
              <th scope="col">Status</th>
              <th scope="col">Created by</th>
              <th scope="col">Created</th>
            </tr>
          </thead>
          <tbody>
            {data.imports.map((upload) => (
              <tr key={upload.id}>
                <td data-label="File or change">
                  <Link to="/products/import" search={{ id: upload.id }}>
                    {upload.name}
                  </Link>
                </td>
                <td data-label="Status">
                  <Chip tone={tones[upload.state]}>{labelOf(upload)}</Chip>
                </td>
                <td data-label="Created by">{upload.created_by}</td>
                <td data-label="Created">{time(upload.created_at)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </Panel>
  );
}
