/** What replaces one. `keep` is how many groups at the beginning of the match stay as they are. */
interface SecretPattern {
  /** A quick look: where this is nowhere in a text, neither is the pattern. Most texts hold no secret. */
  readonly hint: RegExp
  readonly pattern: RegExp
  readonly keep: 0 | 1
}

/**
 * Every repetition is bounded, or takes one class of characters and needs nothing behind it; every pattern begins with a
 * fixed word or at the beginning of a run. So a text takes time in proportion to its length, whatever is in it.
 */
const KEYS_BY_PREFIX: readonly string[] = [
  // Anthropic, OpenAI, OpenRouter, DeepSeek and all who write sk-
  'sk-[\\w-]{20,}',
  // Stripe
  '[rs]k_(?:live|test)_[A-Za-z0-9]{16,}',
  // Google
  'AIza[\\w-]{35,}',
  'ya29\\.[\\w-]{20,}',
  'GOCSPX-[\\w-]{20,}',
  // GitHub, GitLab
  'gh[oprsu]_[A-Za-z0-9]{30,}',
  'github_pat_\\w{22,}',
  'gl(?:pat|dt|rt|ptt)-[\\w-]{20,}',
  // Slack
  'xox[a-z]-[A-Za-z0-9-]{10,}',
  'xapp-[A-Za-z0-9-]{20,}',
  // AWS
  '(?:AKIA|ASIA)[A-Z0-9]{16}',
  // Hugging Face, Groq, xAI, Perplexity, Replicate, npm, PyPI, DigitalOcean, Shopify, SendGrid, Tailscale, Vault
  'hf_[A-Za-z0-9]{30,}',
  'gsk_[A-Za-z0-9]{40,}',
  'xai-[A-Za-z0-9]{40,}',
  'pplx-[A-Za-z0-9]{40,}',
  'r8_[A-Za-z0-9]{30,}',
  'npm_[A-Za-z0-9]{36}',
  'pypi-[\\w-]{50,}',
  'do[opr]_v1_[a-f0-9]{40,}',
  'shp(?:at|ca|pa|ss)_[a-fA-F0-9]{32}',
  'SG\\.[\\w-]{16,64}\\.[\\w-]{16,}',
  'tskey-[\\w-]{20,}',
  'hvs\\.[\\w-]{20,}',
  // JSON Web Tokens
  'eyJ[\\w-]{8,4000}\\.[\\w-]{8,8000}\\.[\\w-]{8,}',
]

const SECRET_NAME =
  '(?:secret|password|passwd|passphrase|token|api[_-]?key|private[_-]?key|access[_-]?key|signing[_-]?key|credentials?)'

export const SECRET_PATTERNS: readonly SecretPattern[] = [
  { hint: /[-_.]|AIza|AKIA|ASIA|eyJ/, pattern: new RegExp(`(?<![\\w-])(?:${KEYS_BY_PREFIX.join('|')})`, 'g'), keep: 0 },
  // Authorization headers. A digit tells a credential from a word.
  {
    hint: /bearer|basic/i,
    pattern: /\b((?:bearer|basic)\s{1,8})(?=[A-Za-z._~+/=-]{0,200}\d)[\w.~+/=-]{12,}/gi,
    keep: 1,
  },
  // scheme://name:password@
  {
    hint: /:\/\//,
    pattern: /(?<![a-z0-9+.-])([a-z][a-z0-9+.-]{1,20}:\/\/[^\s/:@"'<>]{0,200}:)[^\s/@"'<>]{1,200}(?=@)/gi,
    keep: 1,
  },
  // MY_API_KEY=…, as in an .env file or a shell. What only names a variable stays.
  {
    hint: /SECRET|PASSW|PASSPHRASE|TOKEN|KEY|CREDENTIAL/,
    pattern:
      /(?<!\w)([A-Z0-9_]{0,60}(?:SECRET|PASSWORD|PASSWD|PASSPHRASE|TOKEN|API_?KEY|(?:PRIVATE|ACCESS|SIGNING)_?KEY|CREDENTIALS?)(?:_[A-Z0-9_]{0,40})?[ \t]{0,4}=[ \t]{0,4}\\{0,3}["']?)[^\s"'\\$<[]{4,}/g,
    keep: 1,
  },
  // "apiKey": "…", password = '…', also inside JSON that is itself a string
  {
    hint: /secret|passw|passphrase|token|key|credential/i,
    pattern: new RegExp(
      `(?<![\\w-])([\\w-]{0,40}${SECRET_NAME}\\\\{0,3}["']?\\s{0,4}[:=]\\s{0,4}\\\\{0,3}["'\`])[^"'\`\\n\\\\$<[]{4,500}(?=\\\\{0,3}["'\`])`,
      'gi',
    ),
    keep: 1,
  },
  // --password …
  {
    hint: /--/,
    pattern: /(?<![\w-])(--(?:[a-z]{1,20}-){0,3}(?:password|secret|token|api-?key)[= ]["']?)[^\s"'$<[]{4,}/gi,
    keep: 1,
  },
]

/** A field of this name holds nothing but the secret. */
export const SECRET_FIELD = new RegExp(`(?:${SECRET_NAME}|authorization|cookie)$`, 'i')
