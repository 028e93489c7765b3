import { expect, onTestFinished, test } from 'vitest'
import { BoxKind } from './boxes.ts'
import { addNodes, createForest } from './forest.ts'
import { boxesIn } from './hit.ts'
import { type Layout, layOut } from './lay-out.ts'
import { createLayoutClient, type LayoutPort } from './layout-client.ts'
import { createLayoutWorker } from './layout-worker.ts'
import { buffersOf, type LayoutAnswer, type LayoutRequest } from './messages.ts'
import { agentParents, chance, findTooNear } from './testing/trees.ts'
import { placesOf, VIEW } from './testing/views.ts'

interface Shown {
  readonly layout: Layout
  readonly revision: number
}

/** A page and a worker with a real channel between them: messages are cloned and buffers change hands. */
function openChannel() {
  const { port1, port2 } = new MessageChannel()
  onTestFinished(() => port1.close())
  const answers: LayoutAnswer[] = []
  const take = createLayoutWorker({
    post: (answer) => {
      answers.push(answer)
      port2.postMessage(answer, buffersOf(answer))
    },
    later: (run) => void setImmediate(run),
  })
  port2.onmessage = ({ data }) => take(data)
  const shown: Shown[] = []
  const waiting: { readonly revision: number; readonly resolve: (layout: Layout) => void }[] = []
  const { promise: behind, resolve: onBehind } = Promise.withResolvers<void>()
  const client = createLayoutClient({
    port: port1,
    onLayout: (layout, revision) => {
      shown.push({ layout, revision })
      for (const wait of waiting) if (wait.revision <= revision) wait.resolve(layout)
    },
    onBehind,
  })
  port1.start()
  const layoutOf = (revision: number) => new Promise<Layout>((resolve) => waiting.push({ revision, resolve }))
  return { client, shown, answers, layoutOf, behind }
}

test('a tree, what is added to it, a new leaf and flags come back as one layout each time', async () => {
  const { client, layoutOf } = openChannel()
  const first = await layoutOf(client.send({ tree: placesOf([-1, 0, 1], 2), view: VIEW }))
  expect([...first.boxes.first]).toEqual([0, 1, 2])
  const added = { from: 3, parent: Int32Array.of(2, 1), flags: new Uint8Array(2) }
  const second = await layoutOf(client.send({ added, leaf: 3 }))
  expect([...second.boxes.first]).toEqual([0, 1, 2, 3, 4])
  expect(boxesIn(second.index, { left: 13, top: 0, right: 23, bottom: 100 })).toEqual([4])
  const changed = { places: Int32Array.of(4), flags: Uint8Array.of(1) }
  expect((await layoutOf(client.send({ changed }))).boxes.flags[4]).toBe(1)
})

test('what is sent twice is taken once', async () => {
  const { client, layoutOf } = openChannel()
  client.send({ tree: placesOf([-1, 0], 1), view: VIEW })
  client.send({ added: { from: 2, parent: Int32Array.of(1), flags: new Uint8Array(1) } })
  const again = client.send({ added: { from: 2, parent: Int32Array.of(1, 2), flags: new Uint8Array(2) } })
  expect([...(await layoutOf(again)).boxes.first]).toEqual([0, 1, 2, 3])
})

test('a burst of nodes is one layout, and the last one shown is of all of them', async () => {
  const { client, shown, layoutOf } = openChannel()
  let last = client.send({ tree: placesOf([-1], 0), view: VIEW })
  for (let i = 1; i <= 200; i++) {
    last = client.send({ added: { from: i, parent: Int32Array.of(i - 1), flags: new Uint8Array(1) }, leaf: i })
  }
  const { boxes } = await layoutOf(last)
  expect([...boxes.nodes]).toEqual([1, 199, 1])
  expect(shown.length).toBeLessThan(20)
})

test('answers are handed over, not copied; what was sent stays', async () => {
  const tree = placesOf([-1, 0], 1)
  const { client, layoutOf, answers } = openChannel()
  await layoutOf(client.send({ tree, view: VIEW }))
  expect(tree.parent).toHaveLength(2)
  const [answer] = answers
  expect(answer?.type === 'layout' && answer.layout.index.rects.x.byteLength).toBe(0)
})

test('a worker that missed nodes says so and draws nothing wrong', async () => {
  const { client, layoutOf, behind, shown } = openChannel()
  await layoutOf(client.send({ tree: placesOf([-1], 0), view: VIEW }))
  client.send({ added: { from: 5, parent: Int32Array.of(4), flags: new Uint8Array(1) } })
  await behind
  const mended = await layoutOf(client.send({ tree: placesOf([-1, 0, 1, 2, 3, 4], 5) }))
  expect([...mended.boxes.first]).toEqual([0, 1, 5])
  expect(shown).toHaveLength(2)
})

