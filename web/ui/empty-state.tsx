import type { ReactNode } from 'react';
import type { Icon } from './create-icon.tsx';
import styles from './states.module.css';

interface Props {
  Icon: Icon;
  title: string;
  description: ReactNode;
  /** Buttons for the next step; false for none. */
  children?: ReactNode;
}

export function EmptyState({ Icon, title, description, children }: Props) {
  return (
    <div className={styles.state}>
      <Icon size={30} stroke={1.4} className={styles.icon} />
      <p className={styles.title}>{title}</p>
      <p className={styles.description}>{description}</p>
      {children !== undefined && children !== false && <div className={styles.actions}>{children}</div>}
    </div>
  );
}
