import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useSession } from '../session/session.ts';
import { PageHeader } from '../ui/page-header.tsx';
import { Panel } from '../ui/panel.tsx';
import { commonHeaders } from './call-input.ts';
import { CertificateNote } from './curl-block.tsx';
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
  const { document, groups } = useReference();
  const { api_url: apiUrl, merchant } = useSession();
  const endpoints = groups.flatMap((group) => group.endpoints);
  const first = endpoints.find(({ operation }) => operation.operationId === 'listProducts');
  const errors = errorsOf(
    document,
    endpoints.map(({ operation }) => operation),
  );
  return (
    <>
      <PageHeader
        lead={
          <>
            {endpoints.length} calls below <span className="mono">{apiUrl}</span>
          </>
        }
      />
      <div className="parts">
        <Section id="first-call" title="Make a first call">
          <div className={styles.columns}>
            <div className={styles.docs}>
              <p>
                Every call needs the token of an <Link to="/keys">API key</Link> in the{' '}
                <code>Authorization</code> header. Don’t put a token in a URL: URLs end up in logs.
              </p>
              <p>
                The samples use your software’s language. TypeScript, PHP, and Python have a client that
                retries safely and reads lists page by page.
              </p>
              <p>
                Your amounts are in {merchant.currency}. Months and days are in the time zone{' '}
                {merchant.time_zone.replaceAll('_', ' ')}, and times are in UTC.
              </p>
              <CertificateNote />
            </div>
            <div className={styles.code}>
              {first !== undefined && <SampleCard document={document} endpoint={first} />}
            </div>
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
  const link = (
    <a href="/openapi.json" className="small">
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
