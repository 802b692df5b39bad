import { NativeSelect } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import type { ConsoleImport } from '../../src/console/catalog-api.ts';
import { queryClient } from '../server/query-client.ts';
import { post } from '../server/request.ts';
import { FormError } from '../ui/form-error.tsx';
import { importQuery } from './queries.ts';

/** Of a workbook with several sheets, the choice of the sheet. Another one is checked at once. */
export function SheetSelect({ upload: { id, sheet } }: { upload: ConsoleImport }) {
  const check = useMutation({
    mutationFn: (name: string) => post<ConsoleImport>(`imports/${id}/check`, { sheet: name }),
    onSuccess: (upload) => queryClient.setQueryData(importQuery(id).queryKey, upload),
  });
  if (sheet === null || sheet.names.length < 2) return null;
  return (
    <>
      <NativeSelect
        label="Sheet"
        data={sheet.names}
        value={check.variables ?? sheet.name}
        disabled={check.isPending}
        onChange={(event) => check.mutate(event.currentTarget.value)}
        maw="22rem"
        mb="md"
      />
      <FormError error={check.error} />
    </>
  );
}
