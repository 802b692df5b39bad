import { NativeSelect } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { merchantQuery } from '../merchants/queries.ts';
import styles from '../records.module.css';
import type { WebhooksSearch } from './queries.ts';

/** Says whose webhooks the list shows, and chooses between live and test ones. */
export function OnlyMerchant({ merchant, search }: { merchant: string; search: WebhooksSearch }) {
  const { state, test } = search;
  const navigate = useNavigate();
  const { data } = useQuery(merchantQuery(merchant));
  const choose = (value: string): void => {
    const { test: _, ...rest } = search;
    const changed = value === '' ? rest : { ...rest, test: value };
    void navigate({ to: '/webhooks', search: changed, replace: true, resetScroll: false });
  };
  return (
    <div className={styles.filters}>
      <NativeSelect
        aria-label="Data"
        value={test === 'true' ? 'true' : ''}
        data={[
          { value: '', label: 'Live data' },
          { value: 'true', label: 'Test data' },
        ]}
        onChange={({ currentTarget: { value } }) => choose(value)}
      />
      <p className={styles.merchant}>
        <span>
          Only of{' '}
          <Link to="/merchants/$merchant" params={{ merchant }}>
            {data?.name ?? merchant}
          </Link>
        </span>
        <Link to="/webhooks" search={state === undefined ? {} : { state }}>
          Show all merchants
        </Link>
      </p>
    </div>
  );
}
