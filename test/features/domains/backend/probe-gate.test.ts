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

it('whoever may only look has ten a minute, all of them twenty, and the rest is left to others', async () => {
  const { gate, later } = rig()
  const look = (reader: string | null) => gate.pass(() => Promise.resolve('in'), reader)
  const used_up = { code: 'rate_limited', details: { retry_after_ms: 60_000 } }
  for (let i = 0; i < 10; i++) await look('key:a')
  await expect(look('key:a')).rejects.toMatchObject(used_up)
  for (let i = 0; i < 10; i++) await look('sso:b')
  await expect(look('sso:c')).rejects.toMatchObject(used_up)
  for (let i = 0; i < 10; i++) await expect(look(null)).resolves.toBe('in')
  await expect(look(null)).rejects.toMatchObject(used_up)
  later(60_000)
  await expect(look('key:a')).resolves.toBe('in')
})

it('whoever may only look never has all that run at once', async () => {
  const { gate } = rig()
  const { promise, resolve } = Promise.withResolvers<void>()
  const running = ['a', 'a', 'b'].map((reader) => gate.pass(() => promise, reader))
  for (const reader of ['a', 'b', 'c'])
    await expect(gate.pass(() => promise, reader)).rejects.toMatchObject({ code: 'rate_limited' })
  running.push(gate.pass(() => promise))
  resolve()
  await Promise.all(running)
})
