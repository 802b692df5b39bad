import styles from './code-block.module.css';
import { CopyButton } from './copy-button.tsx';

/** Text to be copied into a terminal or a program; `tall` text scrolls in a frame of its own. */
export function CodeBlock({ text, what, tall = false }: { text: string; what: string; tall?: boolean }) {
  return (
    <div className={styles.block}>
      <div className={styles.copy}>
        <CopyButton value={text} what={what} />
      </div>
      {tall ? (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reachable by keyboard
        <section className={styles.tall} tabIndex={0} aria-label={what}>
          <pre className={styles.text}>{text}</pre>
        </section>
      ) : (
        <pre className={styles.text}>{text}</pre>
      )}
    </div>
  );
}
