import { localStorageColorSchemeManager, MantineProvider } from '@mantine/core';
import { Notifications } from '@mantine/notifications';
import { QueryClientProvider } from '@tanstack/react-query';
import { type AnyRouter, RouterProvider } from '@tanstack/react-router';
import { StrictMode, useEffect } from 'react';
import { queryClient } from './server/query-client.ts';
import { keepFocus } from './shell/keep-focus.ts';
import { cssVariablesResolver, theme } from './theme/theme.ts';

const colorSchemeManager = localStorageColorSchemeManager({ key: 'tradepost-color-scheme' });

/** The console, or the operator's screen, with what all of its pages need. */
export function Application({ router }: { router: AnyRouter }) {
  useEffect(keepFocus, []);
  return (
    <StrictMode>
      <MantineProvider
        theme={theme}
        cssVariablesResolver={cssVariablesResolver}
        colorSchemeManager={colorSchemeManager}
        defaultColorScheme="auto"
      >
        <QueryClientProvider client={queryClient}>
          <Notifications position="top-right" />
          <RouterProvider router={router} />
        </QueryClientProvider>
      </MantineProvider>
    </StrictMode>
  );
}
