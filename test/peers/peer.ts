/**
 * Starting a real server for tests: a folder and free loopback ports of its own, ready when it answers its real protocol,
 * ended by its own process id. Nothing is installed, nothing of the machine is touched.
 */
import { type ChildProcess, execFile, spawn } from 'node:child_process'
import {
  closeSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { freePorts } from '../kit/ports.ts'

export interface Peer {
  /** Where it keeps all that it writes. */
  readonly directory: string
  readonly pid: number
  /** What it printed so far. */
  log(): string
  /** Ends it and removes its folder, once, however often it is asked. Its log is kept when a test failed. */
  stop(): Promise<void>
}

export interface PeerPlan {
  /** For messages and the names of kept logs. */
  readonly name: string
  /** Writes what the server needs into the folder; called anew with other ports when one was taken meanwhile. */
  prepare(directory: string, ports: readonly number[]): Promise<PeerCommand>
  readonly ports: number
}

export interface PeerCommand {
  /** Found in `PATH` or in the folders of system programs. */
  readonly program: string
  readonly args: readonly string[]
  /** Asks the server in its real protocol; true when it answers. Called again and again. */
  ready(): Promise<boolean>
}

/** Long enough on a machine with ten times the work that it can do; who has ended is not waited for. */
const START_MS = 60_000
/** One question whether it is up. */
const READY_MS = 5_000
const STOP_MS = 10_000
const TRIES = 3

/** No tool takes longer, also where others use the machine. */
export const TOOL_MS = 60_000

/** Its standard folders are not in the path of a plain user. */
export const TOOL_PATH = `${process.env['PATH'] ?? ''}:/usr/local/sbin:/usr/sbin:/sbin`
const PARENT_WATCH = '/usr/bin/setpriv'

/** The program's full path, or null. */
export function whichProgram(program: string): string | null {
  const folders = TOOL_PATH.split(':').filter((folder) => folder !== '')
  return folders.map((folder) => join(folder, program)).find((path) => existsSync(path)) ?? null
}

/** Throws with the end of the log when the server does not come up. */
export async function startPeer(plan: PeerPlan): Promise<{ peer: Peer; ports: readonly number[] }> {
  for (let attempt = 1; ; attempt++) {
    const ports = await freePorts(plan.ports)
    const peer = await tryStart(plan, ports)
    if (typeof peer !== 'string') return { peer, ports }
    if (attempt === TRIES) throw new Error(`${plan.name} did not start. The end of its log:\n${peer}`)
  }
}

/** The peer, or the end of its log. */
async function tryStart(plan: PeerPlan, ports: readonly number[]): Promise<Peer | string> {
  const directory = mkdtempSync(join(realpathSync(tmpdir()), `plumbline-${plan.name}-`))
  const logFile = join(directory, 'peer.log')
  const command = await plan.prepare(directory, ports)
  const child = launch(command, directory, logFile)
  const peer = peerOf(plan.name, { directory, logFile, child })
  // A monotonic bound; the poll is what tells.
  const until = performance.now() + START_MS
  while (!isOver(child) && performance.now() < until) {
    // Somebody else on its port may take the question and say nothing.
    const late = pause(READY_MS).then(() => false)
    if (await Promise.race([command.ready().catch(() => false), late])) return peer
    await pause(50)
  }
  const log = peer.log().slice(-4000)
  await peer.stop()
  return log
}

function launch({ program, args }: PeerCommand, directory: string, logFile: string): ChildProcess {
  const path = whichProgram(program)
  if (path === null) throw new Error(`${program} is not installed`)
  // It must not outlive a test run that is killed.
  const watched = existsSync(PARENT_WATCH)
    ? [PARENT_WATCH, '--pdeathsig', 'KILL', path, ...args]
    : [path, ...args]
  const log = openSync(logFile, 'a', 0o600)
  try {
    return spawn(watched[0]!, watched.slice(1), {
      cwd: directory,
      env: { PATH: TOOL_PATH, HOME: directory, LC_ALL: 'C.UTF-8', TZ: 'UTC' },
      stdio: ['ignore', log, log],
    }).on('error', () => undefined)
  } finally {
    closeSync(log)
  }
}

interface Running {
  readonly directory: string
  readonly logFile: string
  readonly child: ChildProcess
}

function peerOf(name: string, { directory, logFile, child }: Running): Peer {
  const kill = () => void child.kill('SIGKILL')
  process.once('exit', kill)
  /** Of its folder there is nothing after the end. */
  let last_words = ''
  const finish = async () => {
    process.removeListener('exit', kill)
    await end(child)
    last_words = readFileSync(logFile, 'utf8')
    if (kept.on) keepLog(name, child.pid ?? 0, last_words)
    rmSync(directory, { recursive: true, force: true })
  }
  let ending: Promise<void> | undefined
  return {
    directory,
    pid: child.pid ?? 0,
    log: () => (existsSync(logFile) ? readFileSync(logFile, 'utf8') : last_words),
    stop: () => (ending ??= finish()),
  }
}

const isOver = ({ pid, exitCode, signalCode }: ChildProcess): boolean =>
  pid === undefined || exitCode !== null || signalCode !== null

async function end(child: ChildProcess): Promise<void> {
  if (isOver(child)) return
  const over = new Promise((resolve) => child.once('exit', resolve))
  child.kill('SIGTERM')
  const late = setTimeout(() => child.kill('SIGKILL'), STOP_MS)
  await over
  clearTimeout(late)
}

/** Set by `describePeers` when a test fails: the logs of its servers are then kept. */
export const kept = { on: false }

function keepLog(name: string, pid: number, log: string): void {
  const folder = join(realpathSync(tmpdir()), 'plumbline-peer-logs')
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const path = join(folder, `${name}-${pid}.log`)
  writeFileSync(path, log, { mode: 0o600 })
  process.stderr.write(`log of ${name} kept: ${path}\n`)
}

const run = promisify(execFile)

/** Runs a tool to its end and gives what it printed. Throws with its words when it fails. @param typed what it reads. */
export async function runTool(program: string, args: readonly string[], typed?: string): Promise<string> {
  const path = whichProgram(program)
  if (path === null) throw new Error(`${program} is not installed`)
  const running = run(path, args, {
    timeout: TOOL_MS,
    maxBuffer: 64 * 1024 * 1024,
    env: { PATH: TOOL_PATH, HOME: tmpdir(), LC_ALL: 'C.UTF-8', TZ: 'UTC' },
  })
  // It may end before it has read: how it ended says why.
  if (typed !== undefined) running.child.stdin!.on('error', () => undefined).end(`${typed}\n`)
  const { stdout, stderr } = await running
  return typed === undefined ? stdout : `${stdout}${stderr}`
}

/** Polls until `look` gives something else than null or false. Throws after a minute. */
export async function until<T>(what: string, look: () => Promise<T | null | false>): Promise<T> {
  const end = performance.now() + TOOL_MS
  do {
    const seen = await look()
    if (seen !== null && seen !== false) return seen
    await pause(20)
  } while (performance.now() < end)
  throw new Error(`waited in vain for ${what}`)
}

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))
