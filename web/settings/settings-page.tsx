import { useQuery } from '@tanstack/react-query';
import { LiveOnlyNotice } from '../test-data/live-only-notice.tsx';
import { useMayChangeShop } from '../test-data/use-test-data.ts';
import { Loaded } from '../ui/loaded.tsx';
import { PageHeader } from '../ui/page-header.tsx';
import { Panel } from '../ui/panel.tsx';
import { RoleNotice } from '../ui/role-notice.tsx';
import { shopQuery } from './queries.ts';
import { ShopForm } from './shop-form.tsx';

export function Page() {
  const shop = useQuery(shopQuery);
  const canChange = useMayChangeShop();
  return (
    <>
      <PageHeader />
      <RoleNotice least="owner" action="change the settings of the shop" />
      <LiveOnlyNotice what="These settings are" />
      <Panel>
        <Loaded query={shop} skeleton={4}>
          {(data) =>
            canChange ? (
              <ShopForm shop={data} />
            ) : (
              <dl className="facts">
                <dt>Shop name</dt>
                <dd>{data.name}</dd>
                <dt>Time zone</dt>
                <dd>{data.time_zone}</dd>
                <dt>Currency</dt>
                <dd>{data.currency}</dd>
              </dl>
            )
          }
        </Loaded>
      </Panel>
    </>
  );
}
