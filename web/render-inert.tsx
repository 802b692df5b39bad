import { type AnyRouter, createMemoryHistory } from '@tanstack/react-router';
import { renderToStaticMarkup } from 'react-dom/server';
import { Application } from './application.tsx';

/**
 * Renders a page without its data as HTML. The markup is inert, so that users cannot type into a page that
 * the script is about to replace.
 */
export async function renderInert(
  router: AnyRouter,
  path: string,
): Promise<{ title: string; markup: string }> {
  router.update({ history: createMemoryHistory({ initialEntries: [path] }), scrollRestoration: false });
  await router.load();
  const markup = renderToStaticMarkup(<Application router={router} />);
  const title = /<title>.*?<\/title>/.exec(markup)?.[0];
  if (title === undefined) throw new Error(`${path} could not be rendered`);
  // Only the browser knows the chosen theme.
  return { title, markup: `<div inert>${markup.replace(title, '').replaceAll(' checked=""', '')}</div>` };
}
