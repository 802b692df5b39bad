import { Link } from '@tanstack/react-router';
import { useFormats } from '../format/use-formats.ts';
import { IconEye } from '../ui/icons.ts';
import styles from './support-view.module.css';

/** Tells a merchant's users that the operator's support looks at their console. */
export function SupportNotice({ until }: { until: string }) {
  const { clock } = useFormats();
  if (Date.parse(until) <= Date.now()) return null;
  return (
    <p className={styles.notice}>
      <IconEye size={17} stroke={1.7} />
      <span>
        Your marketplace’s support is looking at your shop, read only, until {clock(until)}.{' '}
        <Link to="/activity">See activity</Link>
      </span>
    </p>
  );
}
