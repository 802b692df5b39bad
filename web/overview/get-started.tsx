import type { ReactNode } from 'react';
import type { Overview } from '../../src/console/catalog-api.ts';
import { FirstCall } from '../reference/first-call.tsx';
import { useStore } from '../server/store.ts';
import { recentToken } from '../session/session.ts';
import { IconCheck } from '../ui/icons.ts';
import { LinkButton } from '../ui/link-button.tsx';
import { Panel } from '../ui/panel.tsx';
import styles from './overview.module.css';

/** The steps from an empty shop to the first API request. */
export function GetStarted({ overview: { products, keys } }: { overview: Overview }) {
  const token = useStore(recentToken) || 'TOKEN';
  return (
    <Panel title="Get started">
      <ol className={styles.steps}>
        <Step isDone={products.all > 0} title="Import products">
          <p>Upload a CSV, NDJSON, or Shopify export file. Preview before importing.</p>
          <LinkButton to="/products/import" size="sm">
            Upload file
          </LinkButton>
        </Step>
        <Step isDone={keys.active > 0 && keys.token_shown} title="Create an API key">
          <p>
            Create a separate key for each integration, so you can revoke one without breaking the others.
          </p>
          <LinkButton to="/keys" size="sm">
            Create key
          </LinkButton>
        </Step>
        <Step isDone={keys.last_used_at !== null} title="Make your first API request">
          <p>Run this in a terminal.{token === 'TOKEN' && ' Replace TOKEN with your token.'}</p>
          <FirstCall token={token} />
        </Step>
      </ol>
    </Panel>
  );
}

function Step({ isDone, title, children }: { isDone: boolean; title: string; children: ReactNode }) {
  return (
    <li data-done={isDone || undefined}>
      <h3>
        {title}
        {isDone && (
          <span className={styles.done}>
            <IconCheck size={15} /> Done
          </span>
        )}
      </h3>
      {!isDone && <div className={styles.stepBody}>{children}</div>}
    </li>
  );
}
