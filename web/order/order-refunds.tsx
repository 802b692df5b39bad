import { useFormats } from '../format/use-formats.ts';
import { inWords, type Order } from '../orders/order.ts';
import { Chip, type Tone } from '../ui/chip.tsx';
import { Panel } from '../ui/panel.tsx';
import { Table } from '../ui/table.tsx';

type Refund = Order['refunds'][number];

const states: Record<Refund['state'], { label: string; tone: Tone }> = {
  requested: { label: 'Requested', tone: 'warn' },
  settled: { label: 'Paid back', tone: 'good' },
  failed: { label: 'Failed', tone: 'bad' },
};

/** The refunds of an order, which the marketplace pays back. */
export function OrderRefunds({ order }: { order: Order }) {
  const { money } = useFormats();
  return (
    <Panel title="Refunds" flush>
      <Table
        rows={order.refunds}
        keyOf={({ refund_id: id }) => id}
        columns={[
          {
            label: 'Reason',
            kind: 'lead',
            cell: ({ reason, fees, type }) => (
              <span className="stack">
                <span>{inWords(reason)}</span>
                <span className="muted small">
                  {type === 'full' ? 'Everything that was left' : fees.map(inWords).join(', ')}
                </span>
              </span>
            ),
          },
          {
            label: 'State',
            cell: ({ state, failure }) => (
              <span className="stack">
                <Chip tone={states[state].tone}>{states[state].label}</Chip>
                {failure !== null && <span className="muted small">{failure}</span>}
              </span>
            ),
          },
          { label: 'Amount', kind: 'number', cell: ({ amount }) => money(amount) },
        ]}
      />
    </Panel>
  );
}
