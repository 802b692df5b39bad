import { Button, type ButtonProps } from '@mantine/core';
import type { ConsoleImport } from '../../src/console/catalog-api.ts';
import { useAllows } from '../session/role.ts';
import { IconArrowBackUp } from '../ui/icons.ts';
import { useUndo } from './use-undo.ts';
import { wordsOf } from './words.ts';

interface Props extends Pick<ButtonProps, 'size'> {
  upload: ConsoleImport;
}

/** Leads from an import that has ended to the preview of its undo. */
export function UndoImport({ upload, ...button }: Props) {
  const { start, isPending } = useUndo({ import_id: upload.id });
  if (!useAllows('editor')) return null;
  return (
    <Button
      variant="default"
      leftSection={<IconArrowBackUp size={17} />}
      onClick={start}
      loading={isPending}
      {...button}
    >
      {wordsOf(upload).undo}
    </Button>
  );
}
