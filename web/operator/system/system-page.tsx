import { useQuery } from '@tanstack/react-query';
import { Loaded } from '../../ui/loaded.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { Panel } from '../../ui/panel.tsx';
import { BackupsPanel } from './backups-panel.tsx';
import { FactsPanel } from './facts-panel.tsx';
import { FindingsPanel } from './findings-panel.tsx';
import { MetricsPanel } from './metrics-panel.tsx';
import { NodesPanel } from './nodes-panel.tsx';
import { systemQuery } from './queries.ts';
import { SettingsPanel } from './settings-panel.tsx';

export function Page() {
  const query = useQuery(systemQuery);
  const { data } = query;
  return (
    <>
      <PageHeader lead="The service itself: what it runs on, how it does, and how it is set up." />
      {data === undefined ? (
        <Panel>
          <Loaded query={query} skeleton={8} />
        </Panel>
      ) : (
        <div className="parts">
          <FindingsPanel findings={data.findings} />
          <MetricsPanel />
          <NodesPanel nodes={data.nodes} />
          <BackupsPanel backups={data.backups} />
          <FactsPanel system={data} />
          <SettingsPanel settings={data.settings} />
        </div>
      )}
    </>
  );
}
