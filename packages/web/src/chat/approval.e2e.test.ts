import { routes } from '@treeline/protocol'
import { expect } from 'vitest'
import { startSite, webTest } from '../testing/browser.ts'
import { isAnswered, messageWith, say } from '../testing/chat-page.ts'

const site = startSite({ words: ['--tools'] })

/** One point. */
const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)

async function newChat(): Promise<string> {
  return (await site.call(routes.createSession, { body: { title: 'Tools' } })).sessionId
}

webTest('K5 a command runs when it was allowed in the chat, and does not when it was not', async () => {
  const { page, shoot } = await site.open(`/s/${await newChat()}`)
  await say(page, 'run "echo allowed-$((40 + 2))"')
  await page.getByRole('button', { name: 'Once', exact: true }).waitFor()
  await shoot('approval')
  await page.getByRole('button', { name: 'Once', exact: true }).click()
  await messageWith(page, 'allowed-42').first().waitFor()
  await isAnswered(page)
  await say(page, 'run "echo denied-$((40 + 2))"')
  await page.getByRole('button', { name: 'Deny' }).click()
  await page.getByText('The user denied this call.').waitFor()
  expect(await page.getByText('denied-42').count()).toBe(0)
})

webTest('pictures and files go with a question', async () => {
  const { page, shoot } = await site.open(`/s/${await newChat()}`)
  // Until the chat is there, the only place for a file is the one that imports it.
  await page.getByRole('button', { name: 'Send' }).waitFor()
  await page
    .locator('input[type=file]')
    .last()
    .setInputFiles([
      { name: 'dot.png', mimeType: 'image/png', buffer: PNG },
      { name: 'notes.md', mimeType: 'text/markdown', buffer: Buffer.from('# Notes\n\nOf mine.\n') },
    ])
  await page.getByText('notes.md').waitFor()
  await say(page, 'What is in these?')
  await isAnswered(page)
  const asked = messageWith(page, 'What is in these?').first()
  await asked.getByRole('img').first().waitFor()
  await asked.getByText('notes.md').click()
  await asked.getByText('Of mine.').waitFor()
  await shoot('attachments')
})
