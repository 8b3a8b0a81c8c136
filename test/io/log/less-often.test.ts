/** Failures that come again and again: once, then once an hour with their count. */
import { expect, it } from 'vitest'
import { lessOften } from '../../../src/io/log/less-often.ts'
import type { Facts } from '../../../src/kernel/log.ts'

const MINUTE = 60_000

function ring() {
  const lines: { level: string; message: string; facts: Facts }[] = []
  let now = 0
  const at =
    (level: string) =>
    (message: string, facts: Facts = {}) =>
      void lines.push({ level, message, facts })
  const log = lessOften(
    { debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') },
    { elapsed: () => now },
  )
  const said = () => lines.splice(0).map(({ level, facts }) => [level, facts['repeated'] ?? 0])
  return { log, said, wait: (ms: number) => void (now += ms) }
}

it('the same failure is told once, then once an hour with its count, and else at debug', () => {
  const { log, said, wait } = ring()
  const fail = () => log.warn('DNS not checked', { error: new Error('away'), took_ms: Math.random() })
  fail()
  expect(said()).toEqual([['warn', 0]])
  for (let i = 0; i < 59; i++) {
    wait(MINUTE)
    fail()
  }
  expect(said().every(([level]) => level === 'debug')).toBe(true)
  wait(MINUTE)
  fail()
  expect(said()).toEqual([['warn', 60]])
})

it('another failure, another subject and one that was over are news', () => {
  const { log, said, wait } = ring()
  log.warn('not looked at', { host: 'a', error: new Error('away') })
  log.warn('not looked at', { host: 'b', error: new Error('away') })
  log.warn('not looked at', { host: 'a', error: new Error('refused') })
  log.error('not looked at', { host: 'a', error: new Error('slow') })
  expect(said().map(([level]) => level)).toEqual(['warn', 'warn', 'warn', 'error'])
  wait(15 * MINUTE)
  log.warn('not looked at', { host: 'a', error: new Error('away') })
  expect(said()).toEqual([['warn', 0]])
})

it('the same words with another cause are another failure, however deep the cause lies', () => {
  const { log, said } = ring()
  const fail = (cause: unknown) =>
    log.warn('zones not read', {
      error: new Error('not read', { cause: new Error('sent in vain', { cause }) }),
    })
  fail(new Error('refused'))
  fail(Object.assign(new Error('refused'), { code: 'ECONNRESET' }))
  fail(new Error('certificate has expired'))
  fail(new Error('refused'))
  fail('a text')
  fail(undefined)
  expect(said().map(([level]) => level)).toEqual(['warn', 'warn', 'warn', 'debug', 'warn', 'warn'])
  const both = (one: string, other: string) =>
    log.warn('not reached', { error: new AggregateError([new Error(one), new Error(other)], 'all failed') })
  both('refused over IPv4', 'refused over IPv6')
  both('refused over IPv4', 'no route over IPv6')
  both('refused over IPv4', 'no route over IPv6')
  expect(said().map(([level]) => level)).toEqual(['warn', 'warn', 'debug'])
})

it('an error that is its own cause is a failure like any other', () => {
  const { log, said } = ring()
  const error: Error & { cause?: unknown } = new Error('round')
  error.cause = error
  for (let i = 0; i < 2; i++) log.warn('fails', { error })
  expect(said().map(([level]) => level)).toEqual(['warn', 'debug'])
})

it('what tells of no error always passes, and many failures are forgotten in turn', () => {
  const { log, said } = ring()
  for (let i = 0; i < 3; i++) log.warn('undid', { item: 'x' })
  expect(said()).toHaveLength(3)
  for (let i = 0; i < 600; i++) log.warn('fails', { i, error: new Error('away') })
  said()
  log.warn('fails', { i: 0, error: new Error('away') })
  log.warn('fails', { i: 599, error: new Error('away') })
  expect(said().map(([level]) => level)).toEqual(['warn', 'debug'])
})
