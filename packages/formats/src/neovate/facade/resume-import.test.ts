import { appendFileSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { makeTempFolder, toText } from '../../testing/temp-folder.ts'
import { message } from '../testing/round-trip.ts'
import { History } from './history.ts'
import { JsonlLogger } from './jsonl-logger.ts'
import { loadSessionMessages } from './load-session-messages.ts'
import { Session } from './session.ts'

test("X33 what was said to a file of Neovate's is there, and gone on from, when a program starts again", async () => {
  using folder = makeTempFolder()
  const { home } = folder
  const file = folder.plant('6a7f9b2c.jsonl', message('a', null), message('b', 'a'))
  const before = readFileSync(file, 'utf8')
  const uuids = ['a', 'b']
  for (const text of ['one', 'two']) {
    const { history } = await Session.resume({ id: '6a7f9b2c', logPath: file, home })
    expect(history.messages.map(({ uuid }) => uuid)).toEqual(uuids)
    await using logger = new JsonlLogger({ filePath: file, home })
    expect(await logger.getLatestUuid()).toBe(uuids.at(-1))
    const going = new History({ messages: history.messages, onMessage: (said) => logger.addMessage({ message: said }) })
    uuids.push((await going.addMessage({ role: 'user', content: text })).uuid)
  }
  {
    await using logger = new JsonlLogger({ filePath: file, home })
    const { parentUuid, uuid } = await logger.addUserMessage('three', '6a7f9b2c')
    expect(parentUuid).toBe(uuids.at(-1))
    uuids.push(uuid)
  }
  // What Neovate itself wrote meanwhile is a branch beside it.
  appendFileSync(file, toText([message('c', 'b')]))
  const said = await loadSessionMessages({ logPath: file, home })
  expect(said.map(({ uuid }) => uuid)).toEqual(uuids)
  expect(readFileSync(file, 'utf8')).toBe(before + toText([message('c', 'b')]))
})
