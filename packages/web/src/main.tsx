import './begin-early.ts'
import '@treeline/protocol/strict-page'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { connect } from './server/connection.ts'
import { App } from './shell/App.tsx'
import { ConnectionContext } from './shell/app-context.ts'
import './styles/index.css'

createRoot(document.querySelector('#root')!).render(
  <StrictMode>
    <ConnectionContext value={connect()}>
      <App />
    </ConnectionContext>
  </StrictMode>,
)
