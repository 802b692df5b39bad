import { Button } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useFormats } from '../../format/use-formats.ts';
import { destinationOf } from '../../orders/order.ts';
import { FormError } from '../../ui/form-error.tsx';
import { IconEye } from '../../ui/icons.ts';
import { Panel } from '../../ui/panel.tsx';
import { call } from '../call.ts';
import styles from '../records.module.css';
import type { Order } from './queries.ts';

interface Props {
  merchant: string;
  order: Order;
  canReveal: boolean;
}

/**
 * The customer of an order. Name and address are hidden until the operator asks for them, which the
 * merchant’s audit log records, and again once the page is left.
 */
export function OrderCustomer({ merchant, order, canReveal }: Props) {
  const { time } = useFormats();
  const { customer_id: id, redacted_at: erasedAt } = order;
  const revealing = useMutation({
    mutationFn: () => call('revealCustomer', { external_id: merchant, order: order.external_id }),
    // Nothing keeps what was revealed.
    gcTime: 0,
  });
  const { data: revealed, isPending, error } = revealing;
  const lines = revealed === undefined ? [] : linesOf(revealed);
  return (
    <Panel title="Customer">
      <div className={styles.hidden}>
        {id !== null && <span className="mono">{id}</span>}
        {lines.length > 0 && erasedAt === null && (
          <address className={styles.address}>
            {lines.map((line) => (
              <span key={line}>{line}</span>
            ))}
          </address>
        )}
        <span>{destinationOf(order)}</span>
        {erasedAt !== null && (
          <p className="muted small">The name and address were erased on {time(erasedAt)}.</p>
        )}
        {erasedAt === null && revealed !== undefined && lines.length === 0 && (
          <p className="muted small">The order was stated without a name or address.</p>
        )}
        {erasedAt === null && revealed === undefined && canReveal && (
          <>
            <FormError error={error} />
            <Button
              variant="default"
              size="compact-sm"
              leftSection={<IconEye size={15} />}
              aria-busy={isPending}
              onClick={() => !isPending && revealing.mutate()}
            >
              Show name and address
            </Button>
            <p className="muted small">The merchant’s audit log says that you have seen it.</p>
          </>
        )}
      </div>
    </Panel>
  );
}

function linesOf({ customer_name: name, address1, address2, city, postal_code: code }: Order): string[] {
  const place = [city, code].filter((part) => part !== null).join(' ');
  return [...new Set([name, address1, address2, place])].filter(
    (line) => line !== null && line !== '',
  ) as string[];
}
