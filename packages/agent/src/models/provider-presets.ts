/** Which wire format is spoken, as logs say it. */
export type Api = 'openai-responses' | 'anthropic-messages' | 'google-generative-ai' | 'openai-completions' | 'demo'

/** How a provider is reached when nobody says otherwise. */
export interface Preset {
  readonly api: Api
  readonly baseUrl: string
  readonly baseUrlVariable?: string
  readonly keyVariables?: readonly string[]
  readonly needsKey?: false
  readonly isLocal?: true
  readonly asksForUsage?: false
  readonly defaultModel?: string
}

/** In the order in which they are tried when nobody has chosen a model. */
export const PRESETS: Readonly<Record<string, Preset>> = {
  anthropic: {
    api: 'anthropic-messages',
    baseUrl: 'https://api.anthropic.com/v1',
    baseUrlVariable: 'ANTHROPIC_BASE_URL',
    keyVariables: ['ANTHROPIC_API_KEY'],
    defaultModel: 'claude-sonnet-5-5',
  },
  openai: {
    api: 'openai-responses',
    baseUrl: 'https://api.openai.com/v1',
    baseUrlVariable: 'OPENAI_BASE_URL',
    keyVariables: ['OPENAI_API_KEY'],
    defaultModel: 'gpt-6.1-sol',
  },
  google: {
    api: 'google-generative-ai',
    baseUrl: 'https://generativelanguage.googleapis.com/v1beta',
    keyVariables: ['GOOGLE_GENERATIVE_AI_API_KEY', 'GEMINI_API_KEY'],
    defaultModel: 'gemini-3.8-flash',
  },
  openrouter: {
    api: 'openai-completions',
    baseUrl: 'https://openrouter.ai/api/v1',
    keyVariables: ['OPENROUTER_API_KEY'],
    defaultModel: 'openrouter/auto',
  },
  xai: {
    api: 'openai-completions',
    baseUrl: 'https://api.x.ai/v1',
    keyVariables: ['XAI_API_KEY'],
    defaultModel: 'grok-4.7',
  },
  deepseek: {
    api: 'openai-completions',
    baseUrl: 'https://api.deepseek.com/v1',
    keyVariables: ['DEEPSEEK_API_KEY'],
    defaultModel: 'deepseek-v4-pro',
  },
  mistral: {
    api: 'openai-completions',
    baseUrl: 'https://api.mistral.ai/v1',
    keyVariables: ['MISTRAL_API_KEY'],
    asksForUsage: false,
    defaultModel: 'mistral-medium-latest',
  },
  groq: {
    api: 'openai-completions',
    baseUrl: 'https://api.groq.com/openai/v1',
    keyVariables: ['GROQ_API_KEY'],
    defaultModel: 'openai/gpt-oss-120b',
  },
  ollama: {
    api: 'openai-completions',
    baseUrl: 'http://localhost:11434/v1',
    baseUrlVariable: 'OLLAMA_HOST',
    needsKey: false,
    isLocal: true,
  },
  lmstudio: {
    api: 'openai-completions',
    baseUrl: 'http://localhost:1234/v1',
    baseUrlVariable: 'LMSTUDIO_BASE_URL',
    needsKey: false,
    isLocal: true,
  },
  demo: { api: 'demo', baseUrl: 'demo:', needsKey: false, defaultModel: 'demo' },
}
