import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { useState } from 'react';
import { OrderStatusChip } from '../../orders/order-status.tsx';
import { ServerError } from '../../server/server-error.ts';
import { Chip } from '../../ui/chip.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { NotFound } from '../../ui/not-found.tsx';
import { Notice } from '../../ui/notice.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { Panel } from '../../ui/panel.tsx';
import { merchantQuery } from '../merchants/queries.ts';
import styles from '../records.module.css';
import { useAllows } from '../session.ts';
import { HoldOrder } from './hold-order.tsx';
import { OrderCustomer } from './order-customer.tsx';
import { OrderFacts } from './order-facts.tsx';
import { OrderParcels } from './order-parcels.tsx';
import { OrdersForbidden } from './orders-forbidden.tsx';
import { type Order, orderQuery } from './queries.ts';
import { RedactOrder } from './redact-order.tsx';
import { ReleaseOrder } from './release-order.tsx';

const route = getRouteApi('/signed-in/orders/$merchant/$order');

/** One order of a merchant, without its customer’s data until somebody asks for it. */
export function Page() {
  return useAllows('support') ? <OrderOfUrl /> : <OrdersForbidden />;
}

function OrderOfUrl() {
  const { merchant, order } = route.useParams();
  const { test } = route.useSearch();
  const query = useQuery(orderQuery(merchant, order, test));
  const { data, error } = query;
  if (data !== undefined)
    return (
      <OrderRecord key={`${merchant} ${order}`} merchant={merchant} order={data} test={test === 'true'} />
    );
  if (error instanceof ServerError && error.status === 404) return <NotFound />;
  return (
    <>
      <PageHeader lead={<Link to="/orders">All orders</Link>} />
      <Panel>
        <Loaded query={query} skeleton={6} />
      </Panel>
    </>
  );
}

/** Test orders are changed by the merchant’s own programs alone. */
function OrderRecord({ merchant: id, order, test }: { merchant: string; order: Order; test: boolean }) {
  const merchant = useQuery(merchantQuery(id)).data;
  const [dialog, setDialog] = useState<'hold' | 'release' | 'redact'>();
  const close = (): void => setDialog(undefined);
  const { external_id: name, order_id: number, status, hold_reason: reason } = order;
  const isClosed = status === 'shipped' || status === 'refunded' || status === 'canceled';
  const of = { merchant: id, merchantName: merchant?.name ?? id, order, onClose: close };
  return (
    <>
      <PageHeader
        title={`Order ${name}`}
        lead={
          <span className={styles.lead}>
            <Link to="/orders">All orders</Link>
            <Link to="/merchants/$merchant" params={{ merchant: id }}>
              {merchant?.name ?? id}
            </Link>
            <span>No. {number}</span>
            <OrderStatusChip order={order} />
            {test && <Chip tone="accent">Test data</Chip>}
          </span>
        }
        actions={
          !test && (
            <span className={styles.actions}>
              {reason !== null && <Button onClick={() => setDialog('release')}>Release</Button>}
              {reason === null && !isClosed && (
                <Button variant="default" onClick={() => setDialog('hold')}>
                  Hold
                </Button>
              )}
              {order.redacted_at === null && (
                <Button variant="subtle" color="red" onClick={() => setDialog('redact')}>
                  Erase customer data
                </Button>
              )}
            </span>
          )
        }
      />
      {reason !== null && (
        <Notice>On hold: {reason}. The merchant doesn’t ship it until it is released.</Notice>
      )}
      <div className={styles.columns}>
        <div className="parts">
          <OrderFacts merchant={id} order={order} currency={merchant?.currency} test={test} />
          <OrderParcels order={order} currency={merchant?.currency} />
        </div>
        <OrderCustomer merchant={id} order={order} canReveal={!test} />
      </div>
      {dialog === 'hold' && <HoldOrder {...of} />}
      {dialog === 'release' && <ReleaseOrder {...of} />}
      {dialog === 'redact' && <RedactOrder {...of} />}
    </>
  );
}
