import type { ReactNode } from 'react';
import type { Campaign } from '../../src/campaigns/campaign.ts';
import { dayIn } from '../../src/merchants/time-zone.ts';
import { useFormats } from '../format/use-formats.ts';
import { linkToPlacements } from '../placements/link-to-placements.tsx';
import type { ResultsSearch } from '../placements/queries.ts';
import { useSession } from '../session/session.ts';
import { ExplainedFigure } from '../ui/explained-figure.tsx';
import { Panel } from '../ui/panel.tsx';
import { amountFields } from './amount-fields.ts';
import { BudgetBar } from './budget-bar.tsx';
import styles from './campaigns.module.css';

/** What a campaign has spent of its budgets, and all its amounts. */
export function CampaignBudgets({ campaign, search }: { campaign: Campaign; search: ResultsSearch }) {
  const { money } = useFormats();
  const { time_zone: timeZone } = useSession().merchant;
  const explained =
    (figure: 'spend_today' | 'spend') =>
    (amount: string): ReactNode => {
      const id = campaign.internal_id;
      const lines = figure === 'spend' ? { lines: 'all' } : { day: dayIn(timeZone)(Date.now()) };
      return (
        <ExplainedFigure
          query={{ figure: `campaigns.${figure}`, internal_id: id }}
          linkTo={linkToPlacements(id, search, lines)}
        >
          {amount}
        </ExplainedFigure>
      );
    };
  return (
    <Panel title="Budgets">
      <div className={styles.bars}>
        <BudgetBar
          label="Spent today"
          spent={campaign.spend_today}
          budget={campaign.daily_budget}
          show={explained('spend_today')}
        />
        <BudgetBar
          label="Spent in total"
          spent={campaign.spend}
          budget={campaign.lifetime_budget}
          show={explained('spend')}
        />
      </div>
      <dl className={styles.facts}>
        {amountFields.map(({ name, label, none }) => {
          const value = campaign[name];
          return (
            <div key={name}>
              <dt>{label}</dt>
              <dd className={value === null ? 'muted' : 'numbers'}>{value === null ? none : money(value)}</dd>
            </div>
          );
        })}
      </dl>
    </Panel>
  );
}
