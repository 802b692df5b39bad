import type { ChangeAuthor } from '../../audit/change-author.ts';
import { describeActor } from '../../audit/record-audit.ts';
import { formatTime } from '../../shared/timestamps.ts';

/** One change of a record, in wire order, with its fields that have changed. */
export interface ListedChange<Field> {
  /** RFC 3339. */
  at: string;
  action: 'created' | 'changed';
  /** As in the audit log. */
  who: string;
  request_id: string | null;
  import_id: string | null;
  changes: Field[];
}

/** Changes of a record, newest first. */
export interface ListedChanges<Field, Change = ListedChange<Field>> {
  results: Change[];
  cursor: string;
  more: boolean;
}

export function listedChange<Field>(
  { at, actor_kind: kind, actor_name: name, request_id, import_id }: ChangeAuthor,
  action: ListedChange<Field>['action'],
  changes: Field[],
): ListedChange<Field> {
  return { at: formatTime(at), action, who: describeActor({ kind, name }), request_id, import_id, changes };
}
