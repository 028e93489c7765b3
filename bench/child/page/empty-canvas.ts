// A page with a canvas as large as the window, which is cleared with every turn of the wheel and on which nothing is drawn.
import { openBrowser, VIEWPORT } from '../browser.ts'
import { type Action, prepared } from '../job.ts'
import { runChild } from '../run-child.ts'
import { driveFrames, frameFacts } from './drive-frames.ts'

const frame: Action = async () => {
  const { page, close } = await openBrowser()
  await page.setContent('<style>body{margin:0}canvas{display:block}</style><canvas></canvas>')
  await page.evaluate(({ width, height }) => {
    const canvas = document.querySelector('canvas')!
    Object.assign(canvas, { width, height })
    const context = canvas.getContext('2d')!
    let [x, y, scale, isAsked] = [0, 0, 1, false]
    const draw = (): void => {
      isAsked = false
      context.setTransform(1, 0, 0, 1, 0, 0)
      context.clearRect(0, 0, width, height)
      context.setTransform(scale, 0, 0, scale, -x * scale, -y * scale)
    }
    canvas.addEventListener('wheel', (event) => {
      event.preventDefault()
      if (event.ctrlKey) scale *= 2 ** (-event.deltaY / 100)
      else [x, y] = [x + event.deltaX, y + event.deltaY]
      if (!isAsked) requestAnimationFrame(draw)
      isAsked = true
    })
  }, VIEWPORT)
  return prepared(
    () => driveFrames(page, 'canvas'),
    async (frames) => {
      await close()
      return frameFacts(frames)
    },
  )
}

await runChild({ frame })
