import { Skeleton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { ErrorState } from '../feedback/error-state.tsx';
import { useSession } from '../session/session.ts';
import { PageHeader } from '../shell/page-header.tsx';
import { Panel } from '../shell/panel.tsx';
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
            Everything below <span className="mono">{apiUrl}</span>, with a form to try it.
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
        title="What holds for all of it"
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
