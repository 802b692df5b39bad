import { Button } from '@mantine/core';
import { useIsFetching } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { refresh } from '../server/query-client.ts';
import { IconRefresh } from '../ui/icons.ts';
import { PageHeader } from '../ui/page-header.tsx';
import { FailuresPanel } from './failures-panel.tsx';
import { RefusedKeys } from './refused-keys.tsx';
import { UsagePanel } from './usage-panel.tsx';

const route = getRouteApi('/signed-in/requests');

export function Page() {
  const search = route.useSearch();
  const isFetching = useIsFetching({ queryKey: ['requests'] }) > 0;
  return (
    <>
      <PageHeader
        lead="See every API request and how to fix the ones that fail."
        actions={
          <Button
            variant="default"
            leftSection={<IconRefresh size={17} />}
            loading={isFetching}
            onClick={() => void refresh('requests')}
          >
            Refresh
          </Button>
        }
      />
      <div className="parts">
        <RefusedKeys />
        <UsagePanel search={search} />
        <FailuresPanel search={search} />
      </div>
    </>
  );
}
