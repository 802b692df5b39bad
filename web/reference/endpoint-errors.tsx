import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { ErrorList } from './error-list.tsx';
import { errorsOf } from './errors-of.ts';
import type { Operation } from './open-api.ts';
import styles from './reference.module.css';
import { useReference } from './reference-context.ts';

/** The errors that a call can have. Rendered when it is opened: there are many. */
export function EndpointErrors({ operation }: { operation: Operation }) {
  const { document } = useReference();
  const [isOpen, setIsOpen] = useState(false);
  const errors = errorsOf(document, [operation]);
  return (
    <details className={styles.folded} onToggle={(event) => setIsOpen(event.currentTarget.open)}>
      <summary>Errors ({errors.map(([status]) => status).join(', ')})</summary>
      {isOpen && (
        <>
          <p className="small">
            The header <code>Tradepost-Error</code> has the name.{' '}
            <Link to="/reference" hash="errors">
              All errors
            </Link>
          </p>
          <ErrorList errors={errors} />
        </>
      )}
    </details>
  );
}
