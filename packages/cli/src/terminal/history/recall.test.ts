import { describe, expect, test } from 'vitest'
import { Recall } from './recall.ts'

const PAST = ['newest', 'older']

/** What the editor holds after each key. Other texts are typed over what stands there. */
function after(start: string, ...keys: readonly string[]): readonly string[] {
  const recall = new Recall()
  let text = start
  return keys.map((key) => {
    if (key === '↑' || key === '↓') text = recall.step(key === '↑' ? 'earlier' : 'later', PAST, text) ?? text
    else text = key
    if (key === '↑' || key === '↓') recall.shows(text)
    return text
  })
}

describe('↑ and ↓', () => {
  test('go to earlier prompts, stop at both ends, and bring back what was being written', () => {
    expect(after('half', '↑', '↑', '↑', '↓', '↓', '↓')).toEqual(['newest', 'older', 'older', 'newest', 'half', 'half'])
  })

  test('begin anew behind what was changed, and keep it', () => {
    expect(after('', '↑', '↑', 'older!', '↑', '↓', '↓')).toEqual([
      'newest',
      'older',
      'older!',
      'newest',
      'older!',
      'older!',
    ])
    expect(after('', '↑', '', '↑')).toEqual(['newest', '', 'newest'])
  })
})
