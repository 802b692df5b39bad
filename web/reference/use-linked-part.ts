import { useLocation } from '@tanstack/react-router';
import { useEffect } from 'react';
import type { Group } from './groups.ts';

/**
 * Shows and marks the part of the page that the fragment of the URL names, opening what it is folded in. The
 * router looks for it before the reference has loaded.
 */
export function useLinkedPart(group: Group | undefined): void {
  const hash = useLocation({ select: (location) => location.hash });
  // biome-ignore lint/correctness/useExhaustiveDependencies: another page has other parts
  useEffect(() => {
    const part = hash === '' ? null : document.getElementById(hash);
    if (part === null) return;
    for (let around = part.parentElement; around !== null; around = around.parentElement)
      if (around instanceof HTMLDetailsElement) around.open = true;
    part.scrollIntoView();
    part.setAttribute('data-linked', '');
    return () => part.removeAttribute('data-linked');
  }, [hash, group]);
}
