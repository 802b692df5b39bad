import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { Ago } from '../format/ago.tsx';
import { useFormats } from '../format/use-formats.ts';
import { useAllows } from '../session/role.ts';
import { EmptyValue, valueOrDash } from '../ui/empty-value.tsx';
import { carrierName } from './carriers.ts';
import { type DueGroup, dueGroupOf, dueGroups, dueLabels } from './due.ts';
import { DueDate } from './due-date.tsx';
import { destinationOf, type Order, skuOf } from './order.ts';
import { OrderStatusChip } from './order-status.tsx';
import styles from './orders.module.css';
import { carriersQuery, countsQuery } from './queries.ts';

interface Props {
  orders: readonly Order[];
  /** Whether the orders have to be shipped: shows when, instead of how they were shipped. */
  isToShip: boolean;
  /** Whether they are in the order of their due dates, and divided by them. */
  isByDueDate: boolean;
  selected: ReadonlySet<number>;
  onSelect: (ids: readonly number[], isSelected: boolean) => void;
  onShip: (order: Order) => void;
}

/** A page of orders. Uses plain elements, because a page can have hundreds of rows. */
export function OrdersTable({ orders, isToShip, isByDueDate, ...rowProps }: Props) {
  const { whole } = useFormats();
  const counts = useQuery(countsQuery).data;
  const carriers = useQuery({ ...carriersQuery, enabled: !isToShip }).data;
  const canEdit = useAllows('editor');
  const now = Date.now();
  const groups = isByDueDate
    ? dueGroups.map((group): [DueGroup | undefined, readonly Order[]] => [
        group,
        orders.filter((order) => dueGroupOf(order.fulfillment_due_date, now, counts?.day_ends_at) === group),
      ])
    : [[undefined, orders] as const];
  const totals = { overdue: counts?.overdue, today: counts?.due_today, undated: undefined, later: undefined };
  const columns = isToShip ? 6 : 7;
  return (
    <div className="table-frame">
      <table className={`table cards ${styles.list}`}>
        <thead>
          <tr>
            <th scope="col">Order</th>
            {!isToShip && <th scope="col">Status</th>}
            <th scope="col" className="number">
              Units
            </th>
            <th scope="col">Ship to</th>
            <th scope="col">{isToShip ? 'Due' : 'Tracking number'}</th>
            <th scope="col" className="number">
              Ordered
            </th>
            <th scope="col">
              <span className="visually-hidden">Actions</span>
            </th>
          </tr>
        </thead>
        {groups.map(
          ([group, members]) =>
            members.length > 0 && (
              <tbody key={group ?? 'all'} id={group && `due-${group}`}>
                {group !== undefined && (
                  <tr className={styles.group} data-due={group}>
                    <th colSpan={columns} scope="rowgroup">
                      {dueLabels[group]}
                      {totals[group] !== undefined && (
                        <span className={styles.groupCount}>{whole(totals[group])}</span>
                      )}
                    </th>
                  </tr>
                )}
                {members.map((order) => (
                  <OrderRow
                    key={order.order_id}
                    order={order}
                    canEdit={canEdit}
                    isToShip={isToShip}
                    {...rowProps}
                  >
                    {isToShip ? (
                      <DueDate due={order.fulfillment_due_date} dayEnd={counts?.day_ends_at} />
                    ) : (
                      <Tracking order={order} carriers={carriers} />
                    )}
                  </OrderRow>
                ))}
              </tbody>
            ),
        )}
      </table>
    </div>
  );
}

interface RowProps extends Pick<Props, 'isToShip' | 'selected' | 'onSelect' | 'onShip'> {
  order: Order;
  canEdit: boolean;
  /** When the order is due, or how it was shipped. */
  children: ReactNode;
}

function OrderRow({ order, canEdit, isToShip, selected, onSelect, onShip, children }: RowProps) {
  const { whole } = useFormats();
  const { order_id: id, product_name: name, product_quantity: units, shipped_quantity: shipped } = order;
  return (
    <tr>
      <td className="lead">
        <div className={styles.order}>
          {canEdit && (
            <input
              type="checkbox"
              className={styles.select}
              aria-label={`Select order ${id}`}
              checked={selected.has(id)}
              onChange={(event) => onSelect([id], event.currentTarget.checked)}
            />
          )}
          <div className={styles.names}>
            <Link to="/orders/$order" params={{ order: String(id) }} className={styles.open ?? ''}>
              {name}
            </Link>
            <span className={styles.subtitle}>
              #{id} · <span className="mono">{skuOf(order)}</span>
            </span>
          </div>
        </div>
      </td>
      {!isToShip && (
        <td data-label="Status">
          <OrderStatusChip order={order} />
        </td>
      )}
      <td data-label="Units" className="number">
        {isToShip && shipped > 0 ? (
          <span title={`${whole(shipped)} of ${whole(units)} shipped`}>
            {whole(units - shipped)} of {whole(units)}
          </span>
        ) : (
          whole(units)
        )}
      </td>
      <td data-label="Ship to">{valueOrDash(destinationOf(order), (text) => text)}</td>
      <td data-label={isToShip ? 'Due' : 'Tracking number'}>{children}</td>
      <td data-label="Ordered" className="number">
        <Ago at={order.created_at} />
      </td>
      <td className="row-actions">
        {canEdit && order.can_fulfill && (
          <span>
            <Button
              variant="default"
              size="compact-sm"
              aria-label={`Ship order ${id}`}
              onClick={() => onShip(order)}
            >
              Ship
            </Button>
          </span>
        )}
      </td>
    </tr>
  );
}

function Tracking({ order, carriers }: { order: Order; carriers: Record<string, string> | undefined }) {
  const { packages, carrier, tracking_number: number } = order;
  if (carrier === null || number === null) return <EmptyValue />;
  const more = packages.length - 1;
  return (
    <span className={styles.tracking}>
      {carrierName(carriers, carrier)} <span className="mono">{number}</span>
      {more > 0 && <span className="muted"> +{more}</span>}
    </span>
  );
}
