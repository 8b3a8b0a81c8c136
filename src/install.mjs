/**
 * Installs the packages, where the tree does not hold what the lock file names. Plain JavaScript on Node alone: it runs before
 * there is any package, on a Node that cannot read TypeScript. A tree that fits is not touched, and nobody is asked for it.
 */
import { spawn } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { constants } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const TOLD_EVERY_MS = 5000
/** What was told to end and goes on is killed after that. */
const GRACE_MS = 2000
/** Without a network, npm tries again for two minutes by itself. */
const NPM = [
  'ci',
  '--prefer-offline',
  '--progress=false',
  '--fetch-retry-mintimeout=1000',
  '--fetch-retry-maxtimeout=5000',
]

/** @param {string} line */
const tell = (line) => void process.stderr.write(`${line}\n`)

/** @param {string} path @returns {any} the data, or null where there is none to read */
function dataIn(path) {
  try {
    return JSON.parse(readFileSync(join(ROOT, path), 'utf8'))
  } catch {
    return null
  }
}

let own_libc = ''
function ownLibc() {
  // Else the report looks up the names of all whom this process talks to.
  process.report.excludeNetwork = true
  return (own_libc ||= process.report.getReport().header.glibcVersionRuntime ? 'glibc' : 'musl')
}

/** What a package says of the machines that it is for, and we are not one of them: `cpu`, `os`, `libc`. */
function isForOthers({ os, cpu, libc }) {
  const excludes = (wanted, own) => {
    const words = [wanted ?? []].flat()
    const named = words.filter((word) => !word.startsWith('!'))
    return words.includes(`!${own}`) || (named.length > 0 && !named.includes(own))
  }
  if (excludes(os, process.platform) || excludes(cpu, process.arch)) return true
  return libc !== undefined && excludes(libc, ownLibc())
}

/** Packages for building and testing may be missing; so may those for other machines, and those that name none. */
const isNeeded = (wanted) =>
  !wanted.dev && !wanted.devOptional && !(wanted.optional && (wanted.os === undefined || isForOthers(wanted)))

/** What the lock file wants and the tree has not, by folder; null where there is no lock file to go by. */
function misfits() {
  const lock = dataIn('package-lock.json')?.packages
  if (!lock) return null
  // npm writes this list last: a tree without it was not finished.
  const held = dataIn('node_modules/.package-lock.json')?.packages ?? {}
  const wanted = Object.entries(lock).filter(([folder]) => folder !== '')
  const stands = ([folder, { version, integrity }]) =>
    held[folder]?.version === version &&
    held[folder]?.integrity === integrity &&
    existsSync(join(ROOT, folder, 'package.json'))
  return wanted
    .filter((one) => (held[one[0]] !== undefined || isNeeded(one[1])) && !stands(one))
    .map(([folder]) => folder)
}

/** How many of the packages have come. */
function progress() {
  const folders = Object.entries(dataIn('package-lock.json')?.packages ?? {})
    .filter(([folder, wanted]) => folder !== '' && !isForOthers(wanted))
    .map(([folder]) => folder)
  return `${folders.filter((folder) => existsSync(join(ROOT, folder, 'package.json'))).length} of ${folders.length}`
}

/** @returns {Promise<{ code: number, is_stopped: boolean }>} the exit code of npm, or that of whoever a signal ended */
async function install() {
  const { npm_execpath: script, npm_node_execpath: node } = process.env
  const [program, ...words] = script ? [node ?? process.execPath, script] : ['npm']
  // A group of its own, so that all of it can be ended and nothing is left behind.
  const child = spawn(program, [...words, ...NPM], {
    cwd: ROOT,
    detached: true,
    stdio: ['ignore', 'inherit', 'inherit'],
  })
  const began = Date.now()
  const telling = setInterval(
    () => tell(`  … ${Math.round((Date.now() - began) / 1000)} s: ${progress()} packages are here`),
    TOLD_EVERY_MS,
  )
  let told = null
  const send = (signal) => {
    try {
      process.kill(-child.pid, signal)
    } catch {
      // It has ended.
    }
  }
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'])
    process.on(signal, () => {
      told ??= signal
      send('SIGTERM')
      setTimeout(() => send('SIGKILL'), GRACE_MS).unref()
    })
  const code = await new Promise((resolve) => {
    child.once('error', (error) => {
      tell(`npm cannot be run: ${error.message}`)
      resolve(1)
    })
    child.once('close', (end) => resolve(end ?? 1))
  })
  clearInterval(telling)
  if (told === null) return { code, is_stopped: false }
  send('SIGKILL')
  tell('Stopped. The packages are not complete; the next run installs them anew.')
  return { code: 128 + constants.signals[told], is_stopped: true }
}

async function main() {
  const missing = misfits()
  if (missing !== null && missing.length === 0) return 0
  tell('Installing the packages that package-lock.json names, with npm ci; this takes about a minute.')
  const { code, is_stopped } = await install()
  if (code === 0) tell('  … the packages are here.')
  else if (!is_stopped)
    tell(
      'The packages could not be installed: npm says why above. Without a network it needs them in its cache; run it again once there is one.',
    )
  return code
}

process.exitCode = await main()
