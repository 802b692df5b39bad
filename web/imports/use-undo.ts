import { useMutation } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import type { StartedUndo } from '../../src/console/catalog-api.ts';
import { post } from '../server/request.ts';
import { showError } from '../ui/notify.tsx';

/** What an undo undoes: an import or a bulk change, or one call. */
export type Undoable = { import_id: string } | { change_id: string };

/** Prepares an undo, and leads to its preview. Nothing has changed by then. */
export function useUndo(change: Undoable): { start: () => void; isPending: boolean } {
  const navigate = useNavigate();
  const { mutate, isPending } = useMutation({
    mutationFn: () => post<StartedUndo>('imports/undo', change),
    onSuccess: ({ id }) => void navigate({ to: '/products/import', search: { id } }),
    onError: showError,
  });
  return { start: () => mutate(), isPending };
}
