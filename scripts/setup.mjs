// Installs what is missing and is silent when nothing is: `node scripts/setup.mjs [folder]`.
// It runs before anything is installed, on whatever Node the machine has: builtins only, and default imports and
// syntax that Node 12 can load, so that an old Node gets to print the message below.
import childProcess from 'node:child_process'
import crypto from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import url from 'node:url'

const root = url.fileURLToPath(new URL('..', import.meta.url))
const folder = path.resolve(root, process.argv[2] || '.')
const modules = path.join(folder, 'node_modules')
const lockfile = path.join(folder, 'package-lock.json')
const stampFile = path.join(modules, '.setup-stamp')
// Not inside node_modules, which npm ci deletes.
const lock = path.join(folder, '.setup-lock')
const platform = `${process.platform}-${process.arch}`
const waitMs = 5 * 60_000

function say(message) {
  process.stderr.write(`${message}\n`)
}

function fail(message) {
  say(`setup: ${message}`)
  process.exit(1)
}

function readText(file) {
  try {
    return fs.readFileSync(file, 'utf8')
  } catch (error) {
    if (error.code === 'ENOENT') return undefined
    throw error
  }
}

/** True when the folder pins no Node of its own, or the pinned one starts. */
function pinnedNodeRuns(lockText) {
  if (!lockText.includes('"node_modules/node"')) return true
  return childProcess.spawnSync(path.join(modules, '.bin', 'node'), ['--version']).status === 0
}

/** True after someone's own `npm install`, which should not cost them an `npm ci` on top. */
function npmInstalledThis(lockText) {
  const hiddenText = readText(path.join(modules, '.package-lock.json'))
  if (hiddenText === undefined) return false
  const wanted = JSON.parse(lockText).packages
  const found = JSON.parse(hiddenText).packages
  return Object.keys(wanted)
    .filter((key) => key.includes('node_modules/') && !wanted[key].optional)
    .every((key) => found[key] !== undefined && found[key].version === wanted[key].version)
}

function isInstalled(lockText) {
  const stamp = readText(stampFile)
  const expected = stampOf(lockText)
  if (!pinnedNodeRuns(lockText)) return false
  if (stamp === expected) return true
  const otherMachine = stamp !== undefined && !stamp.startsWith(`${platform} `)
  if (otherMachine || !npmInstalledThis(lockText)) return false
  fs.writeFileSync(stampFile, expected)
  return true
}

function stampOf(lockText) {
  return `${platform} ${crypto.createHash('sha256').update(lockText).digest('hex')}`
}

function install(lockText) {
  say(`Installing dependencies in ${folder} (only when package-lock.json changes) …`)
  // npm ci deletes the pinned Node, so it must not run on it. What bench/ installs does run on the root's.
  const searchPath = (process.env.PATH || '').split(path.delimiter).filter((entry) => !entry.startsWith(modules))
  // The tools are devDependencies, and they need the pinned Node rather than the one npm runs on here.
  const flags = ['--include=dev', '--no-engine-strict', '--no-audit', '--no-fund', '--loglevel=error']
  // After Ctrl-C npm is busy tidying up for a while. Leaving before it does would let the next run collide with it.
  process.on('SIGINT', () => undefined)
  const npm = childProcess.spawnSync('npm', ['ci', ...flags], {
    cwd: folder,
    env: { ...process.env, PATH: searchPath.join(path.delimiter) },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  if (npm.error) fail(`npm could not be started (${npm.error.message}). Install npm 9 or newer and try again.`)
  if (npm.status !== 0) {
    fail(
      `npm ci failed in ${folder}, its message is above. Check network and disk space and run the command again. ` +
        'If it says that package.json and package-lock.json differ, run npm install.',
    )
  }
  // Without dependencies npm makes no node_modules.
  fs.mkdirSync(modules, { recursive: true })
  fs.writeFileSync(stampFile, stampOf(lockText))
  if (!pinnedNodeRuns(lockText)) {
    fail(
      'the Node that package.json pins is missing or does not start. ' +
        "If npm's ignore-scripts setting is on, run: npm rebuild node --ignore-scripts=false",
    )
  }
}

function isAlive(pid) {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return error.code === 'EPERM'
  }
}

function findLockOwner() {
  try {
    return Number(fs.readlinkSync(lock))
  } catch (error) {
    if (error.code === 'ENOENT') return undefined
    throw error
  }
}

function takeLock() {
  const giveUpAt = Date.now() + waitMs
  for (;;) {
    try {
      // A symlink appears together with its target, so nobody ever reads half a pid.
      fs.symlinkSync(String(process.pid), lock)
      return
    } catch (error) {
      if (error.code !== 'EEXIST') fail(`${folder} is not writable (${error.code}), so nothing can be installed there.`)
    }
    const owner = findLockOwner()
    if (owner === undefined) continue
    // In a restarted container a dead owner's pid may be our own.
    if (owner === process.pid || !isAlive(owner)) fs.rmSync(lock, { force: true })
    else if (Date.now() > giveUpAt) fail(`process ${owner} is still installing. If it is not, delete ${lock}.`)
    else Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 200)
  }
}

if (Number(process.versions.node.split('.')[0]) < 18) {
  fail(`Node ${process.versions.node} is too old. Install Node 18 or newer; Treeline then brings the version it needs.`)
}
const lockText = readText(lockfile)
if (lockText === undefined) fail(`there is no ${lockfile}. Run npm install in ${folder} once and commit it.`)
if (!isInstalled(lockText)) {
  takeLock()
  // fail() exits without unwinding, hence not finally.
  process.on('exit', () => fs.rmSync(lock, { force: true }))
  if (!isInstalled(lockText)) install(lockText)
}
