import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { icons } from './icons-plugin.ts';

export default defineConfig({
  root: import.meta.dirname,
  base: '/console/',
  plugins: [react(), icons()],
  build: {
    outDir: 'dist/console',
    emptyOutDir: true,
    target: 'es2022',
    // Data URLs would require a weaker content security policy.
    assetsInlineLimit: 0,
    // One early request is faster than ten, and no page waits for its own styles.
    cssCodeSplit: false,
    reportCompressedSize: false,
  },
});
