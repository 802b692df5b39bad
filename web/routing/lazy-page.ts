import { lazyRouteComponent } from '@tanstack/react-router';
import type { ComponentType } from 'react';

/** A page's script could not be loaded: the server is unreachable or has a newer version of the console. */
export class PageLoadError extends Error {
  override name = 'PageLoadError';
}

/**
 * A page that is loaded when it is first visited. Without the wrapped error, the router would reload the
 * whole console, which fails while the server is unreachable.
 */
export function lazyPage(load: () => Promise<{ Page: ComponentType }>) {
  return lazyRouteComponent(async () => {
    try {
      return await load();
    } catch (cause) {
      throw new PageLoadError('This page could not be loaded.', { cause });
    }
  }, 'Page');
}
