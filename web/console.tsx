import { localStorageColorSchemeManager, MantineProvider } from '@mantine/core';
import { Notifications } from '@mantine/notifications';
import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { useEffect } from 'react';
import { router } from './router.tsx';
import { queryClient } from './server/query-client.ts';
import { keepFocus } from './shell/keep-focus.ts';
import { cssVariablesResolver, theme } from './theme/theme.ts';

const colorSchemeManager = localStorageColorSchemeManager({ key: 'tradepost-color-scheme' });

export function Console() {
  useEffect(keepFocus, []);
  return (
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
  );
}
