import { useMutation, useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { useState } from 'react';
import { carrierName, useLastCarrier } from '../orders/carriers.ts';
import { lastListing } from '../orders/last-listing.ts';
import { carriersQuery, refreshOrders } from '../orders/queries.ts';
import { useStore } from '../server/store.ts';
import { useAllows } from '../session/role.ts';
import { IconArrowLeft } from '../ui/icons.ts';
import { Loaded } from '../ui/loaded.tsx';
import { PageHeader } from '../ui/page-header.tsx';
import { Panel } from '../ui/panel.tsx';
import { RoleNotice } from '../ui/role-notice.tsx';
import { type CheckedLine, checkLines } from './check-lines.ts';
import { EnterLines } from './enter-lines.tsx';
import { parseLines } from './parse-lines.ts';
import { PreviewLines } from './preview-lines.tsx';
import { readOrders, type SentLine, sendLines } from './send-lines.ts';
import { SendProgress, SentResult } from './sent-result.tsx';
import styles from './ship.module.css';

const route = getRouteApi('/signed-in/orders/ship');

/** Ships many orders, with lines that are pasted or read from a file. */
export function Page() {
  const { ids } = route.useSearch();
  const canEdit = useAllows('editor');
  const carriers = useQuery(carriersQuery);
  return (
    <>
      <Link to="/orders" search={useStore(lastListing)} className={`small ${styles.back}`}>
        <IconArrowLeft size={15} /> Orders
      </Link>
      <PageHeader lead="Paste orders with their tracking numbers, or choose a CSV file." />
      <RoleNotice least="editor" action="ship orders" />
      {canEdit &&
        (carriers.data === undefined ? (
          <Panel>
            <Loaded query={carriers} skeleton={6} />
          </Panel>
        ) : (
          <ShipOrders key={ids} ids={ids} carriers={carriers.data} />
        ))}
    </>
  );
}

function ShipOrders({ ids, carriers }: { ids: string | undefined; carriers: Record<string, string> }) {
  const [lastCarrier] = useLastCarrier();
  const [text, setText] = useState(() =>
    ids === undefined ? '' : linesFor(ids.split(','), lastCarrier && carrierName(carriers, lastCarrier)),
  );
  const [sent, setSent] = useState<readonly SentLine[]>([]);
  const [hasSent, setHasSent] = useState(false);
  const header = parseLines(text).header;
  const preview = useMutation({
    mutationFn: async (entered: string): Promise<CheckedLine[]> => {
      const { lines } = parseLines(entered);
      return checkLines(lines, await readOrders(lines), carriers);
    },
  });
  const sending = useMutation({
    mutationFn: async (lines: readonly CheckedLine[]) => {
      setSent([]);
      setHasSent(true);
      await sendLines(lines, (part) => setSent((before) => [...before, ...part]));
    },
    onSettled: refreshOrders,
  });
  const checked = preview.data;
  const good = checked?.filter(({ problem }) => problem === undefined) ?? [];
  const restart = (remaining: readonly { text: string }[]): void => {
    const lines = remaining.map((line) => line.text);
    setText(lines.length === 0 ? '' : [...(header === undefined ? [] : [header]), ...lines].join('\n'));
    setHasSent(false);
    preview.reset();
    sending.reset();
  };
  if (checked === undefined)
    return (
      <EnterLines
        text={text}
        onChange={setText}
        isPending={preview.isPending}
        error={preview.error}
        onPreview={() => preview.mutate(text)}
      />
    );
  if (sending.isPending) return <SendProgress done={sent.length} total={good.length} />;
  if (hasSent) {
    const isSent = new Set(sent.filter(({ problem }) => problem === undefined).map(({ line }) => line));
    return (
      <SentResult
        sent={sent}
        // Lines that were not sent can be sent again.
        remaining={checked.filter((line) => !isSent.has(line))}
        error={sending.error}
        onRestart={restart}
      />
    );
  }
  return (
    <PreviewLines
      lines={checked}
      ready={good.length}
      onBack={() => preview.reset()}
      onShip={() => sending.mutate(good)}
    />
  );
}

/** Returns lines for orders, in which only the tracking numbers are missing. */
function linesFor(ids: readonly string[], carrier: string): string {
  return ['order_id\tcarrier\ttracking_number', ...ids.map((id) => `${id}\t${carrier}\t`)].join('\n');
}
