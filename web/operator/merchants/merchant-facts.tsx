import { Link } from '@tanstack/react-router';
import facts from '../../campaigns/campaigns.module.css';
import { Ago } from '../../format/ago.tsx';
import { useFormats } from '../../format/use-formats.ts';
import { EmptyValue } from '../../ui/empty-value.tsx';
import { Panel } from '../../ui/panel.tsx';
import { useAllows } from '../session.ts';
import { MerchantState } from './merchant-state.tsx';
import styles from './merchants.module.css';
import type { ListedMerchant } from './queries.ts';

/** What a merchant is and does. */
export function MerchantFacts({ merchant }: { merchant: ListedMerchant }) {
  const { day, whole, count } = useFormats();
  const { external_id: id, activity } = merchant;
  const maySeeOrders = useAllows('support');
  const { failing_webhooks: failing, disabled_webhooks: disabled } = activity;
  return (
    <Panel title="Details">
      <dl className={facts.facts}>
        <div>
          <dt>State</dt>
          <dd>
            <span className={styles.chips}>
              <MerchantState merchant={merchant} />
            </span>
          </dd>
        </div>
        {merchant.suspension_reason !== null && (
          <div>
            <dt>Reason for the suspension</dt>
            <dd>{merchant.suspension_reason}</dd>
          </div>
        )}
        <div>
          <dt>Products</dt>
          <dd>
            <Link to="/products" search={{ merchant: id }}>
              {whole(activity.products)}
            </Link>
            {merchant.product_limit !== null && ` of at most ${whole(merchant.product_limit)}`}
          </dd>
        </div>
        {maySeeOrders && (
          <div>
            <dt>Orders</dt>
            <dd>
              <Link to="/orders" search={{ merchant: id }}>
                Show orders
              </Link>
            </dd>
          </div>
        )}
        <div>
          <dt>Last call</dt>
          <dd>{activity.last_call_at === null ? 'Never' : <Ago at={activity.last_call_at} />}</dd>
        </div>
        <div>
          <dt>Calls this hour and last hour</dt>
          <dd>
            <Link to="/calls" search={{ merchant: id }}>
              {count(activity.recent_calls, 'call')}, {whole(activity.recent_failed_calls)} failed
            </Link>
          </dd>
        </div>
        {merchant.request_limit !== null && (
          <div>
            <dt>Rate limit</dt>
            <dd>{count(merchant.request_limit, 'request')} a minute for each key</dd>
          </div>
        )}
        <div>
          <dt>Webhooks</dt>
          <dd>
            {failing === 0 && disabled === 0 && (
              <Link to="/webhooks" search={{ merchant: id, state: 'enabled' }}>
                None failing
              </Link>
            )}
            {failing > 0 && (
              <Link to="/webhooks" search={{ merchant: id }}>
                {whole(failing)} failing
              </Link>
            )}
            {disabled > 0 && (
              <Link to="/webhooks" search={{ merchant: id, state: 'disabled' }}>
                {whole(disabled)} disabled by the service
              </Link>
            )}
          </dd>
        </div>
        <div>
          <dt>ID</dt>
          <dd className="mono">{id}</dd>
        </div>
        <div>
          <dt>Email</dt>
          <dd>{merchant.email ?? <EmptyValue />}</dd>
        </div>
        <div>
          <dt>Time zone</dt>
          <dd>{merchant.time_zone}</dd>
        </div>
        <div>
          <dt>Currency</dt>
          <dd>{merchant.currency}</dd>
        </div>
        <div>
          <dt>Created</dt>
          <dd>{day(merchant.created_at)}</dd>
        </div>
      </dl>
    </Panel>
  );
}
