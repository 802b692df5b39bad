import { useQuery } from '@tanstack/react-query';
import { zoneName } from '../../format/time-zones.ts';
import { useFormats } from '../../format/use-formats.ts';
import { Loaded } from '../../ui/loaded.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { Panel } from '../../ui/panel.tsx';
import { AttentionList } from './attention-list.tsx';
import { FiguresPanel } from './figures-panel.tsx';
import { FirstSteps } from './first-steps.tsx';
import { MerchantTiles, NowPanel } from './now-panel.tsx';
import { type Overview, overviewQuery } from './queries.ts';

export function Page() {
  const query = useQuery(overviewQuery);
  const { data } = query;
  const { clock, timeZone } = useFormats();
  return (
    <>
      <PageHeader
        lead={
          data === undefined
            ? 'The whole marketplace.'
            : `Figures as of ${clock(data.at)}, ${zoneName(timeZone)} time.`
        }
      />
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
      <FiguresPanel periods={periods} />
      <NowPanel overview={overview} />
    </div>
  );
}
