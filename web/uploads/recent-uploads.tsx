import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { UploadSummary } from '../../src/console/console-api.ts';
import { useFormats } from '../format/use-formats.ts';
import { Chip, type Tone } from '../ui/chip.tsx';
import { Panel } from '../ui/panel.tsx';
import { recentUploadsQuery } from './queries.ts';

const states: Record<UploadSummary['state'], { label: string; tone: Tone }> = {
  checking: { label: 'Checking', tone: 'accent' },
  ready: { label: 'Ready to import', tone: 'warn' },
  importing: { label: 'Importing', tone: 'accent' },
  done: { label: 'Imported', tone: 'good' },
  failed: { label: 'Failed', tone: 'bad' },
  canceled: { label: 'Canceled', tone: 'quiet' },
};

/** The uploads of the last day, from the console and the API. Shows nothing if there are none. */
export function RecentUploads() {
  const { time } = useFormats();
  const { data } = useQuery(recentUploadsQuery);
  if (data === undefined || data.uploads.length === 0) return null;
  return (
    <Panel title="Recent uploads" flush>
      <div className="table-frame">
        <table className="table cards">
          <thead>
            <tr>
              <th scope="col">File</th>
              <th scope="col">Status</th>
              <th scope="col">Created by</th>
              <th scope="col">Created</th>
            </tr>
          </thead>
          <tbody>
            {data.uploads.map(({ id, name, state, created_by, created_at }) => (
              <tr key={id}>
                <td data-label="File">
                  <Link to="/products/upload" search={{ id }}>
                    {name}
                  </Link>
                </td>
                <td data-label="Status">
                  <Chip tone={states[state].tone}>{states[state].label}</Chip>
                </td>
                <td data-label="Created by">{created_by}</td>
                <td data-label="Created">{time(created_at)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </Panel>
  );
}
