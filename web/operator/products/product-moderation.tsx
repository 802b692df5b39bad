import { Link } from '@tanstack/react-router';
import { useFormats } from '../../format/use-formats.ts';
import { Panel } from '../../ui/panel.tsx';
import { PastDecisions } from '../moderation/past-decisions.tsx';
import styles from '../records.module.css';
import type { MerchantProduct } from './queries.ts';

const texts: Record<MerchantProduct['moderation']['state'], string> = {
  ok: 'The product can be sold',
  problematic: 'The product has problems, and can’t be sold',
  banned: 'The product is banned',
};

/** The present decision about a product, with its reasons, and the decisions before. */
export function ProductModeration({ shown: { merchant, product, moderation } }: { shown: MerchantProduct }) {
  const { state, reasons, since, waits_since: waitsSince, history } = moderation;
  const { time } = useFormats();
  const { identifier, title } = product;
  const about = { merchant: { ...merchant, currency: '' }, identifier, title: title ?? '', category: '' };
  return (
    <div className="parts">
      <Panel title="Moderation">
        <p>
          {texts[state]}
          {since !== null && state !== 'ok' && ` since ${time(since)}`}.
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
            <Link to="/moderation" search={{ merchant: merchant.external_id }}>
              Waiting for review
            </Link>{' '}
            since {time(waitsSince)}
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
