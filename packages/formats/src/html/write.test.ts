import { pathToFileURL } from 'node:url'
import { openFileStore, openMemoryStore } from '@treeline/store'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startChromium } from '../../../../testing/chromium.ts'
import { makeRichSession, writeWhole } from '../testing/rich-session.ts'
import { makeTempFolder } from '../testing/temp-folder.ts'
import { embedJson } from './escape.ts'
import { htmlWriter } from './write.ts'

/** What is used of an element in the browser, whose types are not those of Node. */
interface InPage {
  getAttribute(name: string): string | null
  getBoundingClientRect(): { readonly top: number }
}

/** Everything that ever made an exported page run a stranger's text. */
const EVIL = [
  '<script>window.pwned = 1</script>',
  '</script><script>window.pwned = 2</script>',
  '<!--<script>',
  '<img src=x onerror="window.pwned = 3">',
  '</noscript><svg onload="window.pwned = 4">',
  '[click](javascript:window.pwned=5) [data](data:text/html,<script>alert(1)</script>)',
  '<a href="javascript:window.pwned=6">x</a> ![p](https://tracker.example/pixel.png)',
  '\u2028window.pwned = 7\u2029 "><iframe srcdoc="<script>parent.pwned=8</script>">',
].join('\n')

function evilLog(): object[] {
  const message = (id: string, parentId: string | null, said: object) => ({
    type: 'message',
    id,
    parentId,
    timestamp: EVIL,
    message: said,
  })
  return [
    { type: 'session', version: 3, id: 's1', timestamp: EVIL, cwd: EVIL, title: EVIL },
    message('"><script>window.pwned = 9</script>', null, { role: 'user', content: EVIL }),
    message('b', '"><script>window.pwned = 9</script>', {
      role: 'assistant',
      model: EVIL,
      errorMessage: EVIL,
      content: [
        { type: 'text', text: EVIL },
        { type: 'thinking', thinking: EVIL },
        { type: 'toolCall', id: 'c', name: EVIL, arguments: { [EVIL]: EVIL, __proto__: EVIL } },
        { type: 'image', mimeType: 'image/svg+xml', data: 'PHN2ZyBvbmxvYWQ9ImFsZXJ0KDEpIi8+' },
        { type: 'image', mimeType: 'image/png', data: '" onerror="window.pwned = 10' },
        { type: EVIL, [EVIL]: EVIL },
      ],
    }),
    message('c', 'b', { role: 'toolResult', toolName: EVIL, content: [{ type: 'text', text: EVIL }], isError: true }),
    { type: 'label', id: 'd', parentId: 'c', timestamp: EVIL, targetId: 'c', label: EVIL },
    message('e', '"><script>window.pwned = 9</script>', { role: EVIL, content: EVIL }),
    { type: 'custom_message', id: 'f', parentId: 'c', timestamp: EVIL, customType: EVIL, content: EVIL, display: true },
  ]
}

test('K4 the file has no markup but ours, whatever the conversation says', async () => {
  using folder = makeTempFolder()
  await using store = await openFileStore({ home: folder.home })
  await using session = await store.openPath(folder.plant('evil.jsonl', ...evilLog()))
  const { text } = await writeWhole(htmlWriter, session)
  expect(text.match(/<script\b[^>]*>/g)).toEqual([
    '<script type="application/json" class="bodies">',
    '<script type="application/json" id="tree-data">',
    '<script>',
  ])
  const tags = new Set(
    [...text.slice(text.indexOf('<body>'), text.lastIndexOf('<script>')).matchAll(/<([a-z]+)/gi)].map((tag) => tag[1]),
  )
  for (const tag of ['img', 'svg', 'iframe', 'a']) expect(tags).not.toContain(tag)
  expect(text).not.toMatch(/[\u2028\u2029]/)
  expect(text).toContain('default-src &#39;none&#39;; script-src &#39;sha256-')
})

test('K4 without a name the page is called by what was asked first, as plain text', async () => {
  using folder = makeTempFolder()
  await using store = await openFileStore({ home: folder.home })
  const [{ title: _, ...header }, ...entries] = evilLog() as [Record<string, unknown>, ...object[]]
  await using evil = await store.openPath(folder.plant('evil.jsonl', header, ...entries))
  const { text } = await writeWhole(htmlWriter, evil)
  expect(text.match(/<title>(.*?)<\/title>/s)?.[1]).not.toMatch(/[<\n]/)
  await using session = await store.create({ cwd: '/p' })
  const message = { role: 'user', content: 'Which cache\nfits **best**?', timestamp: 1 }
  await session.append({ type: 'message', message })
  const named = await writeWhole(htmlWriter, session)
  expect(named.text).toContain('<title>Which cache fits')
})

test('K4 embedded JSON is the same value and holds nothing that a parser of HTML stops at', () => {
  const value = { text: `</script><!--&amp;\u2028\u2029${EVIL}`, __proto__: null }
  expect(JSON.parse(embedJson(value))).toEqual({ text: value.text })
  expect(embedJson(value)).not.toMatch(/[<>&\u2028\u2029]/)
})

