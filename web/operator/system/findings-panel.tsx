import styles from '../../overview/overview.module.css';
import { Chip } from '../../ui/chip.tsx';
import { IconCircleCheck } from '../../ui/icons.ts';
import { Panel } from '../../ui/panel.tsx';
import type { System } from './queries.ts';
import own from './system.module.css';

/** What `doctor` would say about the machine of the process that responds. Problems come first. */
export function FindingsPanel({ findings }: Pick<System, 'findings'>) {
  const sorted = findings.toSorted((one, other) => rankOf(one.result) - rankOf(other.result));
  return (
    <Panel title="Checks of the installation" flush={sorted.length > 0}>
      {sorted.length === 0 ? (
        <p className={own.fine}>
          <IconCircleCheck size={18} />
          <span>
            Everything is fine. Files, disk, certificate, keys, memory and clock were checked;{' '}
            <code>tradepost doctor</code> checks more.
          </span>
        </p>
      ) : (
        <ul className={styles.rows}>
          {sorted.map(({ check, result, message, advice }) => (
            <li key={`${check} ${message}`}>
              <span>
                <strong>
                  {check}: {message}
                </strong>
                <br />
                {advice}
              </span>
              <Chip tone={result === 'problem' ? 'bad' : 'warn'}>
                {result === 'problem' ? 'Problem' : 'Warning'}
              </Chip>
            </li>
          ))}
        </ul>
      )}
    </Panel>
  );
}

function rankOf(result: System['findings'][number]['result']): number {
  return ['problem', 'warning', 'ok'].indexOf(result);
}
