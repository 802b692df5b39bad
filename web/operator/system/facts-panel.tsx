import facts from '../../campaigns/campaigns.module.css';
import { useFormats } from '../../format/use-formats.ts';
import { Panel } from '../../ui/panel.tsx';
import type { System } from './queries.ts';

const engines = { sqlite: 'SQLite', postgresql: 'PostgreSQL' } as const;

/** The versions, the database's schema, and the certificate. */
export function FactsPanel({ system }: { system: System }) {
  const { day, time } = useFormats();
  const { version, new_release: release, node_js: nodeJs, database, certificate } = system;
  const migrated = database.migrations.at(-1);
  return (
    <Panel title="Details">
      <dl className={facts.facts}>
        <div>
          <dt>Tradepost</dt>
          <dd>
            {version}
            {release !== null && <NewRelease release={release} />}
          </dd>
        </div>
        <div>
          <dt>Node.js</dt>
          <dd>{nodeJs}</dd>
        </div>
        <div>
          <dt>Database</dt>
          <dd>{engines[database.engine]}</dd>
        </div>
        <div>
          <dt>Version of its schema</dt>
          <dd>
            {database.schema_version}
            {migrated !== undefined && (
              <span className="muted small">
                since {time(migrated.applied_at)}: {migrated.purpose}
              </span>
            )}
          </dd>
        </div>
        {certificate === null ? (
          <div>
            <dt>Certificate</dt>
            <dd>None here: a proxy terminates TLS, or the file can’t be read</dd>
          </div>
        ) : (
          <>
            <div>
              <dt>Certificate</dt>
              <dd>
                {certificate.subject}
                <span className="muted small">{certificate.names.join(', ')}</span>
              </dd>
            </div>
            <div>
              <dt>Issued by</dt>
              <dd>{certificate.self_signed ? 'Itself: the service created it' : certificate.issuer}</dd>
            </div>
            <div>
              <dt>Expires</dt>
              <dd>
                <time dateTime={certificate.valid_to} title={time(certificate.valid_to)}>
                  {day(certificate.valid_to)}
                </time>
              </dd>
            </div>
          </>
        )}
      </dl>
    </Panel>
  );
}

function NewRelease({
  release: { version, security, url },
}: {
  release: NonNullable<System['new_release']>;
}) {
  return (
    <span className="small">
      Version {version} is available{security && ' and fixes a vulnerability in this one'}.{' '}
      {url === null ? (
        <span className="muted">
          How to upgrade: <code>docs/how-to/upgrade.md</code>
        </span>
      ) : (
        <a href={url} target="_blank" rel="noreferrer">
          How to upgrade
        </a>
      )}
    </span>
  );
}
