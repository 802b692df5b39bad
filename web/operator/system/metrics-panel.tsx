import { NativeSelect } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useFormats } from '../../format/use-formats.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { IconChartLine } from '../../ui/icons.ts';
import { Loaded } from '../../ui/loaded.tsx';
import { Panel } from '../../ui/panel.tsx';
import { HoursTable } from './hours-table.tsx';
import { figures, MetricsChart } from './metrics-chart.tsx';
import { metricsQuery } from './queries.ts';
import { type NodeMetrics, seriesOf } from './series.ts';
import styles from './system.module.css';

/** What the processes measured in the last 24 hours: of all together, or of one. */
export function MetricsPanel() {
  const query = useQuery(metricsQuery);
  const [chosen, setChosen] = useState('');
  const { clock } = useFormats();
  const nodes = query.data?.nodes.filter(({ points }) => points.length > 0) ?? [];
  const nameOf = ({ node }: NodeMetrics): string =>
    `${node.host}, process ${node.pid}, since ${clock(node.started_at)}${node.running ? '' : ' (ended)'}`;
  return (
    <Panel
      title="Last 24 hours"
      aside={
        nodes.length > 1 && (
          <NativeSelect
            aria-label="Process"
            size="xs"
            className={styles.process ?? ''}
            data={[
              { value: '', label: 'All processes' },
              ...nodes.map((node) => ({ value: node.node.id, label: nameOf(node) })),
            ]}
            value={chosen}
            onChange={(event) => setChosen(event.currentTarget.value)}
          />
        )
      }
    >
      <Loaded query={query} skeleton={6}>
        {({ interval_seconds: interval }) => {
          const found = nodes.filter(({ node: { id } }) => id === chosen);
          const series = seriesOf(found.length === 0 ? nodes : found, interval);
          if (series.length === 0)
            return (
              <EmptyState
                Icon={IconChartLine}
                title="No measurements yet"
                description="Each process stores its first figures within five minutes."
              />
            );
          return (
            <>
              <div className={styles.charts}>
                {figures.map((figure) => (
                  <MetricsChart key={figure.title} figure={figure} series={series} />
                ))}
              </div>
              <HoursTable series={series} />
            </>
          );
        }}
      </Loaded>
    </Panel>
  );
}
