/** One write in flight for each zone, in order, whatever becomes of the others. */
import { expect, it } from 'vitest'
import { ZoneLock } from '../../../../src/features/dns/target/zones/zone-lock.ts'

const never = new AbortController().signal

it('lets one at a time into a zone, in the order of arrival, and other zones go their way', async () => {
  const lock = new ZoneLock()
  const log: string[] = []
  const first = Promise.withResolvers<void>()
  const turn = (name: string, zone: string, wait: Promise<void> = Promise.resolve()) =>
    lock.run('default', zone, never, async () => {
      log.push(`${name} in`)
      await wait
      log.push(`${name} out`)
    })
  const turns = [turn('a', 'x', first.promise), turn('b', 'x'), turn('c', 'x')]
  await turn('d', 'y')
  expect(log).toEqual(['a in', 'd in', 'd out'])
  first.resolve()
  await Promise.all(turns)
  expect(log.slice(3)).toEqual(['a out', 'b in', 'b out', 'c in', 'c out'])
})

it('passes on after a failure, and past those who gave up while the one before them is still at work', async () => {
  const lock = new ZoneLock()
  const gate = Promise.withResolvers<void>()
  const failing = lock.run('default', 'x', never, async () => {
    await gate.promise
    throw new Error('bad')
  })
  const gives_up = new AbortController()
  const given_up = lock.run('default', 'x', gives_up.signal, () => Promise.resolve('never'))
  let is_in = false
  const last = lock.run('default', 'x', never, async () => {
    is_in = true
    return 'last'
  })
  gives_up.abort(new Error('enough'))
  await expect(given_up).rejects.toThrow('enough')
  expect(is_in).toBe(false)
  gate.resolve()
  await expect(failing).rejects.toThrow('bad')
  expect(await last).toBe('last')
})
