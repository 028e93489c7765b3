import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { catalogue } from './catalogue.ts'
import { unpaint } from './output/style.ts'
import { widthOf } from './output/table.ts'
import { callTreeline } from './testing/call-treeline.ts'
import { runTreeline } from './testing/run-treeline.ts'

test('the version is that of the package', async () => {
  const stated = JSON.parse(readFileSync(join(import.meta.dirname, '../package.json'), 'utf8')).version
  expect((await runTreeline(['--version'])).stdout).toBe(`${stated}\n`)
  expect((await callTreeline(['-V', '--json'])).json()).toEqual({ version: stated })
})

test.each(Object.entries(catalogue))('the help of %s has an example and fits 80 columns', async (name, { load }) => {
  const { command } = await load()
  expect(command.examples.length).toBeGreaterThan(0)
  expect(command.examples.some(([line]) => line.includes(`treeline ${name}`))).toBe(true)
  const { stdout, code } = await callTreeline([name, '--help'])
  expect(code).toBe(0)
  expect(stdout).toContain(`Usage: treeline ${name}`)
  const isExample = (line: string) => command.examples.some((example) => example.some((text) => line.includes(text)))
  for (const line of stdout.split('\n'))
    if (!isExample(line)) expect(widthOf(unpaint(line)), line).toBeLessThanOrEqual(80)
  const described = (await callTreeline([name, '--help', '--json'])).json()
  expect(described).toMatchObject({ name, examples: command.examples })
})

test('without a command all are listed', async () => {
  const plain = await callTreeline([])
  const asked = await callTreeline(['--help'])
  expect(plain.stdout).toBe(asked.stdout)
  for (const name of Object.keys(catalogue)) expect(plain.stdout).toContain(`  ${name} `)
  expect((await callTreeline(['--json'])).json().commands).toHaveLength(Object.keys(catalogue).length)
  expect((await callTreeline(['help', 'tree'])).stdout).toBe((await callTreeline(['tree', '--help'])).stdout)
})

test('R2 a mistyped command or option is answered with the one that is meant', async () => {
  const command = await callTreeline(['serach', 'x'])
  expect(command).toMatchObject({
    code: 2,
    stderr: 'treeline: There is no command "serach". Did you mean `treeline search`?\n',
  })
  const help = await callTreeline(['help', 'brnaches'])
  expect(help.stderr).toContain('Did you mean `treeline branches`?')
  const option = await callTreeline(['ls', '--al'])
  expect(option).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('There is no option --al; did you mean --all?'),
  })
  const proto = await callTreeline(['__proto__'])
  expect(proto.code).toBe(2)
  const global = await callTreeline(['--vresion'])
  expect(global.stderr).toContain('did you mean --version?')
})

test('a mistake is told as JSON when JSON was asked for, on the error stream', async () => {
  const ran = await callTreeline(['tree', 'no\u001b[31msuch', '--json'])
  expect(ran.code).toBe(3)
  expect(ran.stdout).toBe('')
  expect(ran.stderr).not.toContain('\u001b')
  expect(JSON.parse(ran.stderr).error).toMatchObject({ code: 'session_not_found', message: expect.any(String) })
})

test('options of all commands may stand before the command', async () => {
  const ran = await callTreeline(['--json', '--color', 'never', 'restore'])
  expect(ran.json()).toEqual({ items: [] })
})

test('Ctrl+C ends with 130', async () => {
  const ran = await callTreeline(['gc'], { signal: AbortSignal.abort() })
  expect(ran).toMatchObject({ code: 130, stderr: 'Stopped.\n' })
})
