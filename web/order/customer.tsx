import { Button } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { destinationOf, type Order } from '../orders/order.ts';
import { reveal, useAddressLines } from '../orders/reveal.ts';
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
  const { order_id: id, redacted_at: erasedAt } = order;
  const addressLines = useAddressLines();
  const revealing = useMutation({
    mutationFn: () => reveal([id]),
    onSuccess: () => refresh('audit', 'overview'),
    // Nothing keeps what was revealed.
    gcTime: 0,
  });
  const revealed = revealing.data?.get(id);
  const lines = revealed === undefined ? [] : addressLines(order, revealed);
  return (
    <Panel
      title="Ship to"
      aside={lines.length > 0 && <CopyButton value={lines.join('\n')} label="name and address" />}
    >
      {lines.length > 0 ? (
        <address className={styles.address}>
          {lines.map((line) => (
            <span key={line}>{line}</span>
          ))}
        </address>
      ) : erasedAt !== null ? (
        <Unknown order={order} reason="The name and address were erased." />
      ) : revealing.isSuccess ? (
        <Unknown order={order} reason="The marketplace has sent no name or address." />
      ) : (
        <Hidden order={order} revealing={revealing} />
      )}
    </Panel>
  );
}

function Unknown({ order, reason }: { order: Order; reason: string }) {
  return (
    <>
      <p>{destinationOf(order)}</p>
      <p className="muted small">{reason}</p>
    </>
  );
}

interface HiddenProps {
  order: Order;
  revealing: { error: unknown; isPending: boolean; mutate: () => void };
}

function Hidden({ order, revealing: { error, isPending, mutate } }: HiddenProps) {
  const canReveal = useAllows('editor');
  return (
    <div className={styles.hidden}>
      <span className={styles.mask} aria-hidden="true">
        <span />
        <span />
        <span />
      </span>
      <span>{destinationOf(order)}</span>
      <FormError error={error} />
      {canReveal ? (
        <>
          <Button
            variant="default"
            size="compact-sm"
            leftSection={<IconEye size={15} />}
            aria-busy={isPending}
            onClick={() => !isPending && mutate()}
          >
            Show address
          </Button>
          <p className="muted small">The activity log shows who has seen it.</p>
        </>
      ) : (
        <p className="muted small">Only owners and editors can see the name and address.</p>
      )}
    </div>
  );
}
