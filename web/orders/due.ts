/** When orders to ship have to be shipped: the groups of their list. */
export const dueGroups = ['undated', 'overdue', 'today', 'later'] as const;
export type DueGroup = (typeof dueGroups)[number];

export const dueLabels: Record<DueGroup, string> = {
  undated: 'No due date',
  overdue: 'Overdue',
  today: 'Due today',
  later: 'Due later',
};

/** Returns the group of a due date. `dayEnd` is the end of the merchant's day; undefined while unknown. */
export function dueGroupOf(due: string | null, now: number, dayEnd: string | undefined): DueGroup {
  if (due === null) return 'undated';
  const time = Date.parse(due);
  if (time < now) return 'overdue';
  return dayEnd !== undefined && time < Date.parse(dayEnd) ? 'today' : 'later';
}
