import { IconCheck } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import type { Overview } from '../../src/console/console-api.ts';
import { CodeBlock } from '../feedback/code-block.tsx';
import { keptToken } from '../keys/kept-token.ts';
import { firstCall } from '../reference/curl.ts';
import { useStore } from '../server/store.ts';
import { useSession } from '../session/session.ts';
import { LinkButton } from '../shell/link-button.tsx';
import { Panel } from '../shell/panel.tsx';
import styles from './overview.module.css';

/** From an empty shop to the first call of the API. */
export function NextSteps({ overview: { products, keys } }: { overview: Overview }) {
  const { api_url: apiUrl } = useSession();
  const token = useStore(keptToken) || 'TOKEN';
  return (
    <Panel title="Next steps">
      <ol className={styles.steps}>
        <Step isDone={products.all > 0} title="Bring your products in">
          <p>A CSV or NDJSON file, or Shopify’s export. You see what it would change first.</p>
          <LinkButton to="/products/upload" size="sm">
            Upload a file
          </LinkButton>
        </Step>
        <Step isDone={keys.active > 0} title="Make an API key">
          <p>One for each program that works with your shop.</p>
          <LinkButton to="/keys" size="sm">
            Make a key
          </LinkButton>
        </Step>
        <Step isDone={keys.last_used_at !== null} title="Make the first call">
          <p>From a terminal{token === 'TOKEN' && ', with your token in the place of TOKEN'}:</p>
          <CodeBlock text={firstCall(apiUrl, token)} what="the curl line" />
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
            <IconCheck size={15} aria-hidden="true" /> done
          </span>
        )}
      </h3>
      {!isDone && <div className={styles.stepBody}>{children}</div>}
    </li>
  );
}
