import { join } from 'node:path';
import { icons as tabler } from '@iconify-json/tabler';
import type { Plugin } from 'vite';

const PREFIX = 'virtual:tabler/';
const CREATE_ICON = join(import.meta.dirname, 'ui/create-icon.tsx');

/** Provides a module `virtual:tabler/NAME` for each outline icon of Tabler. It exports a component. */
export function icons(): Plugin {
  return {
    name: 'icons',
    resolveId: (id) => (id.startsWith(PREFIX) ? `\0${id}` : undefined),
    load(id) {
      if (!id.startsWith(`\0${PREFIX}`)) return undefined;
      const paths = outlineOf(id.slice(PREFIX.length + 1));
      const code = `import { createIcon } from ${JSON.stringify(CREATE_ICON)};
        export default createIcon(${JSON.stringify(paths)});`;
      return { code, moduleSideEffects: false };
    },
  };
}

/**
 * Returns the path data of an icon.
 * @throws {Error} if Tabler has no outline icon of that name, or if the icon contains other shapes than paths
 */
function outlineOf(name: string): string[] {
  const body = tabler.icons[name]?.body ?? '';
  const paths = [...body.matchAll(/<path [^>]*?\bd="([^"]+)"/g)].map(([, d = '']) => d);
  if (paths.length === 0 || /<(?!path|g|\/)|fill="currentColor"/.test(body)) {
    throw new Error(`"${name}" is not an outline icon of Tabler`);
  }
  return paths;
}