test('a layout of a tree that was replaced is dropped, and so is one older than what is shown', () => {
  const posted: LayoutRequest[] = []
  const shown: number[] = []
  let listen: (event: { readonly data: LayoutAnswer }) => void = () => undefined
  const port: LayoutPort = {
    addEventListener: (_, listener) => {
      listen = listener
    },
    postMessage: (request) => void posted.push(request),
  }
  const { send } = createLayoutClient({
    port,
    onLayout: (_, revision) => void shown.push(revision),
    onBehind: () => void shown.push(-1),
  })
  const layout = layOut(createForest(placesOf([-1], 0)), VIEW)
  const answer = (revision: number) => listen({ data: { type: 'layout', revision, layout } })
  send({ tree: placesOf([-1], 0), view: VIEW })
  send({ leaf: 0 })
  send({ tree: placesOf([-1], 0) })
  send({ leaf: 0 })
  listen({ data: { type: 'behind', revision: 2 } })
  for (const revision of [1, 2, 3, 3, 4, 3]) answer(revision)
  expect(posted.map(({ revision }) => revision)).toEqual([1, 2, 3, 4])
  expect(shown).toEqual([3, 4])
})

test('the worker’s own file answers what it is sent', async () => {
  const scope = globalThis as unknown as {
    onmessage?: (event: { data: LayoutRequest }) => void
    postMessage?: (answer: LayoutAnswer, transfer: ArrayBuffer[]) => void
  }
  onTestFinished(() => {
    delete scope.onmessage
    delete scope.postMessage
  })
  const answered = new Promise<LayoutAnswer>((resolve) => {
    scope.postMessage = (answer, transfer) => resolve(structuredClone(answer, { transfer }))
  })
  await import('./layout.worker.ts')
  scope.onmessage!({ data: { revision: 7, tree: placesOf([-1, 0], 1), view: VIEW } })
  expect(await answered).toMatchObject({ type: 'layout', revision: 7 })
})

test('measured nodes get their room, segments and nonsense do not', () => {
  const measured = {
    places: Int32Array.of(0, 2, 5, 99),
    width: Float64Array.of(40, 40, Number.NaN, 40),
    height: Float64Array.of(33, 33, 1e9, 33),
  }
  const { index, boxes } = layOut(createForest(placesOf([-1, 0, 1, 2, 3, 4], 5)), { ...VIEW, measured })
  expect(boxes.kind[1]).toBe(BoxKind.segment)
  expect([...index.rects.width]).toEqual([40, 10, 10])
  expect([...index.rects.height]).toEqual([33, 15, 10])
  expect([...index.rects.y]).toEqual([0, 35, 52])
})

test('the line on which branches hang is found where both of its ends are out of sight', () => {
  const parents = [-1, ...Array.from({ length: 50 }, () => 0)]
  const { fans } = layOut(createForest(placesOf(parents, 1)), { ...VIEW, maxFolded: 100 })
  expect([[...fans.owner], [...fans.last]]).toEqual([[0], [50]])
  expect(boxesIn(fans.index, { left: 300, top: 0, right: 310, bottom: 11 })).toEqual([0])
  expect(boxesIn(fans.index, { left: 300, top: 14, right: 310, bottom: 20 })).toEqual([])
})

test('in a long conversation, all of it open, a new leaf moves a node in twenty at most, on average, and none up or down', () => {
  const count = 3_000
  const view = { ...VIEW, shown: new Uint8Array(count + 1).fill(1) }
  const open = () => createForest(placesOf(agentParents(count), count - 1))
  const before = layOut(open(), view)
  const random = chance(3)
  const tries = 100
  let aside = 0
  let upOrDown = 0
  for (let i = 0; i < tries; i++) {
    const forest = open()
    addNodes(forest, { parent: Int32Array.of(Math.floor(random() * count)), flags: Uint8Array.of(0) })
    const { boxes, index } = layOut(forest, view)
    for (let place = 0; place < count; place++) {
      const was = before.boxes.boxOf[place]!
      const is = boxes.boxOf[place]!
      if (index.rects.y[is] !== before.index.rects.y[was]) upOrDown++
      if (index.rects.x[is] !== before.index.rects.x[was]) aside++
    }
  }
  expect(upOrDown).toBe(0)
  expect(aside / tries / count).toBeLessThan(0.05)
})

test('a conversation that goes on moves nothing that stood', () => {
  const forest = createForest(placesOf(agentParents(2_000), 1_999))
  const before = layOut(forest, VIEW)
  addNodes(forest, { parent: Int32Array.of(1_999), flags: Uint8Array.of(0) })
  forest.leaf++
  const after = layOut(forest, VIEW)
  expect(findTooNear(after.index.rects, VIEW.gaps.beside, VIEW.gaps.below)).toEqual([])
  const { first } = before.boxes
  for (let box = 0; box < first.length; box++) {
    if (first[box] === 1_999) continue
    const now = after.boxes.boxOf[first[box]!]!
    expect([after.index.rects.x[now], after.index.rects.y[now]]).toEqual([
      before.index.rects.x[box],
      before.index.rects.y[box],
    ])
  }
})
