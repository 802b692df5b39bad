import { useQuery } from '@tanstack/react-query';
import { useFormats } from '../../format/use-formats.ts';
import { Loaded } from '../../ui/loaded.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { Panel } from '../../ui/panel.tsx';
import { AttentionList } from './attention-list.tsx';
import { FirstSteps } from './first-steps.tsx';
import { MerchantTiles, NowPanel } from './now-panel.tsx';
import { PeriodPanel } from './period-panel.tsx';
import { type Overview, overviewQuery } from './queries.ts';

export function Page() {
  const query = useQuery(overviewQuery);
  const { data } = query;
  const { clock } = useFormats();
  return (
    <>
      <PageHeader lead={data === undefined ? 'The whole marketplace.' : `Figures as of ${clock(data.at)}.`} />
      {data === undefined ? (
        <Panel>
          <Loaded query={query} skeleton={6} />
        </Panel>
      ) : (
        <Figures overview={data} />
      )}
    </>
  );
}

function Figures({ overview }: { overview: Overview }) {
  const { attention, merchants, periods } = overview;
  if (merchants.active + merchants.suspended === 0)
    return (
      <div className="parts">
        <FirstSteps />
        {attention.length > 0 && <AttentionList attention={attention} />}
      </div>
    );
  return (
    <div className="parts">
      <AttentionList attention={attention} />
      <MerchantTiles merchants={merchants} />
      {periods.map((figures) => (
        <PeriodPanel key={figures.period} figures={figures} />
      ))}
      <NowPanel overview={overview} />
    </div>
  );
}
