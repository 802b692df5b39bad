import { lazyRouteComponent } from '@tanstack/react-router';
import type { ComponentType } from 'react';

/** The part of the console that a page is in could not be had: the server is away, or has a newer one. */
export class PageGone extends Error {
  override name = 'PageGone';
}

/**
 * A page that is loaded when it is gone to. The router would reload the console where it is not to be had;
 * while the server is away that would lose it altogether.
 */
export function lazyPage(load: () => Promise<{ Page: ComponentType }>) {
  return lazyRouteComponent(async () => {
    try {
      return await load();
    } catch (cause) {
      throw new PageGone('This page could not be loaded.', { cause });
    }
  }, 'Page');
}
