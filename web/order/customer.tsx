import { Button } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import type { Order } from '../orders/order.ts';
import { destinationOf } from '../orders/order.ts';
import { addressLines, reveal } from '../orders/reveal.ts';
import { refresh } from '../server/query-client.ts';
import { useAllows } from '../session/role.ts';
import { CopyButton } from '../ui/copy-button.tsx';
import { FormError } from '../ui/form-error.tsx';
import { IconEye } from '../ui/icons.ts';
import { Panel } from '../ui/panel.tsx';
import styles from './order.module.css';

/**
 * The customer’s name and address. They are hidden until the user asks for them, which the audit log records,
 * and again once the page is left.
 */
export function Customer({ order }: { order: Order }) {
  const canReveal = useAllows('editor');
  const revealing = useMutation({
    mutationFn: () => reveal([order.order_id]),
    onSuccess: () => refresh('audit', 'overview'),
  });
  const revealed = revealing.data?.get(order.order_id);
  const destination = destinationOf(order);
  if (order.redacted_at !== null)
    return (
      <Panel title="Ship to">
        {destination !== null && <p>{destination}</p>}
        <p className="muted small">The name and address were erased.</p>
      </Panel>
    );
  if (revealing.isSuccess) {
    if (revealed === undefined)
      return (
        <Panel title="Ship to">
          {destination !== null && <p>{destination}</p>}
          <p className="muted small">The marketplace has sent no name or address.</p>
        </Panel>
      );
    const lines = addressLines(order, revealed);
    return (
      <Panel title="Ship to" aside={<CopyButton value={lines.join('\n')} label="name and address" />}>
        <address className={styles.address}>
          {lines.map((line) => (
            <span key={line}>{line}</span>
          ))}
        </address>
      </Panel>
    );
  }
  return (
    <Panel title="Ship to">
      <div className={styles.hidden}>
        <span className={styles.mask} aria-hidden="true">
          <span />
          <span />
          <span />
        </span>
        {destination !== null && <span>{destination}</span>}
        <FormError error={revealing.error} />
        {canReveal ? (
          <>
            <Button
              variant="default"
              size="compact-sm"
              leftSection={<IconEye size={15} />}
              aria-busy={revealing.isPending}
              onClick={() => !revealing.isPending && revealing.mutate()}
            >
              Show address
            </Button>
            <p className="muted small">The activity log shows who has seen it.</p>
          </>
        ) : (
          <p className="muted small">Only owners and editors can see the name and address.</p>
        )}
      </div>
    </Panel>
  );
}
