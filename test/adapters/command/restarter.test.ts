/** The operator's restart command: it works, fails, is missing, hangs and is told nothing of ours. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { commandRestarter } from '../../../src/adapters/command/restarter.ts'

const never = () => new AbortController().signal

it('the words reach the program as they are, without a shell and without our environment', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'plumbline-restart-'))
  try {
    process.env['PLUMBLINE_TEST_SECRET'] = 'hidden'
    await commandRestarter(['/bin/cp', '/proc/self/environ', join(folder, 'env')]).restart(never())
    const given = readFileSync(join(folder, 'env'), 'utf8')
      .split('\u0000')
      .filter((line) => line !== '')
    expect(new Set(given.map((line) => line.split('=')[0]))).toEqual(new Set(['LANG', 'PATH']))
  } finally {
    delete process.env['PLUMBLINE_TEST_SECRET']
    rmSync(folder, { recursive: true })
  }
})

it.each([
  [['/bin/false'], 'ended with code 1'],
  [['/nowhere/at-all'], 'there is no command "/nowhere/at-all"'],
  [['/bin/cat', '/dev/zero'], 'wrote more than'],
])('%j says why it failed', async (words, why) => {
  await expect(commandRestarter(words).restart(never())).rejects.toMatchObject({
    code: 'component_unavailable',
    message: expect.stringContaining(why),
  })
})

it('one that hangs ends with the signal', async () => {
  const stop = new AbortController()
  const restart = commandRestarter(['/bin/sleep', '600']).restart(stop.signal)
  stop.abort(new Error('enough'))
  await expect(restart).rejects.toMatchObject({ message: expect.stringContaining('was broken off') })
})
