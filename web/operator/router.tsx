import { createRootRoute, createRoute, createRouter, Outlet, redirect } from '@tanstack/react-router';
import { base } from '../server/application.ts';
import { queryClient } from '../server/query-client.ts';
import { stringifySearch, stringParameters } from '../server/search-params.ts';
import { type LoadPage, lazyPage } from '../shell/lazy-page.ts';
import { NotFoundWindow } from '../shell/not-found.tsx';
import { PageError } from '../shell/page-error.tsx';
import { PageSkeleton, ShellSkeleton } from '../shell/page-skeleton.tsx';
import { signInSearch } from '../sign-in/sign-in-search.ts';
import { NotFound } from '../ui/not-found.tsx';
import { sessionQuery } from './session.ts';

const root = createRootRoute({ component: Outlet, notFoundComponent: NotFoundWindow });

const signedIn = createRoute({
  getParentRoute: () => root,
  id: 'signed-in',
  beforeLoad: async ({ location }) => {
    const session = await queryClient.ensureQueryData(sessionQuery);
    if (session === null)
      throw redirect({ to: '/sign-in', search: location.href === '/' ? {} : { next: location.href } });
    if (session.two_factor_missing && location.pathname !== '/account') throw redirect({ to: '/account' });
  },
  component: lazyPage(() => import('./shell/shell.tsx')),
  pendingComponent: ShellSkeleton,
});

/** The options of a page that does not need a session. */
const open = (load: LoadPage) => ({ getParentRoute: () => root, component: lazyPage(load) });

/** The options of a page of signed-in operators. Its title is its heading, and its name in the navigation. */
const page = (title: string, load: LoadPage) => ({
  getParentRoute: () => signedIn,
  component: lazyPage(load),
  staticData: { title },
});

const openPages = [
  createRoute({
    path: '/sign-in',
    ...open(() => import('./sign-in/sign-in-page.tsx')),
    validateSearch: signInSearch,
  }),
  createRoute({
    path: '/set-up',
    ...open(() => import('./sign-in/set-up-page.tsx')),
  }),
  createRoute({
    path: '/set-password',
    ...open(() => import('./sign-in/set-password-page.tsx')),
  }),
] as const;

const pages = [
  createRoute({
    path: '/',
    ...page('Overview', () => import('./overview/overview-page.tsx')),
    validateSearch: stringParameters('period'),
  }),
  createRoute({
    path: '/merchants',
    ...page('Merchants', () => import('./merchants/merchants-page.tsx')),
    validateSearch: stringParameters('query', 'state', 'failing'),
  }),
  createRoute({
    path: '/merchants/$merchant',
    ...page('Merchant', () => import('./merchants/merchant-page.tsx')),
  }),
  createRoute({
    path: '/moderation',
    ...page('Moderation', () => import('./moderation/moderation-page.tsx')),
    validateSearch: stringParameters('merchant'),
  }),
  createRoute({
    path: '/products',
    ...page('Products', () => import('./products/products-page.tsx')),
    validateSearch: stringParameters('query', 'status', 'merchant', 'test'),
  }),
  createRoute({
    path: '/products/$merchant/$product',
    ...page('Product', () => import('./products/product-page.tsx')),
    validateSearch: stringParameters('test'),
  }),
  createRoute({
    path: '/orders',
    ...page('Orders', () => import('./orders/orders-page.tsx')),
    validateSearch: stringParameters('query', 'status', 'days', 'merchant', 'test'),
  }),
  createRoute({
    path: '/orders/$merchant/$order',
    ...page('Order', () => import('./orders/order-page.tsx')),
    validateSearch: stringParameters('test'),
  }),
  createRoute({
    path: '/operators',
    ...page('Team', () => import('./operators/operators-page.tsx')),
  }),
  createRoute({
    path: '/campaigns',
    ...page('Campaigns', () => import('./campaigns/campaigns-page.tsx')),
    validateSearch: stringParameters('state', 'hours', 'currency'),
  }),
  createRoute({ path: '/lists', ...page('Lists', () => import('./lists/lists-page.tsx')) }),
  createRoute({
    path: '/calls',
    ...page('Calls', () => import('./calls/calls-page.tsx')),
    validateSearch: stringParameters('merchant', 'hours', 'status', 'error', 'method', 'path'),
  }),
  createRoute({
    path: '/imports',
    ...page('Imports', () => import('./imports/imports-page.tsx')),
    validateSearch: stringParameters('state', 'source'),
  }),
  createRoute({
    path: '/events',
    ...page('Events', () => import('./events/events-page.tsx')),
    validateSearch: stringParameters('type', 'merchant'),
  }),
  createRoute({
    path: '/webhooks',
    ...page('Webhooks', () => import('./webhooks/webhooks-page.tsx')),
    validateSearch: stringParameters('state', 'merchant', 'webhook', 'test'),
  }),
  createRoute({
    path: '/reference',
    ...page('API reference', () => import('./reference/reference-page.tsx')),
  }),
  createRoute({
    path: '/reference/$group',
    ...page('API reference', () => import('./reference/reference-page.tsx')),
  }),
  createRoute({
    path: '/marketplace',
    ...page('Settings', () => import('./marketplace/marketplace-page.tsx')),
  }),
  createRoute({ path: '/system', ...page('System', () => import('./system/system-page.tsx')) }),
  createRoute({
    path: '/audit',
    ...page('Audit log', () => import('./audit/audit-page.tsx')),
    validateSearch: stringParameters('kind', 'who', 'action'),
  }),
  createRoute({ path: '/account', ...page('Account', () => import('./account/account-page.tsx')) }),
  createRoute({ getParentRoute: () => signedIn, path: '$', component: NotFound }),
] as const;

export const router = createRouter({
  routeTree: root.addChildren([...openPages, signedIn.addChildren(pages)]),
  basepath: base,
  defaultPreload: 'intent',
  defaultPreloadStaleTime: 0,
  defaultPendingComponent: PageSkeleton,
  defaultPendingMs: 150,
  defaultErrorComponent: PageError,
  scrollRestoration: true,
  parseSearch: (text) => Object.fromEntries(new URLSearchParams(text)),
  stringifySearch,
});

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
  interface StaticDataRouteOption {
    title?: string;
  }
}
