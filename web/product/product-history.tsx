import { useInfiniteQuery } from '@tanstack/react-query';
import type { ConsoleProductChange } from '../../src/console/activity-api.ts';
import styles from '../activity/activity.module.css';
import { readProductChanges } from '../activity/change-words.ts';
import { FieldChanges } from '../activity/field-changes.tsx';
import { AuthorAndImport } from '../activity/import-name.tsx';
import { productHistoryQuery } from '../activity/queries.ts';
import { UndoEntry } from '../activity/undo-entry.tsx';
import { Ago } from '../format/ago.tsx';
import { useFormats } from '../format/use-formats.ts';
import { EmptyState } from '../ui/empty-state.tsx';
import { IconHistory } from '../ui/icons.ts';
import { Loaded } from '../ui/loaded.tsx';
import { MoreButton } from '../ui/more-button.tsx';
import { Panel } from '../ui/panel.tsx';

/** What changed in a product and its variations, newest first. */
export function ProductHistory({ identifier }: { identifier: string }) {
  const list = useInfiniteQuery(productHistoryQuery(identifier));
  return (
    <Panel title="History" flush>
      <Loaded query={list} skeleton={3}>
        {({ pages }) => {
          const entries = pages.flatMap((part) => part.entries);
          return entries.length === 0 ? (
            <EmptyState
              Icon={IconHistory}
              title="No changes yet"
              description="Changes of this product appear here, with who made them."
            />
          ) : (
            <ol className={styles.history}>
              {entries.map((entry) => (
                <Change key={entry.id} entry={entry} />
              ))}
            </ol>
          );
        }}
      </Loaded>
      <MoreButton list={list} label="Show older changes" />
    </Panel>
  );
}

function Change({ entry }: { entry: ConsoleProductChange }) {
  const formats = useFormats();
  const changes = readProductChanges(entry.changes, formats);
  return (
    <li>
      {entry.action === 'created' ? (
        <strong>Created</strong>
      ) : changes.length === 0 ? (
        <span>Changed</span>
      ) : (
        <FieldChanges changes={changes} />
      )}
      <span className="muted small">
        <AuthorAndImport author={entry} /> · <Ago at={entry.at} />
        {(entry.action === 'changed' || entry.import !== null) && <UndoEntry entry={entry} />}
      </span>
    </li>
  );
}
