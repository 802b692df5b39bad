import { Popover, UnstyledButton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import type { ResponseOf } from '../../clients/typescript/src/operations.ts';
import { useFormats } from '../format/use-formats.ts';
import { type CallParameters, call } from '../server/call.ts';
import styles from './explained-figure.module.css';
import { Loaded } from './loaded.tsx';

type Explanation = ResponseOf<'explainFigure'>;

/** Returns a link to the lines of a figure, which calls `onFollow` when it is followed. */
export type LinkToLines = (explanation: Explanation, onFollow: () => void) => ReactNode;

interface Props {
  /** The name of the figure, and what selects its value. */
  query: CallParameters<'explainFigure'>;
  linkTo: LinkToLines;
  /** The figure as the page shows it. */
  children: ReactNode;
}

/** A figure that a click explains: how it is computed, and a link to its lines. */
export function ExplainedFigure({ query, linkTo, children }: Props) {
  const [state, setState] = useState<'closed' | 'open' | 'followed'>('closed');
  const isOpen = state === 'open';
  const toggle = (open: boolean): void => setState(open ? 'open' : 'closed');
  return (
    <Popover
      opened={isOpen}
      onChange={toggle}
      width={290}
      shadow="md"
      position="bottom-end"
      trapFocus
      returnFocus={state !== 'followed'}
    >
      <Popover.Target>
        <UnstyledButton className={styles.figure} title="Explain" onClick={() => toggle(!isOpen)}>
          {children}
        </UnstyledButton>
      </Popover.Target>
      <Popover.Dropdown>
        {isOpen && <Content query={query} linkTo={linkTo} onFollow={() => setState('followed')} />}
      </Popover.Dropdown>
    </Popover>
  );
}

function Content({ query, linkTo, onFollow }: Omit<Props, 'children'> & { onFollow: () => void }) {
  const { whole } = useFormats();
  const explanation = useQuery({
    queryKey: ['explain', query],
    queryFn: ({ signal }) => call('explainFigure', query, { signal }),
  });
  return (
    <Loaded query={explanation} skeleton={3}>
      {(found) => (
        <div className={styles.explanation}>
          <p>{withCode(found.formula)}</p>
          <dl>
            <dt>Lines</dt>
            <dd>{whole(found.lines)}</dd>
            <dt>Rounding</dt>
            <dd>{found.rounding}</dd>
            <dt>Time zone</dt>
            <dd>{found.time_zone}</dd>
          </dl>
          {linkTo(found, onFollow)}
        </div>
      )}
    </Loaded>
  );
}

/** Shows what is in backquotes as code. */
function withCode(text: string): ReactNode[] {
  return text.split('`').map((part, at) => (at % 2 === 1 ? <code key={part}>{part}</code> : part));
}
