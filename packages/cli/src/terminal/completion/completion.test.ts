import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { tempFolder } from '../../testing/run-treeline.ts'
import { slashCommands } from '../commands/slash-commands.ts'
import { recordingChat } from '../commands/testing/recording-chat.ts'
import { ProjectFiles } from '../mentions/project-files.ts'
import { Completer, type Taken } from './completer.ts'
import { findWanted } from './wanted.ts'

/** A menu without a screen, over a real chat and a real folder. */
async function menu(given: { readonly files?: readonly string[]; readonly cwd?: string } = {}) {
  const actions = await recordingChat()
  const cwd = given.cwd ?? tempFolder()
  for (const name of given.files ?? []) {
    mkdirSync(join(cwd, name, '..'), { recursive: true })
    writeFileSync(join(cwd, name), '')
  }
  const files = new ProjectFiles(cwd)
  onTestFinished(() => files.close())
  const taken: Taken[] = []
  const completer = new Completer({ actions, files, onChange() {}, onTaken: (one) => taken.push(one) })
  /** Types to the end of the text, waits for the answer, and gives what is offered. */
  const offered = async (text: string): Promise<readonly string[]> => {
    completer.update(text, text.length)
    await expect.poll(() => completer.isLooking, { interval: 5, timeout: 15_000 }).toBe(false)
    return completer.menu?.offers.map((offer) => offer.text) ?? []
  }
  return { completer, taken, offered, cwd }
}

describe('commands', () => {
  test('names are offered with what they do, then what may follow', async () => {
    const { completer, offered } = await menu()
    expect(await offered('/mo')).toEqual(['/model', '/mode'])
    expect(completer.menu?.offers[1]?.help).toContain('unasked')
    expect(await offered('/')).toHaveLength(slashCommands.length)
    expect(await offered('/mode a')).toEqual(['autoEdit'])
    expect(await offered('/thinking ')).toContain('high')
    expect(await offered('/help qu')).toEqual(['quit'])
    expect(await offered('/MODE Y')).toEqual(['yolo'])
    expect(await offered('hello')).toEqual([])
    expect(await offered('/mode yolo x')).toEqual([])
    expect(await offered('/etc/hosts')).toEqual([])
  })

  test('Enter sends a command that is typed in full and completes any other', async () => {
    const { completer, offered } = await menu()
    await offered('/branch')
    expect(completer.takesEnter).toBe(false)
    completer.move('down')
    expect(completer.takesEnter).toBe(true)
    await offered('/branc')
    expect(completer.takesEnter).toBe(true)
    await offered('/mode ')
    expect(completer.takesEnter).toBe(false)
    completer.update('/tree', 2)
    expect(completer.takesEnter).toBe(false)
  })

  test('what was closed stays closed for the word, until Tab asks for it', async () => {
    const { completer, offered } = await menu()
    await offered('/mo')
    completer.close()
    expect(await offered('/mod')).toEqual([])
    completer.tab('/mod', 4)
    expect(completer.menu?.offers).toHaveLength(2)
    completer.close()
    expect(await offered('/mode ')).not.toEqual([])
  })

  test('the arrows go around', async () => {
    const { completer, taken, offered } = await menu()
    await offered('/mo')
    completer.move('up')
    completer.enter()
    expect(taken).toMatchObject([{ from: 0, to: 3, offer: { text: '/mode', tail: ' ' } }])
    expect(completer.menu).toBeUndefined()
  })
})

describe('files', () => {
  test('those of the project that fit are offered, without what Git ignores and what is hidden', async () => {
    const files = ['a.ts', 'src/app.ts', 'src/a b.ts', 'node_modules/x/app.ts', 'out/app.ts', '.env', '.gitignore']
    const { offered, cwd } = await menu({ files })
    writeFileSync(join(cwd, '.gitignore'), 'out/\n')
    expect(await offered('see @app')).toEqual(['@src/app.ts'])
    expect(await offered('@')).toEqual(['@a.ts', '@src/', '@src/a b.ts', '@src/app.ts'].map((text) => quoted(text)))
    expect(await offered('@src/')).toEqual(['@"src/a b.ts"', '@src/app.ts'])
    expect(await offered('@"src/a b')).toEqual(['@"src/a b.ts"'])
    expect(await offered('@.en')).toEqual(['@.env'])
    expect(await offered('@sap')).toEqual(['@src/app.ts'])
    expect(await offered('mail@app')).toEqual([])
    expect(await offered('!cat @app')).toEqual([])
  })

  test('K4 a name that is not what it looks like is not offered', async () => {
    const { offered } = await menu({ files: ['ok', 'o\u001b[31mk', 'o\nk', 'o\u202ek', 'o\u200bk', 'o"k', 'o\tk'] })
    expect(await offered('@o')).toEqual(['@ok'])
  })

  test('a link that leads out of the project is not offered', async () => {
    const cwd = tempFolder()
    symlinkSync('/etc/hostname', join(cwd, 'link-out'))
    symlinkSync('/etc', join(cwd, 'link-folder'))
    symlinkSync('link-target', join(cwd, 'link-in'))
    const { offered } = await menu({ cwd, files: ['link-target'] })
    expect(await offered('@link')).toEqual(['@link-in', '@link-target'])
  })

  test('Tab that is quicker than the answer takes it when it comes', async () => {
    const { completer, taken } = await menu({ files: ['src/app.ts'] })
    completer.update('@app', 4)
    completer.tab('@app', 4)
    expect(taken).toEqual([])
    await expect
      .poll(() => taken, { timeout: 15_000 })
      .toMatchObject([{ from: 0, to: 4, offer: { text: '@src/app.ts' } }])
  })

  test('an answer to an earlier key is dropped', async () => {
    const { completer, offered } = await menu({ files: ['one', 'two'] })
    completer.update('@on', 3)
    expect(await offered('@tw')).toEqual(['@two'])
    completer.update('@on', 3)
    completer.update('', 0)
    await expect.poll(() => completer.isLooking).toBe(false)
    expect(completer.menu).toBeUndefined()
  })
})

test('what is completed is what stands at the cursor', () => {
  expect(findWanted('a @src/x b', 6)).toEqual({ type: 'file', begun: 'src', from: 2, to: 8 })
  expect(findWanted('(@src', 5)).toMatchObject({ begun: 'src', from: 1 })
  expect(findWanted('@"a b" c', 4)).toEqual({ type: 'file', begun: 'a ', from: 0, to: 6 })
  expect(findWanted('/model', 0)).toBeUndefined()
  // Its small letter is longer.
  expect(findWanted('/İ x', 1)).toMatchObject({ from: 0, to: 2 })
  expect(findWanted('/mode\nx', 7)).toBeUndefined()
})

function quoted(mention: string): string {
  return /\s/.test(mention) ? `@"${mention.slice(1)}"` : mention
}
