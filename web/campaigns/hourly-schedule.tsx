import { Checkbox } from '@mantine/core';
import type { ReactNode } from 'react';
import { type HourlySchedule, scheduleSlots } from '../../src/campaigns/hourly-schedule.ts';
import styles from './campaigns.module.css';

const description = 'When the campaign competes, in your shop’s time zone.';

const slotLabels = scheduleSlots.map((slot, index) => {
  const hour = (number: number): string => String(number).padStart(2, '0');
  return { slot, label: `${hour(3 * index)}–${hour(3 * index + 3)}` };
});

/** Returns the slots in which a campaign competes. */
export function slotsOf(schedule: HourlySchedule | null): string[] {
  return scheduleSlots.filter((slot) => schedule === null || schedule[slot] === 1);
}

/** Returns the schedule of a campaign that competes in these slots; null for all of them. */
export function scheduleWith(slots: readonly string[]): Record<string, number> | null {
  if (slots.length === scheduleSlots.length) return null;
  return Object.fromEntries(scheduleSlots.map((slot) => [slot, slots.includes(slot) ? 1 : 0]));
}

/** Shows the hours of a campaign. */
export function ScheduleRow({ schedule }: { schedule: HourlySchedule | null }) {
  const slots = slotsOf(schedule);
  return (
    <>
      <p className="muted small">{description}</p>
      <ul className={styles.slots}>
        {slotLabels.map(({ slot, label }) => (
          <li key={slot} className="numbers">
            {slots.includes(slot) ? label : <s className="muted">{label}</s>}
          </li>
        ))}
      </ul>
    </>
  );
}

interface InputProps {
  value?: string[];
  error?: ReactNode;
  onChange?: (slots: string[]) => void;
}

/** Chooses the hours of a campaign. */
export function ScheduleInput({ value = [], error, onChange }: InputProps) {
  return (
    <Checkbox.Group
      label="Hours"
      description={description}
      value={value}
      error={error}
      {...(onChange && { onChange })}
    >
      <div className={styles.slots}>
        {slotLabels.map(({ slot, label }) => (
          <Checkbox key={slot} value={slot} label={label} />
        ))}
      </div>
    </Checkbox.Group>
  );
}
