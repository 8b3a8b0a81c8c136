/** Four at once and thirty a minute; what was turned away leaves no trace. */
import { expect, it } from 'vitest'
import { ProbeGate } from '../../../../src/features/domains/backend/probe-gate.ts'

function rig() {
  let now_ms = 0
  const clock = { now: () => now_ms, elapsed: () => now_ms, sleep: () => Promise.resolve() }
  return { gate: new ProbeGate(clock), later: (ms: number) => void (now_ms += ms) }
}

it('four run at once, the fifth is turned away, and may come when one is done', async () => {
  const { gate } = rig()
  const { promise, resolve } = Promise.withResolvers<void>()
  const running = Array.from({ length: 4 }, () => gate.pass(() => promise))
  await expect(gate.pass(() => promise)).rejects.toMatchObject({
    code: 'rate_limited',
    details: { retry_after_ms: 1000 },
  })
  resolve()
  await Promise.all(running)
  await expect(gate.pass(() => Promise.resolve('in'))).resolves.toBe('in')
})

it('thirty a minute, then the wait until the first is a minute old', async () => {
  const { gate, later } = rig()
  for (let i = 0; i < 30; i++) {
    await gate.pass(() => Promise.resolve())
    later(1000)
  }
  await expect(gate.pass(() => Promise.resolve())).rejects.toMatchObject({
    code: 'rate_limited',
    details: { retry_after_ms: 30_000 },
  })
  later(30_000)
  await expect(gate.pass(() => Promise.resolve('in'))).resolves.toBe('in')
})

it('work that fails gives its place back', async () => {
  const { gate } = rig()
  for (let i = 0; i < 6; i++)
    await expect(gate.pass(() => Promise.reject(new Error('no')))).rejects.toThrow('no')
})
