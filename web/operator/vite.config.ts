import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { icons } from '../icons-plugin.ts';

export default defineConfig({
  root: import.meta.dirname,
  base: '/operator/',
  publicDir: '../public',
  plugins: [react(), icons()],
  build: {
    outDir: '../dist/operator',
    emptyOutDir: true,
    target: 'es2022',
    // Data URLs would require a weaker content security policy.
    assetsInlineLimit: 0,
    cssCodeSplit: false,
    reportCompressedSize: false,
  },
});
