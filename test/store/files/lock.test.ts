/** One writer per data directory, with real processes: the kernel says who, and frees the lock of the dead. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { holdLock, readHolder } from '../../../src/store/files/lock.ts'
import { lockInTurn } from '../../../src/store/files/lock-in-turn.ts'
import { Failure } from '../../../src/kernel/failure.ts'
import type { HeldLock, Holder } from '../../../src/ports/lock.ts'
import { eachScratch, steppingClock } from '../scratch.ts'
import { handClock } from '../../fakes/hand-clock.ts'
import { itInDepth } from '../../kit/in-depth.ts'

const scratch = eachScratch()
const PROGRAM = fileURLToPath(new URL('../processes/hold-lock.ts', import.meta.url))

let directory: string
let children: ChildProcess[] = []
let locks: HeldLock[] = []

beforeEach(() => {
  directory = scratch.directory()
})

afterEach(async () => {
  for (const lock of locks) lock.release()
  for (const child of children) await killed(child)
  locks = []
  children = []
})

function hold(): HeldLock {
  const lock = holdLock(directory, steppingClock())
  locks.push(lock)
  return lock
}

function refusal(): Failure {
  try {
    hold()
  } catch (error) {
    if (error instanceof Failure) return error
    throw error
  }
  throw new Error('the lock was free')
}

interface Answer {
  readonly held: boolean
  readonly pid: number
  readonly code: string
  readonly message: string
}

/** Another process that tries to take the lock, and its answer. */
async function other(listen?: string): Promise<{ child: ChildProcess; answer: Answer }> {
  const child = spawn(process.execPath, [PROGRAM, directory, ...(listen === undefined ? [] : [listen])], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  children.push(child)
  const [line] = (await once(createInterface(child.stdout), 'line')) as [string]
  return { child, answer: JSON.parse(line) as Answer }
}

async function killed(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  child.kill('SIGKILL')
  await once(child, 'exit')
}

test('the holder says who it is, then where it listens, and takes its word back when it goes', () => {
  expect(readHolder(directory)).toBeNull()
  const lock = hold()
  const since = '2026-07-22T10:15:01.000Z'
  expect(readHolder(directory)).toEqual({ pid: process.pid, listen: null, since })
  lock.announce('127.0.0.1:8080')
  expect(readHolder(directory)).toEqual({ pid: process.pid, listen: '127.0.0.1:8080', since })
  expect(statSync(join(directory, 'holder.json')).mode & 0o777).toBe(0o600)
  expect(statSync(join(directory, 'lock.db')).mode & 0o777).toBe(0o600)
  lock.release()
  lock.release()
  expect(readHolder(directory)).toBeNull()
  expect(existsSync(join(directory, 'holder.json'))).toBe(false)
})

test('a second holder in the same process is refused, and asking does not give the lock away', async () => {
  const lock = hold()
  expect(refusal().code).toBe('data_directory_in_use')
  expect(readHolder(directory)).not.toBeNull()
  const { answer } = await other()
  expect(answer).toMatchObject({ held: false, code: 'data_directory_in_use' })
  lock.release()
  expect((await other()).answer.held).toBe(true)
})

test('a second process is refused and told who holds the directory', async () => {
  const { answer: first } = await other('127.0.0.1:8080')
  const failure = refusal()
  expect(failure.message).toContain(
    `${directory} is in use by process ${first.pid}, listening on 127.0.0.1:8080`,
  )
  expect(failure.message).toContain('Stop it, or choose another PLUMBLINE_DATA_DIR')
  expect(failure.details.facts).toMatchObject({ pid: first.pid, listen: '127.0.0.1:8080' })
})

itInDepth('of processes that start together one gets the lock', async () => {
  const answers = await Promise.all(Array.from({ length: 5 }, () => other()))
  const winners = answers.filter(({ answer }) => answer.held)
  expect(winners).toHaveLength(1)
  for (const { answer } of answers)
    if (!answer.held) expect(answer).toMatchObject({ code: 'data_directory_in_use' })
  expect(readHolder(directory)?.pid).toBe(winners[0]!.answer.pid)
})

test('a lock that is let go is free for the next process', async () => {
  const { child } = await other()
  child.stdin!.write('go\n')
  await once(child, 'exit')
  expect(readHolder(directory)).toBeNull()
  hold()
})

test('a holder that is killed frees the lock, and its word counts no more', async () => {
  const { child } = await other('127.0.0.1:8080')
  await killed(child)
  expect(existsSync(join(directory, 'holder.json'))).toBe(true)
  expect(readHolder(directory)).toBeNull()
  const { answer } = await other('127.0.0.1:9090')
  expect(answer.held).toBe(true)
  expect(readHolder(directory)).toMatchObject({ pid: answer.pid, listen: '127.0.0.1:9090' })
})

test.each([
  ['is missing', () => rmSync(join(directory, 'holder.json'))],
  ['is garbage', () => writeFileSync(join(directory, 'holder.json'), '{"pid":')],
  ['says nothing', () => writeFileSync(join(directory, 'holder.json'), '{"pid":"x"}')],
])('the lock is held even if the word of its holder %s', (_, spoil) => {
  hold()
  spoil()
  expect(readHolder(directory)).toEqual({ pid: 0, listen: null, since: '' })
  expect(refusal().message).toContain('another process, which has not yet said who it is')
})

test('looking at a directory that is not there makes nothing', () => {
  const missing = join(directory, 'missing')
  expect(readHolder(missing)).toBeNull()
  expect(existsSync(missing)).toBe(false)
})

test('a lock file that is damaged is named, with what would help', () => {
  writeFileSync(join(directory, 'lock.db'), 'garbage '.repeat(100))
  const failure = refusal()
  expect(failure.code).toBe('storage_unwritable')
  expect(failure.message).toContain(`${join(directory, 'lock.db')} is damaged. It holds no data: remove it.`)
  expect(readFileSync(join(directory, 'lock.db'), 'utf8')).toContain('garbage')
})

test('a data directory that is a file is named, with what would help', () => {
  rmSync(directory, { recursive: true })
  writeFileSync(directory, '')
  expect(refusal()).toMatchObject({ code: 'storage_unwritable' })
})

describe('in turn', () => {
  const waitFor = () => {
    const clock = handClock(Date.now())
    const waits: number[] = []
    const stop = new AbortController()
    const grace = { max_ms: 1000, waits: ({ pid }: Holder) => waits.push(pid), signal: stop.signal }
    const taken = lockInTurn(directory, grace, clock).then((lock) => {
      locks.push(lock)
      return lock
    })
    taken.catch(() => undefined)
    return { clock, waits, stop, taken }
  }

  test('the lock is taken as soon as one that serves nothing lets it go', async () => {
    const first = hold()
    const { clock, waits, taken } = waitFor()
    expect(waits).toEqual([process.pid])
    first.release()
    clock.pass(500)
    await taken
    expect(waits).toEqual([process.pid])
    expect(readHolder(directory)?.pid).toBe(process.pid)
  })

  test('one that listens is a daemon, which nobody waits for', async () => {
    hold().announce('http://127.0.0.1:8080')
    const { waits, taken } = waitFor()
    await expect(taken).rejects.toMatchObject({ code: 'data_directory_in_use' })
    expect(waits).toEqual([])
  })

  test('a daemon that began to listen meanwhile is named', async () => {
    const first = hold()
    const { clock, taken } = waitFor()
    first.announce('http://127.0.0.1:8080')
    clock.pass(500)
    await expect(taken).rejects.toThrow('listening on http://127.0.0.1:8080')
  })

  test('the wait ends after its time, and when somebody ends it', async () => {
    hold()
    const late = waitFor()
    late.clock.pass(1000)
    await expect(late.taken).rejects.toMatchObject({ code: 'data_directory_in_use' })
    const stopped = waitFor()
    stopped.stop.abort()
    await expect(stopped.taken).rejects.toMatchObject({ code: 'data_directory_in_use' })
  })
})
