import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { routes } from '@treeline/protocol'
import { expect, onTestFinished } from 'vitest'
import { startSite, webTest } from '../testing/browser.ts'
import { box, isAnswered, messageWith, say } from '../testing/chat-page.ts'
import { said, seed, TWO_BRANCHES } from '../testing/seed.ts'
import { choose } from '../testing/views.ts'

const site = startSite()

const titleOf = async (sessionId: string): Promise<string> =>
  (await site.call(routes.getSession, { params: { sessionId } })).title

webTest(
  'a new chat from the first page on: begun, asked, named, pinned, tagged, thrown away and brought back',
  async () => {
    const { page, shoot } = await site.open('/')
    await page.getByRole('button', { name: 'New chat' }).first().click()
    await page.getByRole('heading', { name: 'Ask something' }).waitFor()
    await shoot('empty-chat')
    // Who begins a chat can type at once.
    await box(page).and(page.locator(':focus')).waitFor()
    await say(page, 'Where do swallows go in winter?')
    await isAnswered(page)
    const id = new URL(page.url()).pathname.split('/')[2]!
    const list = page.getByRole('complementary', { name: 'Conversations' })
    await list
      .getByRole('button', { name: /swallows/i })
      .first()
      .waitFor()

    await choose(page, 'Rename')
    await page.getByRole('textbox', { name: 'Name' }).fill('Birds')
    await page.keyboard.press('Enter')
    await list.getByRole('button', { name: /^Birds/ }).waitFor()
    expect(await titleOf(id)).toBe('Birds')

    await choose(page, 'Pin to the top')
    await list.getByRole('button', { name: /^Pinned.*Birds/ }).waitFor()
    await choose(page, 'Tags…')
    await page.getByRole('textbox', { name: 'New tag' }).fill('nature')
    await page.keyboard.press('Enter')
    await page.keyboard.press('Escape')
    await list.getByRole('button', { name: /Birds.*nature/ }).waitFor()
    await choose(page, 'Unpin')
    await list.getByRole('button', { name: /^Birds/ }).waitFor()
    await choose(page, 'Move to the trash')
    await list.getByRole('button', { name: /Birds/ }).first().waitFor({ state: 'detached' })

    await page.getByText('“Birds” is in the trash.').waitFor()
    await page.getByRole('button', { name: 'Dismiss' }).click()
    await list.getByRole('button', { name: 'Trash' }).click()
    await shoot('trash')
    await page.getByRole('dialog', { name: 'Trash' }).getByRole('button', { name: 'Restore “Birds”' }).click()
    await messageWith(page, 'Where do swallows go in winter?').first().waitFor()
    await list.getByRole('button', { name: /^Birds.*nature/ }).waitFor()
    await choose(page, 'Move to the trash')
    await page.getByRole('heading', { name: 'Every conversation is a tree.' }).waitFor()
    await page.getByText('“Birds” is in the trash.').waitFor()
    await page.getByRole('button', { name: 'Undo' }).last().click()
    await page.getByRole('heading', { name: 'Birds' }).waitFor()
    expect(await titleOf(id)).toBe('Birds')
  },
)

webTest('a search over all conversations lands on the message', async () => {
  const long = Array.from({ length: 60 }, (_, i) =>
    said(
      `m${i}`,
      i === 0 ? null : `m${i - 1}`,
      i % 2 === 0 ? 'user' : 'assistant',
      i === 7 ? 'A rare quokka.' : `Message ${i}`,
    ),
  )
  const id = await seed(site.call, long, { title: 'Animals' })
  const { page, shoot } = await site.open('/')
  await page.getByRole('searchbox', { name: 'Search all conversations' }).fill('quokka')
  const hit = page.getByRole('button', { name: /rare quokka/ })
  await hit.waitFor()
  await shoot('search')
  await hit.click()
  await messageWith(page, 'A rare quokka.').waitFor()
  expect(new URL(page.url()).pathname).toBe(`/s/${id}`)
})

webTest('a file of another tool is taken in with every branch, and its final version goes out again', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'treeline-import-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const file = join(folder, 'a <img src=x onerror=alert(1)> name.jsonl')
  const head = { type: 'session', version: 3, id: 'imported-by-hand', timestamp: '2026-01-02T03:04:05.000Z', cwd: '/p' }
  writeFileSync(file, [head, ...TWO_BRANCHES].map((line) => `${JSON.stringify(line)}\n`).join(''))
  const { page, shoot } = await site.open('/')
  const dropped = await page.evaluateHandle(
    (text) => {
      const transfer = new DataTransfer()
      transfer.items.add(new File([text], 'dropped.jsonl'))
      return transfer
    },
    readFileSync(file, 'utf8').replace('imported-by-hand', 'dropped-by-hand'),
  )
  await page.dispatchEvent('main', 'dragover', { dataTransfer: dropped })
  await page.getByText('Drop it here to import the conversation').waitFor()
  await page.dispatchEvent('main', 'drop', { dataTransfer: dropped })
  await page.getByRole('list', { name: 'Imported files' }).getByText('dropped.jsonl').waitFor()
  await page.getByRole('list', { name: 'Imported files' }).getByRole('button', { name: 'Open' }).click()
  await messageWith(page, 'least often').waitFor()
  await page.goto(site.url)

  const choosing = page.waitForEvent('filechooser')
  await page.getByRole('button', { name: 'Import a conversation from a file' }).last().click()
  await (await choosing).setFiles(file)
  const tray = page.getByRole('list', { name: 'Imported files' })
  await tray.getByText('a <img src=x onerror=alert(1)> name.jsonl').waitFor()
  await tray.getByRole('button', { name: 'Open' }).click()
  await messageWith(page, 'least often').waitFor()
  await shoot('imported')

  await choose(page, 'Export…')
  const downloading = page.waitForEvent('download')
  await page.getByRole('dialog').getByRole('link', { name: 'Download' }).click()
  const exported = await (await downloading).createReadStream()
  const text = (await exported.toArray()).join('')
  expect(text).toContain('least')
  expect(text).not.toContain('longest')
})

webTest('the page speaks Chinese, and remembers it', async () => {
  const { page, shoot } = await site.open('/')
  await page.getByRole('button', { name: 'Settings' }).click()
  await page.getByRole('menuitemradio', { name: '简体中文' }).click()
  await page.getByRole('complementary', { name: '对话' }).waitFor()
  expect(await page.locator('html').getAttribute('lang')).toMatch(/^zh/)
  await page.reload()
  await page.getByRole('complementary', { name: '对话' }).waitFor()
  await shoot('start-chinese')
})

webTest('what the server refuses is explained in the language of the page', async () => {
  const tab = await site.open('/s/no-such-session', { locale: 'zh-CN' })
  tab.allow(/status of 404/)
  await tab.page.getByText('该对话已不存在，或者地址有误。').waitFor()
  await tab.page.getByRole('heading', { name: '无法打开' }).waitFor()
})

webTest('a file that cannot be read is told of where the list is out of sight', async () => {
  const tab = await site.open('/', { viewport: { width: 390, height: 844 } })
  tab.allow(/status of 422/)
  const choosing = tab.page.waitForEvent('filechooser')
  await tab.page.getByRole('button', { name: 'Import a conversation from a file' }).last().click()
  await (await choosing).setFiles({ name: 'broken.jsonl', mimeType: 'text/plain', buffer: Buffer.from('{"x":1}') })
  const notice = tab.page.locator('.notice-problem')
  await notice.getByText('broken.jsonl: This does not look like a conversation that can be read.').waitFor()
  await notice.getByText('does not look like a session').waitFor()
})