test('K6 redacted unless told otherwise, and the page says that it is best effort', async () => {
  await using store = await openMemoryStore()
  await using session = await store.create({ cwd: '/p' })
  await session.append({ type: 'message', message: { role: 'user', content: 'MY_TOKEN=abcdefgh1' } })
  const { text, notes } = await writeWhole(htmlWriter, session)
  expect(text).not.toContain('abcdefgh1')
  expect(text).toContain('best effort')
  expect(notes).toMatchObject([{ kind: 'info', message: expect.stringContaining('best effort') }])
  expect((await writeWhole(htmlWriter, session, { redact: false })).text).toContain('abcdefgh1')
})

describe('in a real browser', () => {
  let browser: Browser | undefined
  beforeAll(async () => {
    browser = await startChromium()
  })
  afterAll(() => browser?.close())

  interface Opened extends AsyncDisposable {
    readonly page: Page
    /** Everything the page asked for beside itself, and every error in it. */
    readonly trouble: string[]
  }

  async function open(text: string, options: { readonly javaScriptEnabled?: boolean } = {}): Promise<Opened> {
    const folder = makeTempFolder()
    const url = pathToFileURL(folder.plant('page.html', text)).href
    const context = await browser!.newContext({ viewport: { width: 1280, height: 800 }, ...options })
    const page = await context.newPage()
    const trouble: string[] = []
    page.on('request', (request) => {
      if (request.url() !== url && !request.url().startsWith('data:')) trouble.push(`request ${request.url()}`)
    })
    page.on('pageerror', (error) => trouble.push(`error ${error.message}`))
    page.on('console', (message) => trouble.push(`console ${message.text()}`))
    page.on('dialog', (dialog) => {
      trouble.push('dialog')
      void dialog.dismiss()
    })
    await page.goto(url)
    // `goto` alone was not enough once, in one run of many: nothing of the conversation was found. The page's script says
    // that it has run.
    if (options.javaScriptEnabled !== false) await page.locator('html.live').waitFor({ state: 'attached' })
    const close = async () => {
      await context.close()
      folder[Symbol.dispose]()
    }
    return { page, trouble, [Symbol.asyncDispose]: close }
  }

  async function openRich(options: { readonly javaScriptEnabled?: boolean } = {}): Promise<Opened> {
    await using store = await openMemoryStore()
    await using session = await makeRichSession(store)
    return open((await writeWhole(htmlWriter, session)).text, options)
  }

  /** Waits for what is said: in one run of many nothing was found, although the page's script had run. */
  async function said(page: Page): Promise<string[]> {
    const articles = page.locator('#conversation article')
    await articles.first().waitFor({ state: 'attached' })
    return articles.allInnerTexts()
  }
  const row = (page: Page, words: string) => page.locator('.row', { hasText: words })

  test('K4 nothing of a hostile conversation runs, and nothing leaves the page', async ({ skip }) => {
    if (browser === undefined) skip('Chromium could not be started')
    using folder = makeTempFolder()
    await using store = await openFileStore({ home: folder.home })
    await using session = await store.openPath(folder.plant('evil.jsonl', ...evilLog()))
    await using opened = await open((await writeWhole(htmlWriter, session, { redact: false })).text)
    const { page, trouble } = opened
    await page.check('#open-tools')
    await page.check('#open-thinking')
    for (const words of await page.locator('.row .words').all()) await words.click()
    await page.fill('#search', '<script>')
    await page.locator('#found', { hasText: 'found' }).waitFor()
    expect((await said(page)).join('\n')).toContain('<img src=x onerror="window.pwned = 3">')
    const links = await page
      .locator('#conversation a')
      .evaluateAll((all) => all.map((one) => (one as unknown as InPage).getAttribute('href')))
    expect(links.every((href) => /^https?:/.test(href ?? ''))).toBe(true)
    expect(await page.locator('#conversation :is(script, iframe, svg, img, form, object)').count()).toBe(0)
    expect(await page.evaluate('window.pwned')).toBeUndefined()
    expect(trouble).toEqual([])
  })

  test('T43 the trunk is shown, and a click on another branch, a switcher or the stash shows that', async ({
    skip,
  }) => {
    if (browser === undefined) skip('Chromium could not be started')
    await using opened = await openRich()
    const { page, trouble } = opened
    expect((await said(page)).at(-1)).toContain('The south light is on now.')
    expect(await page.locator('article.muted').count()).toBe(2)
    expect(await page.locator('.row.muted').count()).toBe(2)
    expect(await row(page, 'Only the north').locator('.label').textContent()).toBe('the answer')
    await row(page, 'Switch the north light off').click()
    expect((await said(page)).at(-1)).toContain('The north light is off.')
    await page.getByLabel('Next branch').click()
    expect((await said(page)).at(-1)).toContain('Nothing was changed.')
    await row(page, 'What about the buoys?').click()
    expect(await page.locator('#conversation article').count()).toBe(2)
    expect((await said(page))[0]).toContain('pruned, in the stash')
    expect(trouble).toEqual([])
  })

  test('the tree is worked with the arrow keys, and / goes to the search', async ({ skip }) => {
    if (browser === undefined) skip('Chromium could not be started')
    await using opened = await openRich()
    const { page } = opened
    await page.keyboard.press('t')
    const rows = await page.locator('.row').count()
    await page.keyboard.press('Home')
    await page.keyboard.press('ArrowLeft')
    expect(await page.locator('.row').count()).toBe(rows - 3)
    await page.keyboard.press('ArrowRight')
    for (let i = 0; i < 4; i++) await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    expect((await said(page)).at(-1)).toContain('The north light is off.')
    await page.keyboard.press('/')
    await page.keyboard.type('buoys')
    await page.locator('#found', { hasText: '2 found' }).waitFor()
    expect(await page.locator('.row:not(.dim, .title)').count()).toBe(2)
    await page.keyboard.press('Enter')
    expect((await said(page)).join()).toContain('There are four buoys.')
    await page.keyboard.press('Escape')
    expect(await page.locator('.row.dim').count()).toBe(0)
    await page.fill('#search', 'south,no')
    await page.locator('#found', { hasText: '1 found' }).waitFor()
    await page.keyboard.press('Enter')
    expect(await page.locator('details.output[open] pre').textContent()).toContain('south,no')
  })

  test('tools and thinking are folded until they are opened', async ({ skip }) => {
    if (browser === undefined) skip('Chromium could not be started')
    await using opened = await openRich()
    const { page } = opened
    expect((await said(page)).join()).not.toContain('not a fence of ours\n')
    await page.locator('details.output').first().click()
    expect(await page.locator('details.output pre').textContent()).toContain('south,no')
    await page.check('#open-thinking')
    expect(await page.locator('details.thinking .inside').textContent()).toBe('The list of lights is in a file.')
    expect(await page.locator('#conversation img').getAttribute('src')).toMatch(/^data:image\/png;base64,/)
    expect(await page.locator('#conversation a').getAttribute('rel')).toContain('noopener')
    expect(await page.locator('pre[data-language=ts]').textContent()).toBe('const on = a < b')
  })

  test('an empty session is a page too, whatever is pressed', async ({ skip }) => {
    if (browser === undefined) skip('Chromium could not be started')
    await using store = await openMemoryStore()
    await using session = await store.create({ cwd: '/p' })
    await using opened = await open((await writeWhole(htmlWriter, session)).text)
    for (const key of ['j', 't', 'ArrowDown', 'ArrowRight', 'ArrowLeft', 'End', 'Enter', '/', 'x', 'Enter']) {
      await opened.page.keyboard.press(key)
    }
    expect(await opened.page.locator('#facts').textContent()).toContain('0 nodes')
    expect(opened.trouble).toEqual([])
  })

  test('without scripts the trunk can be read', async ({ skip }) => {
    if (browser === undefined) skip('Chromium could not be started')
    await using opened = await openRich({ javaScriptEnabled: false })
    const words = await opened.page.locator('main').textContent()
    expect(words).toContain('Only the **north** light is on.')
    expect(words).toContain('The south light is on now.')
    expect(words).not.toContain('cheese')
  })

  test('10,000 nodes, in one run and in as many forks, do not hold the page up', async ({ skip }) => {
    if (browser === undefined) skip('Chromium could not be started')
    await using store = await openMemoryStore()
    const entries = Array.from({ length: 10_000 }, (_, i) => ({
      type: 'message',
      id: `n${i}`,
      // A run of 5,000, then every node a fork of the one before: 2,500 branches deep.
      parentId: i === 0 ? null : i < 5000 || i % 2 === 1 ? `n${i - 1}` : `n${i - 2}`,
      timestamp: '2026-01-01T00:00:00.000Z',
      message: { role: i % 2 === 0 ? 'user' : 'assistant', content: [{ type: 'text', text: `word${i} `.repeat(12) }] },
    }))
    await using session = await store.create({ cwd: '/p', entries })
    const { text } = await writeWhole(htmlWriter, session)
    await using opened = await open(text)
    const { page, trouble } = opened
    expect(await page.evaluate('performance.now()')).toBeLessThan(3000)
    expect(await page.locator('.row').count()).toBeLessThan(100)
    const start = performance.now()
    await page.fill('#search', 'word4321')
    await page.locator('#found', { hasText: '1 found' }).waitFor()
    await page.keyboard.press('Enter')
    await page.locator('#node-4321', { hasText: 'word4321' }).waitFor()
    expect(
      await page.locator('#node-4321').evaluate((one) => (one as unknown as InPage).getBoundingClientRect().top),
    ).toBeLessThan(400)
    expect(performance.now() - start).toBeLessThan(5000)
    expect(trouble).toEqual([])
  })
})
