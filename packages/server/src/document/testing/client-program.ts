/** What somebody would write against the types that are generated from our document: `api.ts` beside it. */
export const CLIENT_PROGRAM = `
import createClient from 'openapi-fetch'
import type { paths } from './api.ts'

const [, , baseUrl = '', token = ''] = process.argv
const client = createClient<paths>({ baseUrl, headers: { authorization: 'Bearer ' + token } })

const created = await client.POST('/api/chat/sessions', { body: { title: 'Generated' } })
if (created.error) throw new Error(created.error.detail)
const { sessionId } = created.data
const path = { sessionId }

const sent = await client.POST('/api/chat/{sessionId}/message', {
  params: { path },
  body: { parentId: null, content: 'Said by a generated client', nodeId: 'q1', generate: false },
})
if (sent.error) throw new Error(sent.error.detail)
const { node } = sent.data

const edited = await client.PUT('/api/chat/{sessionId}/tree/edit', {
  params: { path },
  body: { operations: [{ op: 'setEnabled', nodeIds: [node.id], isEnabled: false }] },
})
const isEnabled = async (): Promise<boolean> => {
  const one = await client.GET('/api/chat/{sessionId}/node/{nodeId}', { params: { path: { sessionId, nodeId: 'q1' } } })
  if (one.error) throw new Error(one.error.detail)
  return one.data.isEnabled
}
const muted = await isEnabled()
const undone = await client.POST('/api/chat/{sessionId}/undo', { params: { path }, body: {} })
const tree = await client.GET('/api/chat/{sessionId}/tree', { params: { path, query: { view: 'trunk', limit: 10 } } })
const read = typeof tree.data === 'object' && 'items' in tree.data ? tree.data : undefined
const trunk = read?.items.map((item) => item.node.content)
const refused = await client.PUT('/api/chat/{sessionId}/node/{nodeId}/state', {
  params: { path: { sessionId, nodeId: 'nobody' } },
  body: { isEnabled: false },
})

async function wrong(): Promise<void> {
  // @ts-expect-error No text.
  await client.POST('/api/chat/{sessionId}/message', { params: { path }, body: { parentId: null, content: 42 } })
  // @ts-expect-error No such operation.
  await client.PUT('/api/chat/{sessionId}/tree/edit', { params: { path }, body: { operations: [{ op: 'burn' }] } })
  // @ts-expect-error No such path.
  await client.GET('/api/chat/{sessionId}/leaves', { params: { path } })
  // @ts-expect-error No such view.
  await client.GET('/api/chat/{sessionId}/tree', { params: { path, query: { view: 'all' } } })
}
void wrong

console.log(
  JSON.stringify({
    statuses: [created, sent, edited, undone, tree, refused].map((one) => one.response.status),
    enabled: [muted, await isEnabled()],
    opIds: [typeof edited.data?.opId, typeof undone.data?.opId],
    trunk,
    code: refused.error?.code,
  }),
)
`
