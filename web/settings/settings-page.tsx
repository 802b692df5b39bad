import { useQuery } from '@tanstack/react-query';
import { useAllows } from '../session/role.ts';
import { ErrorState } from '../ui/error-state.tsx';
import { PageHeader } from '../ui/page-header.tsx';
import { Panel } from '../ui/panel.tsx';
import { RoleNotice } from '../ui/role-notice.tsx';
import { TableSkeleton } from '../ui/table-skeleton.tsx';
import { shopQuery } from './queries.ts';
import styles from './settings.module.css';
import { ShopForm } from './shop-form.tsx';

export function Page() {
  const { data, error, refetch } = useQuery(shopQuery);
  const isOwner = useAllows('owner');
  return (
    <>
      <PageHeader title="Shop settings" />
      <RoleNotice least="owner" action="change the settings of the shop" />
      <Panel>
        {data === undefined ? (
          error === null ? (
            <TableSkeleton rows={4} />
          ) : (
            <ErrorState error={error} retry={() => void refetch()} />
          )
        ) : isOwner ? (
          <ShopForm shop={data} />
        ) : (
          <dl className={styles.facts}>
            <dt>Shop name</dt>
            <dd>{data.name}</dd>
            <dt>Time zone</dt>
            <dd>{data.time_zone}</dd>
            <dt>Currency</dt>
            <dd>{data.currency}</dd>
          </dl>
        )}
      </Panel>
    </>
  );
}
