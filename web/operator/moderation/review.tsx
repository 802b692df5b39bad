import { Button } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation } from '@tanstack/react-query';
import { useEffect, useMemo, useRef, useState } from 'react';
import type { QueueEntry } from '../../../src/products/moderation/list-queue.ts';
import type { Moderation } from '../../../src/products/record/product-status.ts';
import { useFormats } from '../../format/use-formats.ts';
import { LinkButton } from '../../ui/link-button.tsx';
import { MoreButton } from '../../ui/more-button.tsx';
import { showError } from '../../ui/notify.tsx';
import { Panel } from '../../ui/panel.tsx';
import { DecideDialog } from './decide-dialog.tsx';
import { DecisionBar } from './decision-bar.tsx';
import styles from './moderation.module.css';
import { ProductReview } from './product-review.tsx';
import { type Decision, decide, keyOf, reloadQueue, removeFromQueue } from './queries.ts';
import { QueueList } from './queue-list.tsx';
import { decisions, nameOf } from './review-fields.ts';
import { useQueueKeys } from './use-queue-keys.ts';

/** The next page loads when so few products are left after the one that is shown. */
const LOAD_BEFORE_END = 5;

interface Props {
  entries: readonly QueueEntry[];
  list: { hasNextPage: boolean; isFetchingNextPage: boolean; fetchNextPage: () => Promise<unknown> };
  merchant: string | undefined;
  canDecide: boolean;
}

/** The queue beside the product that is being reviewed. */
export function Review({ entries, list, merchant, canDecide }: Props) {
  const { count, whole } = useFormats();
  const [place, setPlace] = useState({ key: '', index: 0 });
  const [selection, setSelection] = useState<ReadonlySet<string>>(new Set());
  /** The dialog is about the products that were concerned when it opened, whatever the queue shows now. */
  const [asked, setAsked] = useState<{ state: Moderation; of: readonly QueueEntry[] }>();
  const product = useRef<HTMLElement>(null);
  /** The ID of the message about the last decision. */
  const message = useRef('');
  // After a decision, the product at the same place follows.
  const found = entries.findIndex((entry) => keyOf(entry) === place.key);
  const index = found >= 0 ? found : Math.min(place.index, entries.length - 1);
  const current = entries[index];
  const selected = entries.filter((entry) => selection.has(keyOf(entry)));
  const concerned = selected.length > 0 ? selected : current === undefined ? [] : [current];

  const { hasNextPage, isFetchingNextPage, fetchNextPage } = list;
  useEffect(() => {
    if (hasNextPage && !isFetchingNextPage && index + LOAD_BEFORE_END >= entries.length) void fetchNextPage();
  }, [hasNextPage, isFetchingNextPage, fetchNextPage, index, entries.length]);

  const open = (to: number): void => {
    const entry = entries[to];
    if (entry === undefined) return;
    setPlace({ key: keyOf(entry), index: to });
    product.current?.focus({ preventScroll: true });
    product.current?.scrollIntoView({ block: 'nearest' });
  };
  const mutation = useMutation({
    mutationFn: (sent: { decided: readonly QueueEntry[]; decision: Decision }) =>
      decide(sent.decided, sent.decision),
    onSuccess: (results, { decided, decision }) => {
      const rejected = results.flatMap(({ errors }, at) => (errors.length > 0 ? [{ errors, at }] : []));
      const refused = new Set(rejected.map(({ at }) => at));
      const done = decided.filter((_, at) => !refused.has(at));
      setPlace({ key: '', index });
      setSelection(new Set());
      setAsked(undefined);
      removeFromQueue(new Set(done.map(keyOf)));
      const [first] = done;
      const what = done.length === 1 && first !== undefined ? nameOf(first) : count(done.length, 'product');
      if (done.length > 0) {
        // Replaces the message about the decision before.
        notifications.hide(message.current);
        message.current = notifications.show({ message: `${what} ${decisions[decision.state].done}.` });
      }
      for (const { errors, at } of rejected) {
        const entry = decided[at];
        const reason = errors.map((error) => error.reason).join('; ');
        if (entry !== undefined) showError(new Error(`${nameOf(entry)}: ${reason}`));
      }
      if (rejected.length > 0) void reloadQueue();
      product.current?.focus({ preventScroll: true });
    },
    onError: (error) => asked === undefined && showError(error),
  });
  const send = (decided: readonly QueueEntry[], decision: Decision): void =>
    mutation.mutate({ decided, decision });
  const ask = (state: Moderation): void => {
    if (!canDecide || mutation.isPending || concerned.length === 0) return;
    if (state === 'ok' && selected.length === 0) send(concerned, { state, reasons: [] });
    else setAsked({ state, of: concerned });
  };
  const select = (key: string, isSelected: boolean): void =>
    setSelection((before) => (isSelected ? before.union(new Set([key])) : before.difference(new Set([key]))));

  const latest = useRef({ open, ask, select, index, current, selection });
  latest.current = { open, ask, select, index, current, selection };
  useQueueKeys(
    useMemo(
      () => ({
        a: () => latest.current.ask('ok'),
        p: () => latest.current.ask('problematic'),
        b: () => latest.current.ask('banned'),
        j: () => latest.current.open(latest.current.index + 1),
        k: () => latest.current.open(latest.current.index - 1),
        x: () => {
          const key = latest.current.current && keyOf(latest.current.current);
          if (key !== undefined) latest.current.select(key, !latest.current.selection.has(key));
        },
      }),
      [],
    ),
  );
  if (current === undefined) return null;
  return (
    <div className={styles.columns}>
      <div className={styles.main}>
        <DecisionBar
          selected={selected.length}
          canDecide={canDecide}
          isPending={mutation.isPending}
          onDecide={ask}
          onMove={(steps) => open(index + steps)}
          onClear={() => setSelection(new Set())}
        />
        <ProductReview key={keyOf(current)} entry={current} ref={product} />
      </div>
      <Panel
        title="Queue"
        aside={
          <>
            {canDecide && selected.length < entries.length && (
              <Button
                variant="default"
                size="compact-sm"
                onClick={() => setSelection(new Set(entries.map(keyOf)))}
              >
                Select all {whole(entries.length)}
              </Button>
            )}
            {merchant !== undefined && (
              <LinkButton to="/moderation" search={{}} variant="default" size="compact-sm">
                Show all merchants
              </LinkButton>
            )}
          </>
        }
        flush
      >
        <QueueList
          entries={entries}
          currentKey={keyOf(current)}
          selected={selection}
          canSelect={canDecide}
          onOpen={(key) => open(entries.findIndex((entry) => keyOf(entry) === key))}
          onSelect={select}
        />
        <MoreButton list={list} label="Show more" />
      </Panel>
      {asked !== undefined && (
        <DecideDialog
          state={asked.state}
          entries={asked.of}
          mutation={mutation}
          onDecide={(decision) => send(asked.of, decision)}
          onClose={() => {
            setAsked(undefined);
            mutation.reset();
          }}
        />
      )}
    </div>
  );
}
