import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { PageHeader } from '../ui/page-header.tsx';
import { Panel } from '../ui/panel.tsx';
import { commonHeaders } from './call-input.ts';
import { CertificateLink } from './certificate-link.tsx';
import { ErrorList } from './error-list.tsx';
import { errorsOf } from './errors-of.ts';
import { FieldList } from './field-list.tsx';
import { Heading } from './heading.tsx';
import { Prose } from './prose.tsx';
import styles from './reference.module.css';
import { useReference } from './reference-context.ts';
import { SampleCard } from './sample-card.tsx';

/** What all calls have in common, and the groups of calls. */
export function Introduction() {
  const { api, document, groups } = useReference();
  const endpoints = groups.flatMap((group) => group.endpoints);
  const first = endpoints.find(({ operation }) => operation.operationId === api.firstCall);
  const errors = errorsOf(
    document,
    endpoints.map(({ operation }) => operation),
  );
  return (
    <>
      <PageHeader
        lead={
          <>
            {endpoints.length} calls below <span className="mono">{api.url}</span>
          </>
        }
      />
      <div className="parts">
        <Section id="first-call" title="Make a first call">
          <div className={styles.columns}>
            <div className={styles.docs}>
              {api.introduction}
              <CertificateLink certificate={api.certificate} />
            </div>
            <div className={styles.code}>{first !== undefined && <SampleCard endpoint={first} />}</div>
          </div>
        </Section>
        <Section id="conventions" title="Conventions" isDocument>
          <Prose text={document.info.description ?? ''} />
        </Section>
        <Section id="groups" title="Calls">
          <ul className={styles.groups}>
            {groups.map(({ slug, name, description, endpoints }) => (
              <li key={slug}>
                <Link to="/reference/$group" params={{ group: slug }}>
                  {name}
                </Link>
                <p className="muted small">
                  {description} {endpoints.length} {endpoints.length === 1 ? 'call' : 'calls'}
                </p>
              </li>
            ))}
          </ul>
        </Section>
        <Section id="headers" title="Headers of every call">
          <FieldList anchor="headers" fields={[...commonHeaders(document).values()]} />
        </Section>
        <Section id="errors" title="Errors">
          <p>
            The body’s <code>message</code> says what was wrong. Programs should use the status, and the name
            in the header <code>Tradepost-Error</code>.
          </p>
          <ErrorList errors={errors} isLinked />
        </Section>
      </div>
    </>
  );
}

interface SectionProps {
  id: string;
  title: string;
  /** Whether it shows what the OpenAPI document says, with a link to the document. */
  isDocument?: boolean;
  children: ReactNode;
}

function Section({ id, title, isDocument = false, children }: SectionProps) {
  const { api } = useReference();
  const link = (
    <a href={api.documentPath} className="small">
      OpenAPI document
    </a>
  );
  return (
    <div id={id} className={styles.section}>
      <Panel title={<Heading id={id}>{title}</Heading>} aside={isDocument && link}>
        {children}
      </Panel>
    </div>
  );
}
