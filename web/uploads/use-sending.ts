import { useMutation } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import type { Upload } from '../../src/console/console-api.ts';
import { queryClient } from '../server/query-client.ts';
import { uploadQuery } from './queries.ts';
import { sendFile } from './send-file.ts';

export interface Sending {
  send: (file: File) => void;
  stop: () => void;
  /** What is on its way, and how much of it has gone. */
  file: File | undefined;
  share: number;
  error: Error | null;
  isSending: boolean;
}

export function useSending(onArrived: (upload: Upload) => void): Sending {
  const [share, setShare] = useState(0);
  const controller = useRef<AbortController>(undefined);
  const { mutate, reset, variables, error, isPending } = useMutation({
    mutationFn: (file: File) => {
      setShare(0);
      controller.current = new AbortController();
      return sendFile(file, setShare, controller.current.signal);
    },
    onSuccess: (upload) => {
      queryClient.setQueryData(uploadQuery(upload.id).queryKey, upload);
      onArrived(upload);
    },
  });
  const stop = (): void => {
    controller.current?.abort();
    reset();
  };
  return { send: mutate, stop, file: variables, share, error, isSending: isPending };
}
