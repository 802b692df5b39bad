import { lazyRouteComponent } from '@tanstack/react-router';
import type { ComponentType } from 'react';
import { watchResponse } from '../server/watch-response.ts';

/** Thrown if a page's script cannot be loaded: the server is unreachable or has a newer console. */
export class PageLoadError extends Error {
  override name = 'PageLoadError';
}

export type LoadPage = () => Promise<{ Page: ComponentType }>;

/**
 * A page that is loaded when it is first visited. The error is wrapped because the router would otherwise
 * reload the whole console, which fails while the server is unreachable.
 */
export function lazyPage(load: LoadPage) {
  return lazyRouteComponent(async () => {
    try {
      return await watchResponse(load());
    } catch (cause) {
      throw new PageLoadError('This page could not be loaded.', { cause });
    }
  }, 'Page');
}
