import { Textarea } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type KeyboardEvent, useState } from 'react';
import type { QueueEntry } from '../../../src/products/moderation/list-queue.ts';
import type { Moderation } from '../../../src/products/record/product-status.ts';
import { useFormats } from '../../format/use-formats.ts';
import { DialogForm } from '../../ui/dialog-form.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import styles from './moderation.module.css';
import { type Decision, keyOf, type ReasonTemplate, reasonTemplatesQuery } from './queries.ts';
import { decisions, nameOf } from './review-fields.ts';

const MAX_MESSAGE = 1_000;
/** The code of a reason that the reviewer wrote. */
const OWN_CODE = 'other';

/** Focuses the first reason once the list has loaded. */
function focus(input: HTMLInputElement | null): void {
  input?.focus();
}

interface Props {
  state: Moderation;
  entries: readonly QueueEntry[];
  mutation: { error: unknown; isPending: boolean };
  onDecide: (decision: Decision) => void;
  onClose: () => void;
}

/** Asks for the reasons of a decision, and shows which products it is about. */
export function DecideDialog({ state, entries, mutation, onDecide, onClose }: Props) {
  const { count } = useFormats();
  const templates = useQuery(reasonTemplatesQuery);
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const [own, setOwn] = useState('');
  const needsReasons = state !== 'ok';
  const known = templates.data ?? [];
  const reasons: ReasonTemplate[] = [
    ...known.filter(({ message }) => chosen.has(message)),
    ...(own.trim() === '' ? [] : [{ code: OWN_CODE, message: own.trim() }]),
  ];
  const toggle = (message: string): void =>
    setChosen((before) => before.symmetricDifference(new Set([message])));
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.target instanceof HTMLTextAreaElement) return;
    const template = /^[1-9]$/.test(event.key) ? known[Number(event.key) - 1] : undefined;
    if (template === undefined) return;
    event.preventDefault();
    toggle(template.message);
  };
  const action = state === 'problematic' ? 'Mark as problematic' : decisions[state].action;
  const [first] = entries;
  const what = entries.length === 1 && first !== undefined ? nameOf(first) : count(entries.length, 'product');
  return (
    <DialogForm
      title={titles[state](what)}
      size="lg"
      closeOnClickOutside={own === ''}
      action={entries.length === 1 || state === 'problematic' ? action : `${action} ${what}`}
      button={{
        disabled: needsReasons && reasons.length === 0,
        ...(state === 'banned' && { color: 'red' }),
        ...(!needsReasons && { 'data-autofocus': true }),
      }}
      mutation={mutation}
      onSubmit={() => onDecide({ state, reasons: needsReasons ? reasons : [] })}
      onClose={onClose}
    >
      {entries.length > 1 && (
        <ul className={styles.preview} aria-label="Products of this decision">
          {entries.map((entry) => (
            <li key={keyOf(entry)}>
              {nameOf(entry)} <span className="muted small">{entry.merchant.name}</span>
            </li>
          ))}
        </ul>
      )}
      {needsReasons && (
        // biome-ignore lint/a11y/noStaticElementInteractions: digits toggle the checkboxes within
        <div onKeyDown={onKeyDown} className={styles.templates}>
          <Loaded query={templates} skeleton={4}>
            {(list) => (
              <fieldset className={styles.choices}>
                <legend>Reasons, which the merchant sees</legend>
                {list.map(({ message }, index) => (
                  <label key={message}>
                    <input
                      type="checkbox"
                      ref={index === 0 ? focus : undefined}
                      data-autofocus={index === 0 || undefined}
                      checked={chosen.has(message)}
                      onChange={() => toggle(message)}
                    />
                    <span>
                      {message}{' '}
                      {index < 9 && (
                        <span className={styles.digit} aria-hidden="true">
                          {index + 1}
                        </span>
                      )}
                    </span>
                  </label>
                ))}
              </fieldset>
            )}
          </Loaded>
          <Textarea
            label="Another reason"
            autosize
            minRows={2}
            maxLength={MAX_MESSAGE}
            value={own}
            onChange={(event) => setOwn(event.currentTarget.value)}
          />
        </div>
      )}
    </DialogForm>
  );
}

const titles: Readonly<Record<Moderation, (what: string) => string>> = {
  ok: (what) => `Approve ${what}?`,
  problematic: (what) => `Mark ${what} as problematic?`,
  banned: (what) => `Ban ${what}?`,
};
