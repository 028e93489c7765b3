export { createAgent, setModel, setThinkingLevel } from '@treeline/agent'
