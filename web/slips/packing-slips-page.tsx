import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { useFormats } from '../format/use-formats.ts';
import { type Order, unitsLeft } from '../orders/order.ts';
import { ordersWithIds } from '../orders/queries.ts';
import { type RevealedCustomer, reveal } from '../orders/reveal.ts';
import { refresh } from '../server/query-client.ts';
import { useAllows } from '../session/role.ts';
import { EmptyState } from '../ui/empty-state.tsx';
import { ErrorState } from '../ui/error-state.tsx';
import { IconArrowLeft, IconPackage, IconPrinter } from '../ui/icons.ts';
import { Notice } from '../ui/notice.tsx';
import { PageHeader } from '../ui/page-header.tsx';
import { Panel } from '../ui/panel.tsx';
import { RoleNotice } from '../ui/role-notice.tsx';
import { TableSkeleton } from '../ui/table-skeleton.tsx';
import { PackingSlip } from './packing-slip.tsx';
import styles from './slips.module.css';

const route = getRouteApi('/signed-in/orders/slips');
const MAX_SLIPS = 100;

interface Slips {
  /** Those to ship or shipped, in the order of the URL. */
  orders: Order[];
  customers: ReadonlyMap<number, RevealedCustomer>;
  /** The orders that have no slip, because nobody may ship them or they do not exist. */
  leftOut: number[];
}

/** The packing slips of orders, one on each sheet of paper. */
export function Page() {
  const { ids = '' } = route.useSearch();
  const canReveal = useAllows('editor');
  const isOne = !ids.includes(',');
  return (
    <>
      <div className={styles.screen}>
        {isOne ? (
          <Link to="/orders/$order" params={{ order: ids }} className={`small ${styles.back}`}>
            <IconArrowLeft size={15} /> Order {ids}
          </Link>
        ) : (
          <Link to="/orders" className={`small ${styles.back}`}>
            <IconArrowLeft size={15} /> Orders
          </Link>
        )}
      </div>
      {canReveal ? (
        <SlipsToPrint key={ids} ids={idsOf(ids)} />
      ) : (
        <>
          <PageHeader />
          <RoleNotice least="editor" action="print packing slips" />
        </>
      )}
    </>
  );
}

function SlipsToPrint({ ids }: { ids: number[] }) {
  const { count } = useFormats();
  const { data, error, refetch } = useQuery({
    queryKey: ['orders', 'slips', ids],
    queryFn: ({ signal }) => readSlips(ids, signal),
    // The audit log has an entry for each time that an address is read, so nothing reads it again.
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
    retry: false,
    enabled: ids.length > 0,
  });
  const slips = data?.orders ?? [];
  return (
    <>
      <div className={styles.screen}>
        <PageHeader
          title={slips.length === 1 ? 'Packing slip' : 'Packing slips'}
          lead={slips.length > 1 ? `${count(slips.length, 'slip')}, each on its own sheet.` : undefined}
          actions={
            slips.length > 0 && (
              <Button leftSection={<IconPrinter size={17} />} onClick={() => print()}>
                Print
              </Button>
            )
          }
        />
        {data !== undefined && data.leftOut.length > 0 && (
          <div className={styles.notice}>
            <Notice>
              No slip for {data.leftOut.length === 1 ? 'order' : 'orders'} {data.leftOut.join(', ')}: only
              orders to ship and shipped ones have packing slips.
            </Notice>
          </div>
        )}
      </div>
      {error !== null ? (
        <Panel>
          <ErrorState error={error} retry={() => void refetch()} />
        </Panel>
      ) : data === undefined && ids.length > 0 ? (
        <Panel flush>
          <TableSkeleton rows={8} />
        </Panel>
      ) : (
        <>
          {slips.length === 0 && (
            <Panel>
              <EmptyState
                Icon={IconPackage}
                title="No packing slips"
                description="Select orders to ship in the list of orders."
              />
            </Panel>
          )}
          <div className={styles.sheets}>
            {slips.map((order) => (
              <PackingSlip
                key={order.order_id}
                order={order}
                customer={data?.customers.get(order.order_id)}
              />
            ))}
          </div>
        </>
      )}
    </>
  );
}

async function readSlips(ids: readonly number[], signal: AbortSignal): Promise<Slips> {
  const found = new Map((await ordersWithIds(ids, signal)).map((order) => [order.order_id, order]));
  const orders = ids.flatMap((id) => found.get(id) ?? []).filter(isShippable);
  const shown = orders.map(({ order_id: id }) => id);
  const customers = shown.length === 0 ? new Map<number, RevealedCustomer>() : await reveal(shown);
  void refresh('audit', 'overview');
  return { orders, customers, leftOut: ids.filter((id) => !shown.includes(id)) };
}

function isShippable(order: Order): boolean {
  return (order.status === 'paid' && unitsLeft(order) > 0) || order.status === 'shipped';
}

/** Reads the IDs of the URL, each once. */
function idsOf(text: string): number[] {
  const ids = text.split(',').map(Number);
  return [...new Set(ids.filter((id) => Number.isInteger(id) && id > 0))].slice(0, MAX_SLIPS);
}
