/** The operator's restart command: it works, fails, is missing, hangs and is told nothing of ours. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { byCommand } from '../../../../src/features/sso/authelia/provider.ts'
import { newFolder } from '../../../kit/new-folder.ts'

const never = new AbortController().signal
const restart = (command: readonly string[], signal = never) =>
  byCommand(command).restart(signal, () => Promise.resolve(true))

it('the words reach the program as they are, without a shell and without our environment', async () => {
  const folder = newFolder('restart')
  try {
    process.env['PLUMBLINE_TEST_SECRET'] = 'hidden'
    const command = ['/bin/cp', '/proc/self/environ', join(folder, 'env')]
    expect(await restart(command)).toEqual({ ok: true, proven: true })
    const given = readFileSync(join(folder, 'env'), 'utf8')
      .split('\u0000')
      .filter((line) => line !== '')
    expect(new Set(given.map((line) => line.split('=')[0]))).toEqual(new Set(['LANG', 'PATH']))
  } finally {
    delete process.env['PLUMBLINE_TEST_SECRET']
  }
})

it.each([
  [['/bin/false'], 'ended with code 1'],
  [['/nowhere/at-all'], 'there is no command "/nowhere/at-all"'],
  [['/bin/cat', '/dev/zero'], 'wrote more than'],
])('%j says why it failed', async (words, why) => {
  expect(await restart(words)).toMatchObject({ ok: false, why: expect.stringContaining(why) })
})

it('one that hangs ends with the signal', async () => {
  const stop = new AbortController()
  const hanging = restart(['/bin/sleep', '600'], stop.signal)
  stop.abort(new Error('enough'))
  await expect(hanging).rejects.toThrow('enough')
})
