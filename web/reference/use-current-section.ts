import { useEffect, useState } from 'react';
import type { Group } from './groups.ts';

/** The part of the window in which a section counts as the current one: below the top, above the middle. */
const READING_AREA = '-8% 0px -60% 0px';

/** Returns the ID of the section that the user reads; undefined at the top. */
export function useCurrentSection(group: Group | undefined): string | undefined {
  const [current, setCurrent] = useState<string>();
  useEffect(() => {
    if (group === undefined) return;
    const visible = new Set<string>();
    const ids = [...group.endpoints.map(({ operation }) => operation.operationId), ...group.records];
    const observer = new IntersectionObserver(
      (entries) => {
        for (const { target, isIntersecting } of entries) {
          if (isIntersecting) visible.add(target.id);
          else visible.delete(target.id);
        }
        setCurrent(ids.find((id) => visible.has(id)));
      },
      { rootMargin: READING_AREA },
    );
    for (const id of ids) {
      const section = document.getElementById(id);
      if (section !== null) observer.observe(section);
    }
    return () => observer.disconnect();
  }, [group]);
  return current;
}
