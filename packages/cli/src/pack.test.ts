import { execFile } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { tempFolder } from './testing/run-treeline.ts'

const run = promisify(execFile)
const NPM_FLAGS = ['--offline', '--no-audit', '--no-fund', '--ignore-scripts', '--loglevel=error']

test('npm pack gives one installable treeline that works in an empty project', { timeout: 60_000 }, async () => {
  const folder = tempFolder()
  const project = join(folder, 'project')
  mkdirSync(project)
  writeFileSync(join(project, 'package.json'), '{ "name": "empty", "private": true }')
  const env = {
    ...process.env,
    npm_config_cache: join(folder, 'cache'),
    HOME: folder,
    TREELINE_HOME: join(folder, 'home'),
  }
  const packed = await run('npm', ['pack', '--json', '--pack-destination', folder], {
    cwd: resolve(import.meta.dirname, '..'),
    env,
  })
  const [{ filename, files }] = JSON.parse(packed.stdout.slice(packed.stdout.indexOf('[')))
  const paths: readonly string[] = files.map(({ path }: { path: string }) => path)
  expect(paths.map((path) => dirname(path).split('/')[0])).not.toContain('src')
  expect(paths).toContain('dist/web/index.html')
  await run('npm', ['install', ...NPM_FLAGS, join(folder, filename)], { cwd: project, env })
  const program = join(project, 'node_modules/.bin/treeline')
  const { stdout } = await run(process.execPath, [program, 'ls', '--all', '--json'], { cwd: project, env })
  expect(JSON.parse(stdout).sessions).toEqual([])
  const serve = ['serve', '--check', '--sample', '--port', '0', '--json']
  const checked = await run(process.execPath, [program, ...serve], { cwd: project, env })
  expect(JSON.parse(checked.stdout)).toEqual({ isSound: true, failed: [] })
})
