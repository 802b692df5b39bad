import { Skeleton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { useMemo } from 'react';
import { Loaded } from '../ui/loaded.tsx';
import { NotFound } from '../ui/not-found.tsx';
import { PageHeader } from '../ui/page-header.tsx';
import { Panel } from '../ui/panel.tsx';
import { Contents } from './contents.tsx';
import { EndpointSection } from './endpoint-section.tsx';
import { type Group, groupsOf } from './groups.ts';
import { Introduction } from './introduction.tsx';
import type { OpenApi } from './open-api.ts';
import { openApiQueryOf } from './open-api-query.ts';
import { RecordSection } from './record-section.tsx';
import styles from './reference.module.css';
import { type ReferenceApi, ReferenceContext } from './reference-context.ts';
import { useLinkedPart } from './use-linked-part.ts';

/** The introduction, or the page of one group of endpoints: all of them would be slow. */
export function Reference({ api }: { api: ReferenceApi }) {
  const query = useQuery(openApiQueryOf(api.documentPath));
  const skeleton = (
    <>
      <PageHeader />
      <div aria-busy="true" className="parts">
        <Skeleton height={220} radius="md" />
        <Skeleton height={520} radius="md" />
      </div>
    </>
  );
  if (query.data === undefined && query.error !== null)
    return (
      <>
        <PageHeader />
        <Panel>
          <Loaded query={query} skeleton={skeleton} />
        </Panel>
      </>
    );
  return (
    <Loaded query={query} skeleton={skeleton}>
      {(document) => <ReferenceOf api={api} document={document} />}
    </Loaded>
  );
}

function ReferenceOf({ api, document }: { api: ReferenceApi; document: OpenApi }) {
  const { group: slug } = useParams({ strict: false });
  const groups = useMemo(() => groupsOf(document), [document]);
  const data = useMemo(() => {
    const described = groups.flatMap(({ slug, records }) => records.map((name) => [name, slug] as const));
    return { document, groups, groupOfRecord: new Map(described) };
  }, [document, groups]);
  const group = groups.find((one) => one.slug === slug);
  useLinkedPart(group);
  if (slug !== undefined && group === undefined) return <NotFound />;
  return (
    <ReferenceContext value={{ api, ...data }}>
      <div className={styles.reference}>
        <Contents group={group} />
        <div className={styles.content}>
          {group === undefined ? <Introduction /> : <GroupPage key={group.slug} group={group} />}
        </div>
      </div>
    </ReferenceContext>
  );
}

function GroupPage({ group: { name, description, endpoints, records } }: { group: Group }) {
  return (
    <>
      <PageHeader title={name} lead={description} />
      {endpoints.map((endpoint) => (
        <EndpointSection key={endpoint.operation.operationId} endpoint={endpoint} />
      ))}
      {records.map((record) => (
        <RecordSection key={record} name={record} />
      ))}
    </>
  );
}
