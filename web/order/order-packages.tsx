import { Button } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Ago } from '../format/ago.tsx';
import { useFormats } from '../format/use-formats.ts';
import { carrierName } from '../orders/carriers.ts';
import { type Order, packageTexts, unitsLeft } from '../orders/order.ts';
import { carriersQuery, showOrder } from '../orders/queries.ts';
import { ShipOrder } from '../orders/ship-order.tsx';
import { call } from '../server/call.ts';
import { useAllows } from '../session/role.ts';
import { Chip } from '../ui/chip.tsx';
import { ConfirmDialog } from '../ui/dialog-form.tsx';
import { EmptyState } from '../ui/empty-state.tsx';
import { IconPackage } from '../ui/icons.ts';
import { Panel } from '../ui/panel.tsx';
import { Table } from '../ui/table.tsx';
import styles from './order.module.css';

type Package = Order['packages'][number];

/** The packages of an order. Until a carrier has scanned a package, it can be corrected or removed. */
export function OrderPackages({ order, onShip }: { order: Order; onShip: () => void }) {
  const { whole } = useFormats();
  const { packages, status, shipped_quantity: shipped, product_quantity: units } = order;
  const canEdit = useAllows('editor');
  const carriers = useQuery({ ...carriersQuery, enabled: packages.length > 0 }).data;
  const [correcting, setCorrecting] = useState<Package>();
  const [removing, setRemoving] = useState<Package>();
  const canChange = (each: Package): boolean =>
    canEdit && each.state === 'shipped' && (status === 'paid' || status === 'shipped');
  return (
    <Panel
      title="Packages"
      flush
      aside={
        unitsLeft(order) > 0 &&
        shipped > 0 && (
          <span className="muted small">
            {whole(shipped)} of {whole(units)} units shipped
          </span>
        )
      }
    >
      {packages.length === 0 ? (
        <EmptyState
          Icon={IconPackage}
          title="Nothing shipped"
          description={
            order.can_fulfill
              ? 'Enter the tracking number when the package is on its way.'
              : 'This order has no packages.'
          }
        >
          {order.can_fulfill && canEdit && <Button onClick={onShip}>Enter tracking number</Button>}
        </EmptyState>
      ) : (
        <Table
          rows={packages}
          keyOf={({ package_id: id }) => id}
          columns={[
            {
              label: 'Package',
              kind: 'lead',
              cell: ({ carrier, tracking_number: number, tracking_url: url }) => (
                <span className={styles.package}>
                  {carrierName(carriers, carrier)}
                  {url === null ? (
                    <span className="mono">{number}</span>
                  ) : (
                    <a href={url} target="_blank" rel="noreferrer" className="mono">
                      {number}
                    </a>
                  )}
                </span>
              ),
            },
            { label: 'Units', kind: 'number', cell: ({ quantity }) => whole(quantity) },
            { label: 'Shipped', cell: ({ shipped_at: at }) => <Ago at={at} /> },
            {
              label: 'State',
              cell: ({ state }) => <Chip tone={packageTexts[state].tone}>{packageTexts[state].label}</Chip>,
            },
            canEdit && {
              label: 'Actions',
              kind: 'actions',
              cell: (each) =>
                canChange(each) && (
                  <span>
                    <Button
                      variant="default"
                      size="compact-sm"
                      aria-label={`Correct package ${each.tracking_number}`}
                      onClick={() => setCorrecting(each)}
                    >
                      Correct
                    </Button>
                    <Button
                      variant="default"
                      size="compact-sm"
                      aria-label={`Remove package ${each.tracking_number}`}
                      onClick={() => setRemoving(each)}
                    >
                      Remove
                    </Button>
                  </span>
                ),
            },
          ]}
        />
      )}
      {correcting !== undefined && (
        <ShipOrder order={order} corrected={correcting} onClose={() => setCorrecting(undefined)} />
      )}
      {removing !== undefined && (
        <RemovePackage order={order} removed={removing} onClose={() => setRemoving(undefined)} />
      )}
    </Panel>
  );
}

function RemovePackage({ order, removed, onClose }: { order: Order; removed: Package; onClose: () => void }) {
  const removal = useMutation({
    mutationFn: () => call('unfulfillOrder', { order_id: order.order_id, package_id: removed.package_id }),
    onSuccess: (changed) => {
      showOrder(changed);
      notifications.show({ message: 'Package removed.' });
      onClose();
    },
  });
  return (
    <ConfirmDialog
      title="Remove package?"
      text={
        <p>
          Its units have to be shipped again. Package: <span className="mono">{removed.tracking_number}</span>
        </p>
      }
      action="Remove package"
      mutation={removal}
      onConfirm={() => removal.mutate()}
      onClose={onClose}
    />
  );
}
