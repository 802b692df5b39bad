import { useFormats } from '../format/use-formats.ts';
import { inWords, type Order } from '../orders/order.ts';
import { Panel } from '../ui/panel.tsx';

/** What can be refunded, what the marketplace keeps, and what the merchant gets. */
export function OrderAmounts({ order }: { order: Order }) {
  const { money } = useFormats();
  const rows: [label: string, amount: number][] = [
    ...Object.entries(order.available_refunds).map(([name, amount]): [string, number] => [
      inWords(name),
      amount,
    ]),
    ...(order.refund_amount > 0 ? [['Refunded', -order.refund_amount] as [string, number]] : []),
    ...order.seller_fees.map(({ type, amount }): [string, number] => [`Fee: ${inWords(type)}`, -amount]),
    ...(order.disbursement_amount === null
      ? []
      : [['Your payout', order.disbursement_amount] as [string, number]]),
  ];
  if (rows.length === 0) return null;
  return (
    <Panel title="Amounts">
      <dl className="facts">
        {rows.map(([label, amount]) => (
          <AmountRow key={label} label={label} amount={money(amount)} />
        ))}
      </dl>
    </Panel>
  );
}

function AmountRow({ label, amount }: { label: string; amount: string }) {
  return (
    <>
      <dt>{label}</dt>
      <dd className="numbers">{amount}</dd>
    </>
  );
}
