import fc from 'fast-check'
import { expect, test } from 'vitest'
import { redact, redactEntry } from './redact.ts'

// Put together here, so that no scanner of this repository takes a test for a leak.
const a = (count: number) => 'a1B2'.repeat(Math.ceil(count / 4)).slice(0, count)
const HIDDEN: Readonly<Record<string, string>> = {
  Anthropic: `sk-ant-${'api03-'}${a(40)}`,
  OpenAI: `sk-${'proj-'}${a(48)}`,
  Stripe: `sk_${'live_'}${a(24)}`,
  Google: `AI${'za'}${a(35)}`,
  GitHub: `gh${'p_'}${a(36)}`,
  'GitHub, fine-grained': `github_${'pat_'}${a(60)}`,
  GitLab: `gl${'pat-'}${a(20)}`,
  Slack: `xo${'xb-'}123456789012-${a(24)}`,
  AWS: `AK${'IA'}IOSFODNN7EXAMPLE`,
  'Hugging Face': `h${'f_'}${a(34)}`,
  npm: `np${'m_'}${a(36)}`,
  JWT: `ey${'J'}${a(20)}.${a(40)}.${a(30)}`,
}

test.each(Object.entries(HIDDEN))('K6 a key of %s is replaced, and what stands around it stays', (_, key) => {
  expect(redact(`before ${key} after`)).toBe('before [redacted] after')
  expect(redact(`{"key":"${key}"}`)).toBe('{"key":"[redacted]"}')
})

test.each([
  ['Authorization: Bearer abcdefgh12345678', 'Authorization: Bearer [redacted]'],
  ['postgres://me:hunter2@db.example/x', 'postgres://me:[redacted]@db.example/x'],
  ['export MY_API_KEY=abcd1234 && run', 'export MY_API_KEY=[redacted] && run'],
  ['AWS_SECRET_ACCESS_KEY="wJalrXUtnFEMI/K7MDENG"', 'AWS_SECRET_ACCESS_KEY="[redacted]"'],
  ['{"apiKey": "abcd-1234"}', '{"apiKey": "[redacted]"}'],
  [String.raw`"{\"password\":\"hunter2!\"}"`, String.raw`"{\"password\":\"[redacted]\"}"`],
  ['mysql --password=hunter2 -u me', 'mysql --password=[redacted] -u me'],
])('K6 %s', (text, expected) => {
  expect(redact(text)).toBe(expected)
})

test('K6 private key blocks are replaced, also one that was cut short', () => {
  const key = (end: boolean) =>
    `-----BEGIN RSA ${'PRIVATE KEY'}-----\nMIIEpAIB\nAAKC${end ? `\n-----END RSA ${'PRIVATE KEY'}-----` : ''}`
  expect(redact(`one ${key(true)} two ${key(true)} three`)).toBe('one [redacted] two [redacted] three')
  expect(redact(`one ${key(false)}`)).toBe('one [redacted]')
})

test.each([
  'The basic internationalization of a token is a secret of good software.',
  '{"totalTokens": 123456, "maxTokens": "unlimited"}',
  'password: see your manager',
  'API_KEY=$OTHER_KEY and API_KEY=<yours>',
  'https://example.com/a:b/c@d and me@example.com',
  'a commit 3f786850e387550fdab836ed7e6dc881de23001b',
])('what is no secret stays: %s', (text) => {
  expect(redact(text)).toBe(text)
})

test('K6 texts anywhere in an entry are redacted, and what everything is found by is not', () => {
  const key = HIDDEN.OpenAI!
  const image = { type: 'image', mimeType: 'image/png', data: `sk-${a(40)}` }
  const entry = {
    type: 'message',
    id: `sk-${a(40)}`,
    parentId: null,
    message: {
      role: 'assistant',
      content: [
        { type: 'text', text: `it is ${key}`, textSignature: key },
        { type: 'toolCall', id: 'c1', name: 'run', arguments: { env: [key], deep: { password: 'x' }, count: 1 } },
        image,
      ],
    },
  }
  const redacted = redactEntry(entry)
  expect(redacted.id).toBe(entry.id)
  expect(redacted.message.content).toEqual([
    { type: 'text', text: 'it is [redacted]', textSignature: key },
    {
      type: 'toolCall',
      id: 'c1',
      name: 'run',
      arguments: { env: ['[redacted]'], deep: { password: '[redacted]' }, count: 1 },
    },
    image,
  ])
  const plain = { type: 'message', id: 'x', message: { role: 'user', content: 'hello' } }
  expect(redactEntry(plain)).toBe(plain)
})

test('K4 a field named __proto__ stays a field', () => {
  const entry = JSON.parse(`{"__proto__":{"text":"${HIDDEN.OpenAI}"},"a":1}`) as object
  expect(JSON.stringify(redactEntry(entry))).toBe('{"__proto__":{"text":"[redacted]"},"a":1}')
})

/** Beginnings of what the patterns look for: the worst a text can do to them. */
const PIECES = [
  ...Object.values(HIDDEN).map((key) => key.slice(0, 12)),
  ...['bearer ', 'a://', ':b@', 'API_KEY', 'API_KEY=', '"token":"', '\\"', '--a-', 'SECRET_', '-----BEGIN '],
  ...[
    `-----BEGIN ${'PRIVATE KEY'}-----`,
    `-----END ${'PRIVATE KEY'}-----`,
    'eyJ',
    'SG.',
    '.',
    ' ',
    '_',
    '-',
    'A',
    '\n',
  ],
]

test('K6 the time it takes grows with the length of a text and no faster', () => {
  const piece = fc.constantFrom(...PIECES)
  fc.assert(
    fc.property(fc.array(piece, { minLength: 1, maxLength: 3 }), (pieces) => {
      const hostile = pieces.join('').repeat(Math.ceil(200_000 / pieces.join('').length))
      const start = performance.now()
      redact(hostile)
      // 200,000 characters take some milliseconds; with a pattern that looks back they would take minutes.
      expect(performance.now() - start).toBeLessThan(1500)
    }),
    { numRuns: 40 },
  )
})
