import { useMutation } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import type { ConsoleImport } from '../../src/console/catalog-api.ts';
import { queryClient } from '../server/query-client.ts';
import { importQuery } from './queries.ts';
import { sendFile } from './send-file.ts';

/** The transfer of a file to the server. */
export interface FileImport {
  send: (file: File) => void;
  cancel: () => void;
  /** The file of the current or last transfer. */
  file: File | undefined;
  /** The transferred part of the file, from 0 to 1. */
  fraction: number;
  error: Error | null;
  isSending: boolean;
}

/** Sends one file at a time, and calls `onSent` with the server's record of it. */
export function useFileImport(onSent: (upload: ConsoleImport) => void): FileImport {
  const [fraction, setFraction] = useState(0);
  const controller = useRef<AbortController>(undefined);
  const { mutate, reset, variables, error, isPending } = useMutation({
    mutationFn: (file: File) => {
      setFraction(0);
      controller.current = new AbortController();
      return sendFile(file, setFraction, controller.current.signal);
    },
    onSuccess: (upload) => {
      queryClient.setQueryData(importQuery(upload.id).queryKey, upload);
      onSent(upload);
    },
  });
  const cancel = (): void => {
    controller.current?.abort();
    reset();
  };
  return { send: mutate, cancel, file: variables, fraction, error, isSending: isPending };
}
