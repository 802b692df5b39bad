import { Fragment, type ReactNode } from 'react';
import styles from './reference.module.css';

/** Renders the Markdown subset of the document: `code`, **bold**, paragraphs and lists. */
export function Prose({ text }: { text: string }) {
  return (
    <div className={styles.prose}>
      {text
        .split(/\n{2,}/)
        .map((block) =>
          block.startsWith('- ') ? (
            <ul key={block}>
              {block
                .split(/\n?- /)
                .flatMap((item) => (item === '' ? [] : [<li key={item}>{inline(item)}</li>]))}
            </ul>
          ) : (
            <p key={block}>{inline(block)}</p>
          ),
        )}
    </div>
  );
}

/** Renders a line of it. */
export function inline(text: string): ReactNode {
  return text.split(/(`[^`]+`|\*\*[^*]+\*\*)/).map((part, index) => {
    const key = `${index} ${part}`;
    if (part.startsWith('`')) return <code key={key}>{part.slice(1, -1)}</code>;
    if (part.startsWith('**')) return <strong key={key}>{part.slice(2, -2)}</strong>;
    return <Fragment key={key}>{part}</Fragment>;
  });
}
