import styles from './code-block.module.css';
import { CopyButton } from './copy-button.tsx';

/** Preformatted text with a copy button. `label` completes “Copy …”; `tall` text scrolls in its own frame. */
export function CodeBlock({ text, label, tall = false }: { text: string; label: string; tall?: boolean }) {
  return (
    <div className={styles.block}>
      <div className={styles.copy}>
        <CopyButton value={text} label={label} />
      </div>
      {tall ? (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard
        <section className={styles.tall} tabIndex={0} aria-label={label}>
          <pre className={styles.text}>{text}</pre>
        </section>
      ) : (
        <pre className={styles.text}>{text}</pre>
      )}
    </div>
  );
}
