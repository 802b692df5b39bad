import { Link } from '@tanstack/react-router';
import { Ago } from '../../format/ago.tsx';
import { Panel } from '../../ui/panel.tsx';
import { PastDecisions } from '../moderation/past-decisions.tsx';
import styles from '../records.module.css';
import type { MerchantProduct } from './queries.ts';

/** The present decision about a product, with its reasons, and the decisions before. */
export function ProductModeration({ shown: { merchant, product, moderation } }: { shown: MerchantProduct }) {
  const { state, reasons, since, waits_since: waitsSince, history } = moderation;
  const { identifier, title } = product;
  const about = { merchant: { ...merchant, currency: '' }, identifier, title: title ?? '', category: '' };
  return (
    <div className="parts">
      <Panel title="Moderation">
        <p>
          {state === 'ok' && 'The product may be sold.'}
          {state === 'problematic' && 'The product has problems, and isn’t sold'}
          {state === 'banned' && 'The product is banned'}
          {since !== null && (
            <>
              , since <Ago at={since} />.
            </>
          )}
        </p>
        {reasons.length > 0 && (
          <ul className={styles.reasons} aria-label="Reasons">
            {reasons.map(({ code, message }) => (
              <li key={`${code} ${message}`}>
                {message} <span className="muted small">({code})</span>
              </li>
            ))}
          </ul>
        )}
        {waitsSince !== null && (
          <p className="small">
            Waits for a review since <Ago at={waitsSince} />:{' '}
            <Link to="/moderation" search={{ merchant: merchant.external_id }}>
              reviews of this merchant
            </Link>
          </p>
        )}
      </Panel>
      <Panel title="Decisions">
        <PastDecisions
          decisions={history.map((decision) => ({ ...about, ...decision }))}
          none="Nobody has decided about this product yet."
        />
      </Panel>
    </div>
  );
}
