/** The operator's command: run without a shell and without our environment, and what goes wrong is told in words. */
import { expect, it } from 'vitest'
import { runCommand } from '../../src/kernel/run-command.ts'

const bounds = { most_ms: 20_000, signal: AbortSignal.timeout(20_000) }

it('words are words: no shell sees them', async () => {
  expect(await runCommand(['sh', '-c', 'test "$0" = "; rm -rf x"', '; rm -rf x'], bounds)).toEqual({
    ok: true,
  })
})

it('nothing of our environment reaches it', async () => {
  process.env['PLUMBLINE_CANARY'] = 'secret'
  try {
    expect(await runCommand(['sh', '-c', 'test -z "$PLUMBLINE_CANARY"'], bounds)).toEqual({ ok: true })
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
  expect(await runCommand(command, bounds)).toEqual({ ok: false, why, output })
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
  expect(await runCommand(['sleep', '30'], { ...bounds, most_ms: 100 })).toMatchObject({
    ok: false,
    why: 'the command took longer than 0.1 s',
  })
})
