import { Skeleton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { Fragment } from 'react';
import { useSession } from '../session/session.ts';
import { ErrorState } from '../ui/error-state.tsx';
import { PageHeader } from '../ui/page-header.tsx';
import { Panel } from '../ui/panel.tsx';
import { CertificateNote } from './curl-block.tsx';
import { Endpoint } from './endpoint.tsx';
import { groupEndpoints, type OpenApi, openApiQuery } from './open-api.ts';
import { Prose } from './prose.tsx';
import styles from './reference.module.css';
import { TokenField } from './token-field.tsx';

const route = getRouteApi('/signed-in/reference');

export function Page() {
  const { api_url: apiUrl } = useSession();
  const { data, error, refetch } = useQuery(openApiQuery);
  return (
    <>
      <PageHeader
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
        <div aria-busy="true" className="parts">
          <Skeleton height={220} radius="md" />
          <Skeleton height={520} radius="md" />
        </div>
      )}
    </>
  );
}

/** The conventions and an index of all endpoints, then the endpoints of one group: all would be slow. */
function Document({ document }: { document: OpenApi }) {
  const groups = groupEndpoints(document);
  const { group } = route.useSearch();
  const shown = groups.find(({ name }) => name === group) ?? groups[0];
  return (
    <div className="parts">
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
              {groups.map(({ name, endpoints }) => (
                <Fragment key={name}>
                  <h3 className={styles.heading}>{name}</h3>
                  <ul className={styles.contents}>
                    {endpoints.map(({ path, method, operation: { operationId } }) => (
                      <li key={operationId}>
                        <Link to="/reference" search={{ group: name }} hash={operationId}>
                          <span className={styles.method} data-method={method}>
                            {method}
                          </span>
                          <span className="mono">{path}</span>
                        </Link>
                      </li>
                    ))}
                  </ul>
                </Fragment>
              ))}
            </nav>
            <TokenField />
            <CertificateNote />
          </div>
        </div>
      </Panel>
      {shown?.endpoints.map(({ path, method, operation }) => (
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
