import { advice } from '../requests/advice.ts';
import type { Response } from './open-api.ts';
import { inline } from './prose.tsx';
import styles from './reference.module.css';

const advised = new Map<string, string>(Object.entries(advice));

interface Props {
  /** By their statuses. */
  errors: readonly [string, Response][];
  /** Whether each status and each name can be linked to. */
  isLinked?: boolean;
}

/** Errors by status: what each of their names means for the caller. */
export function ErrorList({ errors, isLinked = false }: Props) {
  return (
    <dl className={styles.errors}>
      {errors.map(([status, { description, content = {} }]) => (
        <div key={status} id={isLinked ? `error-${status}` : undefined}>
          <dt className={styles.status} data-class={status[0]}>
            {isLinked ? (
              <a href={`#error-${status}`} className={styles.anchor}>
                {status}
              </a>
            ) : (
              status
            )}
          </dt>
          <dd>
            <p>{inline(description)}</p>
            <ul>
              {Object.keys(content['application/json']?.examples ?? {}).map((name) => (
                <li key={name}>
                  <code>{name}</code> {advised.get(name)}
                </li>
              ))}
            </ul>
          </dd>
        </div>
      ))}
    </dl>
  );
}
