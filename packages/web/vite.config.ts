import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin, type ProxyOptions } from 'vite'

/** Where `treeline serve` runs while one works on the pages: `npm run dev -w @treeline/web`. */
const server = process.env.TREELINE_SERVER ?? 'http://127.0.0.1:4123'

/** The server answers only to its own name, and to pages that came from it. */
const proxied: ProxyOptions = {
  target: server,
  changeOrigin: true,
  ws: true,
  configure(proxy) {
    proxy.on('proxyReq', (request) => void (request.hasHeader('origin') && request.setHeader('origin', server)))
    proxy.on('proxyReqWs', (request) => void request.setHeader('origin', server))
  },
}

/**
 * Has the worker's file loaded with the page, not when the program asks for it: by then the server may be gathering a large
 * tree, and lets others wait.
 */
const workerWithPage: Plugin = {
  name: 'worker-with-page',
  transformIndexHtml: {
    order: 'post',
    handler(_, { bundle }) {
      const files = Object.keys(bundle ?? {}).filter((name) => name.includes('.worker-'))
      return files.map((name) => ({ tag: 'link', attrs: { rel: 'modulepreload', href: `/${name}` }, injectTo: 'head' }))
    },
  },
}

export default defineConfig({
  root: import.meta.dirname,
  plugins: [react(), workerWithPage],
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    // A data URL in place of a file would not pass our content security policy.
    assetsInlineLimit: 0,
    // How much the first page loads is for a test to say, which counts it as it comes.
    chunkSizeWarningLimit: 2_000,
    modulePreload: { polyfill: false },
  },
  server: { proxy: { '/api': proxied, '/login': proxied } },
})
