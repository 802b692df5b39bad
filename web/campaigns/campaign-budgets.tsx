import type { Campaign } from '../../src/campaigns/campaign.ts';
import { useFormats } from '../format/use-formats.ts';
import { Panel } from '../ui/panel.tsx';
import { amountFields } from './amounts.ts';
import { BudgetBar } from './budget-bar.tsx';
import styles from './campaigns.module.css';

/** What a campaign has spent of its budgets, and all its amounts. */
export function CampaignBudgets({ campaign }: { campaign: Campaign }) {
  const { money } = useFormats();
  return (
    <Panel title="Budgets">
      <div className={styles.bars}>
        <BudgetBar label="Spent today" spent={campaign.spend_today} budget={campaign.daily_budget} />
        <BudgetBar label="Spent in total" spent={campaign.spend} budget={campaign.lifetime_budget} />
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
