import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { runs } from '../../testing/runs.ts'
import { REPLACEMENT, secretPattern } from './secret-pattern.ts'

const latin1 = (text: string) => Buffer.from(text).toString('latin1')

test('any secret is found in plain text, in JSON, in JSON in JSON, and escaped to the last character', () => {
  const secrets = fc.string({ unit: 'binary', minLength: 6, maxLength: 200 }).filter((text) => text.trim() !== '')
  fc.assert(
    fc.property(secrets, fc.string(), fc.string(), (secret, before, after) => {
      if (REPLACEMENT.includes(secret)) return
      const pattern = secretPattern(secret)
      const escaped = Array.from({ length: secret.length }, (_, i) => {
        return `\\u${secret.charCodeAt(i).toString(16).padStart(4, '0').toUpperCase()}`
      }).join('')
      const forms = [secret, JSON.stringify(secret).slice(1, -1), escaped]
      forms.push(...forms.slice(1).map((form) => JSON.stringify(form).slice(1, -1)))
      for (const form of forms) {
        expect(pattern.isIn(before + form + after)).toBe(true)
        if (form.isWellFormed()) expect(pattern.isInBytes(latin1(before + form + after))).toBe(true)
        expect(pattern.replaceIn(form)).toBe(REPLACEMENT)
        const starred = pattern.starOut(latin1(form))
        expect(starred).toHaveLength(latin1(form).length)
      }
    }),
    { numRuns: runs(80) },
  )
})

test('text without it stays as it is', () => {
  const pattern = secretPattern('correct-horse')
  for (const text of ['', 'correct horse', 'correct-hors', 'CORRECT-HORSE', '\\u0063orrect-hors']) {
    expect([pattern.isIn(text), pattern.replaceIn(text), pattern.starOut(text)]).toEqual([false, text, text])
  }
})

describe('found by trying: engines of regular expressions have their limits', () => {
  test('a secret of 16,384 characters is found; no error ever quotes a secret', () => {
    const secret = Array.from({ length: 16_384 }, (_, n) => String.fromCharCode(33 + ((n * 7919) % 90))).join('')
    expect(secretPattern(secret).replaceIn(`a${JSON.stringify(secret)}b`)).toBe(`a"${REPLACEMENT}"b`)
    const refusal = (text: string) => {
      try {
        secretPattern(text)
        return ''
      } catch (error) {
        return String(error)
      }
    }
    expect(refusal(`${secret}x`)).toContain('longer than')
    expect(refusal(`${secret}x`)).not.toContain(secret.slice(0, 6))
    expect(refusal('pw')).not.toContain('pw')
  })

  test.each(['\\'.repeat(6), '\\/'.repeat(5), '"'.repeat(8)])(
    'runs of backslashes end soon: %j',
    (text) => {
      const pattern = secretPattern(`${text}x`)
      expect(pattern.isInBytes('\\'.repeat(20_000))).toBe(false)
      expect(pattern.isInBytes('\\/'.repeat(20_000))).toBe(false)
      expect(pattern.isInBytes(`${'\\'.repeat(20_000)}${JSON.stringify(`${text}x`)}`)).toBe(true)
    },
    5_000,
  )
})
