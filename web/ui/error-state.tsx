import { Button } from '@mantine/core';
import type { ReactNode } from 'react';
import { errorMessage } from '../server/server-error.ts';
import { IconAlertTriangle } from './icons.ts';
import styles from './states.module.css';

/** Shows an error, with a button to try again. */
export function ErrorState({
  title = 'Something went wrong',
  error,
  retry,
  children,
}: {
  title?: string;
  error: unknown;
  retry?: () => void;
  children?: ReactNode;
}) {
  return (
    <div role="alert" className={styles.state}>
      <IconAlertTriangle size={28} stroke={1.6} className={styles.bad} />
      <p className={styles.title}>{title}</p>
      <p className={styles.description}>{errorMessage(error)}</p>
      <div className={styles.actions}>
        {retry !== undefined && (
          <Button variant="default" size="sm" onClick={retry}>
            Try again
          </Button>
        )}
        {children}
      </div>
    </div>
  );
}
