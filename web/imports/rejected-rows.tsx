import { Button } from '@mantine/core';
import type { ConsoleImport } from '../../src/console/catalog-api.ts';
import { useFormats } from '../format/use-formats.ts';
import { apiPath } from '../server/application.ts';
import { fileUrl } from '../server/shop.ts';
import { fieldReason } from '../ui/field-reason.ts';
import { IconDownload } from '../ui/icons.ts';
import { Panel } from '../ui/panel.tsx';
import { Table } from '../ui/table.tsx';
import { labelOfChange, readableValue } from './changed-field.ts';
import { isUndo } from './words.ts';

/** The first reasons why rows were rejected, with a link to download the list of up to 10,000. */
export function RejectedRows({ upload }: { upload: ConsoleImport }) {
  const { id, rejections, more_rejections: hasMore, is_bulk: isBulk } = upload;
  const formats = useFormats();
  const { whole } = formats;
  if (rejections.length === 0) return null;
  const title = isUndo(upload) ? 'Left alone' : isBulk ? 'Skipped products' : 'Rejected rows';
  return (
    <Panel
      title={hasMore ? `${title} (first ${whole(rejections.length)} reasons)` : title}
      aside={
        <Button
          component="a"
          href={fileUrl(`${apiPath}imports/${encodeURIComponent(id)}/rejects.csv`)}
          download
          variant="default"
          size="compact-sm"
          leftSection={<IconDownload size={15} />}
        >
          Download (CSV)
        </Button>
      }
      flush
    >
      <Table
        rows={rejections}
        keyOf={(_, index) => index}
        columns={[
          !isBulk && {
            label: upload.sheet === null ? 'Line' : 'Row',
            kind: 'number',
            cell: ({ line }) => whole(line),
          },
          { label: 'Product', className: 'mono', cell: ({ identifier }) => identifier || '—' },
          isBulk
            ? { label: 'Field', cell: ({ column }) => fieldOf(column) }
            : { label: 'Column', className: 'mono', cell: ({ column }) => column || '(whole row)' },
          isBulk
            ? {
                label: 'Value',
                cell: ({ column, value }) =>
                  value === '' ? '(empty)' : readableValue(column, value, formats),
              }
            : { label: 'Value', className: 'mono', cell: ({ value }) => value || '(empty)' },
          { label: 'Reason', cell: ({ reason }) => fieldReason(reason) },
        ]}
      />
    </Panel>
  );
}

function fieldOf(column: string): string {
  return column === '' || column === 'identifier' ? '(whole product)' : labelOfChange(column);
}
