import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

/** Where `treeline serve` runs while one works on the pages: `npm run dev -w @treeline/web`. */
const server = process.env.TREELINE_SERVER ?? 'http://127.0.0.1:4123'

export default defineConfig({
  root: import.meta.dirname,
  plugins: [react()],
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    // A data URL in place of a file would not pass our content security policy.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
  },
  server: { proxy: { '/api': { target: server, ws: true }, '/login': server } },
})
