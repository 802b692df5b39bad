import { type ReactNode, useMemo } from 'react';
import { CopyButton } from '../ui/copy-button.tsx';
import styles from './code-card.module.css';
import { highlight } from './highlight.ts';

interface Props {
  text: string;
  /** Completes “Copy …”, and names the text for screen readers. */
  label: string;
  /** At the start of the line above the text. */
  title: ReactNode;
  /** `dark` in both themes, for what the user runs. */
  tone?: 'dark' | 'plain';
}

/** A program or JSON in colors, with a copy button. Long texts scroll. */
export function CodeCard({ text, label, title, tone = 'plain' }: Props) {
  const tokens = useMemo(() => highlight(text), [text]);
  return (
    <div className={styles.card} data-tone={tone}>
      <div className={styles.head}>
        {title}
        <CopyButton value={text} label={label} />
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard */}
      <section className={styles.scroll} tabIndex={0} aria-label={label}>
        <pre className={styles.text}>
          {tokens.map(({ text, kind }, index) =>
            kind === undefined ? (
              text
            ) : (
              // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a text have no other identity
              <span key={index} data-kind={kind}>
                {text}
              </span>
            ),
          )}
        </pre>
      </section>
    </div>
  );
}
