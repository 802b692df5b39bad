import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { useState } from 'react';
import { CancelOrder } from '../orders/cancel-order.tsx';
import { DueDate } from '../orders/due-date.tsx';
import { lastListing } from '../orders/last-listing.ts';
import { type Order, statusTexts } from '../orders/order.ts';
import { OrderStatusChip } from '../orders/order-status.tsx';
import { countsQuery, orderQuery } from '../orders/queries.ts';
import { RefundOrder } from '../orders/refund-order.tsx';
import { ShipOrder } from '../orders/ship-order.tsx';
import { ServerError } from '../server/server-error.ts';
import { useStore } from '../server/store.ts';
import { useAllows } from '../session/role.ts';
import { IconArrowLeft, IconPrinter } from '../ui/icons.ts';
import { LinkButton } from '../ui/link-button.tsx';
import { Loaded } from '../ui/loaded.tsx';
import { NotFound } from '../ui/not-found.tsx';
import { Notice } from '../ui/notice.tsx';
import { PageHeader } from '../ui/page-header.tsx';
import { Panel } from '../ui/panel.tsx';
import { RoleNotice } from '../ui/role-notice.tsx';
import { Customer } from './customer.tsx';
import styles from './order.module.css';
import { OrderAmounts } from './order-amounts.tsx';
import { OrderDetails } from './order-details.tsx';
import { OrderNote } from './order-note.tsx';
import { OrderPackages } from './order-packages.tsx';
import { OrderRefunds } from './order-refunds.tsx';
import { SoldProduct } from './sold-product.tsx';
import { Timeline } from './timeline.tsx';

const route = getRouteApi('/signed-in/orders/$order');

/** One order and what can be done with it. */
export function Page() {
  const { order: id } = route.useParams();
  const query = useQuery(orderQuery(id));
  const { data: order, error } = query;
  // What one order has revealed is not shown for another one.
  if (order !== undefined) return <OrderView key={id} order={order} />;
  // 400: the URL has no ID.
  if (error instanceof ServerError && [400, 404].includes(error.status)) return <NotFound />;
  return (
    <>
      <BackToOrders />
      <PageHeader title={`Order ${id}`} />
      <Panel>
        <Loaded query={query} skeleton={8} />
      </Panel>
    </>
  );
}

type OpenDialog = 'ship' | 'refund' | 'cancel';

function OrderView({ order }: { order: Order }) {
  const { order_id: id, status, hold_reason: hold } = order;
  const canEdit = useAllows('editor');
  const counts = useQuery(countsQuery).data;
  const [dialog, setDialog] = useState<OpenDialog>();
  const close = (): void => setDialog(undefined);
  const isOpen = status === 'paid';
  const isBlocked = !isOpen && !['shipped', 'refunded', 'canceled'].includes(status);
  const actions = canEdit && (
    <>
      {order.can_cancel && (
        <Button variant="default" onClick={() => setDialog('cancel')}>
          Cancel order
        </Button>
      )}
      {order.can_refund && (
        <Button variant="default" onClick={() => setDialog('refund')}>
          Refund
        </Button>
      )}
      {(isOpen || status === 'shipped') && order.redacted_at === null && (
        <LinkButton
          to="/orders/slips"
          search={{ ids: String(id) }}
          variant="default"
          leftSection={<IconPrinter size={17} />}
        >
          Packing slip
        </LinkButton>
      )}
      {order.can_fulfill && <Button onClick={() => setDialog('ship')}>Ship</Button>}
    </>
  );
  return (
    <>
      <BackToOrders />
      <PageHeader
        title={`Order ${id}`}
        lead={
          <span className={styles.lead}>
            <OrderStatusChip order={order} />
            {isOpen && order.fulfillment_due_date !== null && (
              <span>
                Due <DueDate due={order.fulfillment_due_date} dayEnd={counts?.day_ends_at} />
              </span>
            )}
          </span>
        }
        actions={actions}
      />
      <RoleNotice least="editor" action="ship and refund orders" />
      {isBlocked && (
        <div className={styles.notice}>
          <Notice>
            {statusTexts[status].meaning}
            {hold !== null && ` Reason: ${hold}.`}
          </Notice>
        </div>
      )}
      <div className={styles.columns}>
        <div className="parts">
          <SoldProduct order={order} />
          <OrderPackages order={order} onShip={() => setDialog('ship')} />
          {order.refunds.length > 0 && <OrderRefunds order={order} />}
          <Timeline order={order} />
        </div>
        <div className="parts">
          <Customer order={order} />
          <OrderNote order={order} />
          <OrderAmounts order={order} />
          <OrderDetails order={order} />
        </div>
      </div>
      {dialog === 'ship' && <ShipOrder order={order} onClose={close} />}
      {dialog === 'refund' && <RefundOrder order={order} onClose={close} />}
      {dialog === 'cancel' && <CancelOrder order={order} onClose={close} />}
    </>
  );
}

/** A link to the list that was shown last. */
function BackToOrders() {
  return (
    <Link to="/orders" search={useStore(lastListing)} className={`small ${styles.back}`}>
      <IconArrowLeft size={15} /> Orders
    </Link>
  );
}
