import styles from './test-data.module.css';
import { useIsTestData, useSwitchTestData } from './use-test-data.ts';

/** Switches between live and test data, in the navigation. */
export function TestDataSwitch() {
  const isTest = useIsTestData();
  const change = useSwitchTestData();
  if (change === undefined) return null;
  return (
    <label className={styles.switch}>
      Test data
      <input
        className="visually-hidden"
        type="checkbox"
        role="switch"
        aria-checked={isTest}
        checked={isTest}
        onChange={(event) => void change(event.currentTarget.checked)}
      />
      <span className={styles.track} aria-hidden="true" />
    </label>
  );
}
