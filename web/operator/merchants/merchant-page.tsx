import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { useState } from 'react';
import { ServerError } from '../../server/server-error.ts';
import { Loaded } from '../../ui/loaded.tsx';
import { NotFound } from '../../ui/not-found.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { Panel } from '../../ui/panel.tsx';
import { useAllows } from '../session.ts';
import { ChangeLimits } from './change-limits.tsx';
import { ChangeState } from './change-state.tsx';
import { MerchantFacts } from './merchant-facts.tsx';
import { MerchantKeys } from './merchant-keys.tsx';
import { MerchantUsers } from './merchant-users.tsx';
import { OpenConsole } from './open-console.tsx';
import { type ListedMerchant, merchantQuery } from './queries.ts';

const route = getRouteApi('/signed-in/merchants/$merchant');

/** One merchant, and what can be done with it. */
export function Page() {
  const { merchant: id } = route.useParams();
  const query = useQuery(merchantQuery(id));
  const { data: merchant, error } = query;
  if (merchant !== undefined) return <MerchantDetails key={id} merchant={merchant} />;
  if (error instanceof ServerError && error.status === 404) return <NotFound />;
  return (
    <>
      <PageHeader title="Merchant" lead={<Link to="/merchants">All merchants</Link>} />
      <Panel>
        <Loaded query={query} skeleton={5} />
      </Panel>
    </>
  );
}

function MerchantDetails({ merchant }: { merchant: ListedMerchant }) {
  const { name, state } = merchant;
  const [change, setChange] = useState<'state' | 'limits'>();
  const close = (): void => setChange(undefined);
  const actions = useAllows('support') && (
    <>
      <OpenConsole merchant={merchant} />
      <Button variant="default" onClick={() => setChange('limits')}>
        Change limits
      </Button>
      <Button variant={state === 'active' ? 'default' : 'filled'} onClick={() => setChange('state')}>
        {state === 'active' ? 'Suspend' : 'Reactivate'}
      </Button>
    </>
  );
  return (
    <>
      <PageHeader title={name} lead={<Link to="/merchants">All merchants</Link>} actions={actions} />
      <div className="parts">
        <MerchantFacts merchant={merchant} />
        <MerchantKeys merchant={merchant} />
        <MerchantUsers merchant={merchant} />
      </div>
      {change === 'state' && <ChangeState merchant={merchant} onClose={close} />}
      {change === 'limits' && <ChangeLimits merchant={merchant} onClose={close} />}
    </>
  );
}
