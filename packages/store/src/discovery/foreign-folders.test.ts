import { mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { makeTempHome } from '../testing/temp-home.ts'
import { findForeignFolders } from './foreign-folders.ts'

function make(home: string, ...folders: readonly string[]): void {
  for (const folder of folders) mkdirSync(join(home, folder), { recursive: true })
}

describe('findForeignFolders', () => {
  test('X14 the usual places of Pi, xcsh and oh-my-pi, those that exist', () => {
    using temp = makeTempHome()
    const home = temp.outside
    expect(findForeignFolders({ env: {}, userHome: home })).toEqual([])
    make(home, '.pi/agent/sessions', '.xcsh/agent/sessions', '.omp/agent/sessions', '.local/share/xcsh/sessions')
    make(home, '.omp/profiles/office/agent/sessions', '.omp/profiles/bare', '.pi/agent/sessions/--p--')
    const before = readdirSync(home, { recursive: true })
    const at = (name: string, folder: string) => ({ name, folder: join(home, folder) })
    expect(findForeignFolders({ env: {}, userHome: home })).toEqual([
      at('pi', '.pi/agent/sessions'),
      at('xcsh', '.xcsh/agent/sessions'),
      at('xcsh', '.local/share/xcsh/sessions'),
      at('oh-my-pi', '.omp/agent/sessions'),
      at('oh-my-pi', '.omp/profiles/office/agent/sessions'),
    ])
    expect(readdirSync(home, { recursive: true })).toEqual(before)
  })

  test('X14 where variables say, and still where they would be without', () => {
    using temp = makeTempHome()
    const home = temp.outside
    make(
      home,
      '.pi/agent/sessions',
      'flat',
      'agent/sessions',
      'data/xcsh/sessions',
      'data/omp/sessions',
      '.my/agent/sessions',
    )
    const env = {
      HOME: home,
      PI_CODING_AGENT_DIR: '~/agent',
      PI_CODING_AGENT_SESSION_DIR: join(home, 'flat'),
      PI_CONFIG_DIR: '.my',
      XDG_DATA_HOME: join(home, 'data'),
    }
    const folders = findForeignFolders({ env }).map(({ name, folder }) => `${name} ${folder.slice(home.length + 1)}`)
    expect(folders.sort()).toEqual([
      'oh-my-pi data/omp/sessions',
      'pi .pi/agent/sessions',
      'pi agent/sessions',
      'pi flat',
      'xcsh .my/agent/sessions',
      'xcsh data/xcsh/sessions',
    ])
  })

  test('X14 a place that is a link is where it leads, once; a file, a loop or a dangling link is none', () => {
    using temp = makeTempHome()
    const home = temp.outside
    make(home, 'dotfiles/pi/agent/sessions', '.xcsh/agent', '.omp/agent')
    symlinkSync(join(home, 'dotfiles', 'pi'), join(home, '.pi'))
    symlinkSync(join(home, 'nowhere'), join(home, '.xcsh/agent/sessions'))
    symlinkSync(join(home, '.omp/agent/sessions'), join(home, '.omp/agent/sessions'))
    writeFileSync(join(home, '.omp/profiles'), 'a file')
    const env = { PI_CODING_AGENT_DIR: join(home, 'dotfiles/pi/agent'), PI_CODING_AGENT_SESSION_DIR: 'a\0b' }
    expect(findForeignFolders({ env, userHome: home })).toEqual([
      { name: 'pi', folder: join(home, 'dotfiles/pi/agent/sessions') },
    ])
  })
})
