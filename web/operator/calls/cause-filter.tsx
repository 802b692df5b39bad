import { Link } from '@tanstack/react-router';
import styles from './calls.module.css';
import type { CallsSearch } from './queries.ts';

/** Says which cause is shown, with a link that shows all of them. Renders nothing without one. */
export function CauseFilter({ search }: { search: CallsSearch }) {
  const { status, error, method, path, merchant, hours } = search;
  const parts = [status, error, method, path].filter((part) => part !== undefined);
  if (parts.length === 0) return null;
  const rest = { ...(merchant !== undefined && { merchant }), ...(hours !== undefined && { hours }) };
  return (
    <p className={styles.filter}>
      <span>Only {parts.join(' ')}</span>
      <Link to="/calls" search={rest}>
        Show all causes
      </Link>
    </p>
  );
}
