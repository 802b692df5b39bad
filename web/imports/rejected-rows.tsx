import { Button } from '@mantine/core';
import type { ConsoleImport } from '../../src/console/console-api.ts';
import { useFormats } from '../format/use-formats.ts';
import { labelOf } from '../product/fields.ts';
import { fieldReason } from '../ui/field-reason.ts';
import { IconDownload } from '../ui/icons.ts';
import { Panel } from '../ui/panel.tsx';

/** The first reasons why rows were rejected, with a link to download the list of up to 10,000. */
export function RejectedRows({ upload }: { upload: ConsoleImport }) {
  const { id, rejections, more_rejections: hasMore, is_bulk: isBulk } = upload;
  const { whole } = useFormats();
  if (rejections.length === 0) return null;
  const title = isBulk ? 'Skipped products' : 'Rejected rows';
  return (
    <Panel
      title={hasMore ? `${title} (first ${whole(rejections.length)} reasons)` : title}
      aside={
        <Button
          component="a"
          href={`/console/api/imports/${encodeURIComponent(id)}/rejects.csv`}
          download
          variant="default"
          size="compact-sm"
          leftSection={<IconDownload size={15} aria-hidden="true" />}
        >
          Download (CSV)
        </Button>
      }
      flush
    >
      <div className="table-frame">
        <table className="table cards">
          <thead>
            <tr>
              {!isBulk && (
                <th scope="col" className="number">
                  Line
                </th>
              )}
              <th scope="col">Product</th>
              <th scope="col">{isBulk ? 'Field' : 'Column'}</th>
              <th scope="col">Value</th>
              <th scope="col">Reason</th>
            </tr>
          </thead>
          <tbody>
            {rejections.map(({ line, identifier, column, value, reason }, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: a line can occur more than once, and the order never changes
              <tr key={index}>
                {!isBulk && (
                  <td className="number" data-label="Line">
                    {whole(line)}
                  </td>
                )}
                <td className="mono" data-label="Product">
                  {identifier || '—'}
                </td>
                {isBulk ? (
                  <td data-label="Field">{labelOf(column) || '(whole product)'}</td>
                ) : (
                  <td className="mono" data-label="Column">
                    {column || '(whole row)'}
                  </td>
                )}
                <td className="mono" data-label="Value">
                  {value || '(empty)'}
                </td>
                <td data-label="Reason">{fieldReason(reason)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </Panel>
  );
}
