import { expect, test } from 'vitest'
import { openProgram } from './terminal.ts'

const shell = (script: string, options = {}) => openProgram('/bin/sh', ['-c', script], options)

test('the screen is what a person would see, and the exit code what the shell would', async () => {
  const terminal = shell(`printf 'one\\ntwo\\rTWO\\n\\033[31mred\\033[0m  \\n'; exit 7`)
  expect(await terminal.exit()).toBe(7)
  expect(terminal.screen().slice(0, 4)).toEqual(['one', 'TWO', 'red', ''])
  expect(terminal.screen()).toHaveLength(24)
})

test('rows that have left the screen are in the scrollback', async () => {
  const terminal = shell('for i in 1 2 3 4 5 6; do echo line $i; done; read x', { rows: 4 })
  await terminal.waitFor('line 6')
  expect(terminal.scrollback()).toEqual(['line 1', 'line 2', 'line 3'])
  expect(terminal.screen()).toEqual(['line 4', 'line 5', 'line 6', ''])
})

test('typed text and named keys arrive as bytes', async () => {
  const terminal = shell('stty raw -echo; echo ready; dd bs=1 count=12 2>/dev/null | od -An -tx1 -w12')
  await terminal.waitFor('ready')
  await terminal.type('é!')
  await terminal.press('enter', 'esc', 'up', 'backspace', 'tab', 'ctrl+u', 'y')
  await terminal.waitFor('c3 a9 21 0d 1b 1b 5b 41 7f 09 15 79')
})

test('a paste is bracketed when the program asks for it', async () => {
  const terminal = shell(`stty raw -echo; printf '\\033[?2004hready'; dd bs=1 count=15 2>/dev/null | od -An -c -w15`)
  await terminal.waitFor('ready')
  await terminal.paste('a\nb')
  await terminal.waitFor(/033 +\[ +2 +0 +0 +~ +a +\\r +b +033 +\[ +2 +0 +1 +~/)
})

test('the program is told of a new size', async () => {
  const terminal = shell(`trap 'stty size' WINCH; stty size; while :; do read x; done`)
  await terminal.waitFor('24 80')
  terminal.resize(40, 10)
  await terminal.waitFor('10 40')
  expect(terminal.screen()).toHaveLength(10)
})

test('what reaches the terminal besides text is spied on', async () => {
  const terminal = shell(
    `printf '\\033]52;c;aGk=\\007\\033]8;;http://x\\033\\\\link\\033]8;;\\033\\\\ \\033]0;title\\007\\007'; exit 0`,
  )
  await terminal.exit()
  expect(terminal.spied).toEqual({ clipboard: ['c;aGk='], links: [';http://x', ';'], titles: ['title'], bells: 1 })
  expect(terminal.screen()[0]).toBe('link')
})

test('waiting in vain shows the screen, and so does a program that has ended', async () => {
  const terminal = shell('echo here I am; read x')
  await terminal.waitFor('here')
  await expect(terminal.waitFor('never', 50)).rejects.toThrow(
    /50 ms passed before never was seen:\n\+-+\+\n\|here I am/,
  )
  await terminal.press('enter')
  await terminal.exit()
  await expect(terminal.waitFor((screen) => screen.length === 0)).rejects.toThrow(/The program ended/)
})

test('a frame that is to be shown at once is not looked at before its end', async () => {
  const half = `printf '\\033[H\\033[2K\\033[?2026hhalf'`
  const terminal = shell(
    `stty -echo; printf ready; read x; ${half}; read x; printf '\\r\\033[2Kwhole\\033[?2026l'; read x`,
  )
  await terminal.waitFor('ready')
  const seen: string[] = []
  const done = terminal.waitFor(([row = '']) => {
    seen.push(row)
    return row === 'whole'
  })
  await terminal.press('enter', 'enter')
  await done
  expect(seen.filter((row) => row.includes('half'))).toEqual([])
})

test('kill ends it at once', async () => {
  const terminal = shell('echo ready; while :; do read x; done')
  await terminal.waitFor('ready')
  await terminal.kill()
  expect(await terminal.exit()).toBe(128 + 9)
})
