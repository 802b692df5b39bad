import { Skeleton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useSession } from '../session/session.ts';
import { ErrorState } from '../ui/error-state.tsx';
import { PageHeader } from '../ui/page-header.tsx';
import { Panel } from '../ui/panel.tsx';
import { CertificateNote } from './curl-block.tsx';
import { Endpoint } from './endpoint.tsx';
import { type OpenApi, openApiQuery } from './open-api.ts';
import { Prose } from './prose.tsx';
import styles from './reference.module.css';
import { TokenField } from './token-field.tsx';

export function Page() {
  const { api_url: apiUrl } = useSession();
  const { data, error, refetch } = useQuery(openApiQuery);
  return (
    <>
      <PageHeader
        title="API reference"
        lead={
          <>
            All endpoints of <span className="mono">{apiUrl}</span>, each with a form to try it.
          </>
        }
      />
      {data !== undefined ? (
        <Document document={data} />
      ) : error !== null ? (
        <Panel>
          <ErrorState error={error} retry={() => void refetch()} />
        </Panel>
      ) : (
        <div aria-busy="true" className={styles.parts}>
          <Skeleton height={220} radius="md" />
          <Skeleton height={520} radius="md" />
        </div>
      )}
    </>
  );
}

function Document({ document }: { document: OpenApi }) {
  const endpoints = Object.entries(document.paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, operation]) => ({
      path,
      method: method.toUpperCase(),
      operation,
    })),
  );
  return (
    <div className={styles.parts}>
      <Panel
        title="Conventions"
        aside={
          <a href="/openapi.json" className="small">
            OpenAPI document
          </a>
        }
      >
        <div className={styles.intro}>
          {document.info.description !== undefined && <Prose text={document.info.description} />}
          <div className={styles.side}>
            <nav aria-label="Endpoints">
              <ul className={styles.contents}>
                {endpoints.map(({ path, method, operation }) => (
                  <li key={operation.operationId}>
                    <a href={`#${operation.operationId}`}>
                      <span className={styles.method} data-method={method}>
                        {method}
                      </span>
                      <span className="mono">{path}</span>
                    </a>
                  </li>
                ))}
              </ul>
            </nav>
            <TokenField />
            <CertificateNote />
          </div>
        </div>
      </Panel>
      {endpoints.map(({ path, method, operation }) => (
        <Endpoint
          key={operation.operationId}
          document={document}
          path={path}
          method={method}
          operation={operation}
        />
      ))}
    </div>
  );
}
