/** The operator's command: run without a shell and without our environment, and what goes wrong is told in words. */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it, vi } from 'vitest'
import { runCommand } from '../../src/kernel/run-command.ts'
import { itOneIn } from '../kit/in-depth.ts'
import { newFolder } from '../kit/new-folder.ts'

const bounds = { max_ms: 20_000, signal: new AbortController().signal }

it('words are words: no shell sees them', async () => {
  expect(await runCommand(['sh', '-c', 'test "$0" = "; rm -rf x"', '; rm -rf x'], bounds)).toEqual({
    ok: true,
    said: '',
    output: '',
  })
})

it('nothing of our environment reaches it', async () => {
  process.env['PLUMBLINE_CANARY'] = 'secret'
  try {
    expect(await runCommand(['sh', '-c', 'test -z "$PLUMBLINE_CANARY"'], bounds)).toMatchObject({ ok: true })
  } finally {
    delete process.env['PLUMBLINE_CANARY']
  }
})

it.each<[string, readonly string[], string, string]>([
  [
    'its code and words',
    ['sh', '-c', 'echo no >&2; printf "a\\033[31mb"; exit 3'],
    'the command ended with code 3',
    'no a [31mb',
  ],
  ['no such command', ['/nonexistent/authelia'], 'there is no command "/nonexistent/authelia"', ''],
  ['no words', [], 'the command did not run (ERR_INVALID_ARG_VALUE)', ''],
])('%s', async (_, command, why, output) => {
  expect(await runCommand(command, bounds)).toMatchObject({
    ok: false,
    why,
    output,
    ended: why.includes('ended with'),
  })
})

it('what it had said by then is kept, line by line', async () => {
  const ran = await runCommand(['sh', '-c', 'echo one; echo two; exec sleep 60'], { ...bounds, max_ms: 3000 })
  expect(ran).toMatchObject({ ok: false, said: 'one\ntwo\n', output: 'one two' })
})

it('endless output ends the command', async () => {
  expect(await runCommand(['yes'], bounds)).toMatchObject({
    ok: false,
    why: 'the command wrote more than 65536 bytes',
  })
})

it('an abort ends the command and the wait', async () => {
  const stop = new AbortController()
  const running = runCommand(['sleep', '30'], { ...bounds, signal: stop.signal })
  stop.abort(new Error('enough'))
  await expect(running).rejects.toThrow('enough')
})

it('one that hangs is ended', async () => {
  expect(await runCommand(['sleep', '30'], { ...bounds, max_ms: 100 })).toMatchObject({
    ok: false,
    why: 'the command took longer than 0.1 s',
  })
})

itOneIn(2).each(['an abort', 'its time'])(
  'what ignores SIGTERM, and what it has begun, is gone after %s',
  async (way) => {
    const folder = newFolder('command')
    const pids = join(folder, 'pids')
    const script = `trap '' TERM; sleep 600 & echo $$ $! > "$0.part"; mv "$0.part" "$0"; while :; do sleep 1; done`
    const stop = new AbortController()
    const max_ms = way === 'an abort' ? 20_000 : 1_000
    const running = runCommand(['sh', '-c', script, pids], { max_ms, signal: stop.signal }).catch(
      (error: Error) => error.message,
    )
    await expect.poll(() => existsSync(pids)).toBe(true)
    if (way === 'an abort') stop.abort(new Error('enough'))
    expect(await running).toEqual(
      way === 'an abort'
        ? 'enough'
        : { ok: false, why: 'the command took longer than 1 s', said: '', output: '', ended: false },
    )
    const alive = () => readFileSync(pids, 'utf8').trim().split(' ').filter(isAlive)
    await expect.poll(alive).toEqual([])
  },
)

it('one that cannot be killed is let go, and said to go on', async () => {
  // As `sudo` is to us: it runs as somebody else.
  const kill = vi.spyOn(process, 'kill').mockImplementation(() => {
    throw Object.assign(new Error('kill EPERM'), { code: 'EPERM' })
  })
  try {
    expect(await runCommand(['sleep', '4'], { ...bounds, max_ms: 100 })).toMatchObject({
      ok: false,
      why: 'the command took longer than 0.1 s, and could not be ended: it goes on',
      ended: false,
    })
  } finally {
    kill.mockRestore()
  }
})

it('one that has ended well is over, though what it left in the background holds its output', async () => {
  const folder = newFolder('command')
  const pid = join(folder, 'pid')
  try {
    const forever = '(while echo x; do echo x >> "$0.beats"; sleep 0.02; done) & echo $! > "$0"'
    expect(await runCommand(['sh', '-c', forever, pid], bounds)).toMatchObject({ ok: true })
    // A provider that was started by its command goes on, and nothing it says to nobody kills it.
    const beats = () => readFileSync(`${pid}.beats`, { encoding: 'utf8', flag: 'a+' }).length
    const before = beats()
    await expect.poll(beats).toBeGreaterThan(before + 20)
  } finally {
    process.kill(Number(readFileSync(pid, 'utf8')), 'SIGKILL')
  }
})

it('a command that cannot be run, and a signal that has gone off before', async () => {
  expect(await runCommand([import.meta.dirname], bounds)).toMatchObject({
    ok: false,
    why: 'the command did not run (EACCES)',
  })
  await expect(runCommand(['true'], { ...bounds, signal: AbortSignal.abort('gone') })).rejects.toBe('gone')
})

/** A dead one whose parent has not looked yet counts as gone. */
function isAlive(pid: string): boolean {
  try {
    return !/^State:\s+[ZX]/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'))
  } catch {
    return false
  }
}
