// Treeline's page as people have it: the built program serves, a real Chromium shows.
import type { Page } from 'playwright-core'
import { median } from '../../statistics.ts'
import { openSite } from '../browser.ts'
import { type Action, type Job, prepared } from '../job.ts'
import { runChild } from '../run-child.ts'
import { driveFrames, frameFacts } from './drive-frames.ts'
import { begin, typeLetters } from './type-in-chat.ts'

const STAGE = '[role="application"]'
/** Says where one is, and so that there is a layout. */
const WORDS = `${STAGE} [aria-live]`
const FETCHES = 5

/** Facts: frames, medianMs, p95Ms, the nodes of the tree, and whether the picture has anything on it. */
const frame: Action = async (job) => {
  const { page, served, close } = await openTree(job)
  await page.goto(treeUrl(served.url, job))
  await page.locator(WORDS).filter({ hasText: /./ }).waitFor({ state: 'attached', timeout: 60_000 })
  await page.getByRole('button', { name: 'Unfold all branches' }).click()
  return prepared(
    () => driveFrames(page, STAGE),
    async (frames) => {
      const { nodes } = await fetchColumns(page, job)
      const isDrawn = await page.locator(`${STAGE} canvas`).first().evaluate(hasPicture)
      await close()
      return { ...frameFacts(frames), nodes, isDrawn: String(isDrawn) }
    },
  )
}

/** Facts: the nodes, pictureMs from going there to the first frame that shows the tree, and what its transfer alone takes. */
const open: Action = async (job) => {
  const { page, served, close } = await openTree(job)
  await page.addInitScript((selector) => {
    const look = (): void => {
      if ((document.querySelector(selector)?.textContent ?? '') === '') requestAnimationFrame(look)
      else requestAnimationFrame(() => setTimeout(() => Object.assign(globalThis, { pictureMs: performance.now() })))
    }
    look()
  }, WORDS)
  return prepared(
    async () => {
      await page.goto(treeUrl(served.url, job))
      await page.waitForFunction(() => 'pictureMs' in globalThis, undefined, { timeout: 60_000 })
    },
    async () => {
      const pictureMs = await page.evaluate(() => (globalThis as unknown as { pictureMs: number }).pictureMs)
      const { nodes, bytes, fetchMs } = await fetchColumns(page, job)
      await close()
      return { nodes, bytes, fetchMs, pictureMs }
    },
  )
}

/** Facts: keys, p50Ms, p95Ms, and how many answers were being written all the time. */
const typing: Action = async ({ home, web }) => {
  const { program, streams = 0 } = web!
  const { page, served, close } = await openSite(program, home)
  const sessionId = await begin(page, streams)
  await page.goto(`${served.url}/s/${sessionId}`)
  await page.getByRole('article').last().waitFor()
  return prepared(
    () => typeLetters(page),
    async (times) => {
      const running = await page.evaluate(
        async (id) => ((await (await fetch(`/api/chat/${id}/generations`)).json()) as readonly unknown[]).length,
        sessionId,
      )
      await close()
      const sorted = [...times].sort((a, b) => a - b)
      const p95Ms = sorted[Math.floor(sorted.length * 0.95)]!
      return { keys: times.length, p50Ms: median(times), p95Ms, running }
    },
  )
}

/** The first one who asks waits until a session is open: that is another row. */
async function openTree(job: Job): ReturnType<typeof openSite> {
  const site = await openSite(job.web!.program, job.home)
  await fetchColumns(site.page, job)
  return site
}

function treeUrl(origin: string, { sessionId }: Job): string {
  return `${origin}/s/${sessionId}?view=tree`
}

async function fetchColumns(page: Page, { sessionId }: Job) {
  const path = `/api/chat/${sessionId}/tree?view=columns`
  const fetched = await page.evaluate(
    async ([url, count]) => {
      const times: number[] = []
      let text = ''
      for (let i = 0; i < count; i++) {
        const start = performance.now()
        text = await (await fetch(url)).text()
        times.push(performance.now() - start)
      }
      return { times, bytes: text.length, nodes: JSON.parse(text).columns.ids.split(' ').length as number }
    },
    [path, FETCHES] as const,
  )
  return { nodes: fetched.nodes, bytes: fetched.bytes, fetchMs: median(fetched.times) }
}

function hasPicture(canvas: HTMLCanvasElement | SVGElement | HTMLElement): boolean {
  const { width, height } = canvas as HTMLCanvasElement
  const { data } = (canvas as HTMLCanvasElement).getContext('2d')!.getImageData(0, 0, width, height)
  const pixels = new Uint32Array(data.buffer)
  return pixels.some((pixel) => pixel !== pixels[0])
}

await runChild({ frame, open, typing })
