import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'

/**
 * Whether the terminal is ours to read from. The shell stops a job that reads while it is in the background (`serve &`),
 * and a server must go on.
 */
export function isInForeground(): boolean {
  try {
    const [group, ofTerminal] = readGroups()
    return group === ofTerminal
  } catch {
    // Where neither is known there are no jobs either, as on Windows.
    return true
  }
}

function readGroups(): readonly (string | undefined)[] {
  if (process.platform === 'linux') {
    // `pid (name) state ppid pgrp session tty tpgid`, and the name may hold anything.
    const stat = readFileSync('/proc/self/stat', 'utf8')
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    return [fields[2], fields[5]]
  }
  const shown = execFileSync('ps', ['-o', 'pgid=', '-o', 'tpgid=', '-p', String(process.pid)], { encoding: 'utf8' })
  return shown.trim().split(/\s+/)
}
