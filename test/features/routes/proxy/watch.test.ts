/** Looks at the proxy are shared, kept for a moment, and waited for only so long; also failed ones. */
import { expect, it } from 'vitest'
import { Failure } from '../../../../src/kernel/failure.ts'
import { ProxyWatch } from '../../../../src/features/routes/loaded/watch.ts'
import type { ProxySnapshot, SearchableProxy } from '../../../../src/features/routes/traefik/port.ts'
import { handClock } from '../../../fakes/hand-clock.ts'

const NEVER = new AbortController().signal
const EMPTY: ProxySnapshot = {
  at: 0,
  version: '3.6.2',
  started_at: null,
  entrypoints: [],
  routers: [],
  middlewares: [],
  services: [],
}

function rig(answer: (signal: AbortSignal) => Promise<ProxySnapshot>) {
  const clock = handClock()
  let asked = 0
  const api: SearchableProxy = {
    origin: 'http://proxy',
    snapshot: (signal) => {
      asked++
      return answer(signal)
    },
    middlewaresNamed: () => Promise.resolve([]),
    faultsNamed: () => Promise.resolve([]),
    entrypoints: () => Promise.resolve([]),
    startedAt: () => Promise.resolve(null),
  }
  const watch = new ProxyWatch(api, { clock, marker_prefix: 'm-' })
  return { clock, watch, asked: () => asked }
}

it('many who ask at once share one reading, and so do those who ask within two seconds', async () => {
  const { clock, watch, asked } = rig(() => Promise.resolve(EMPTY))
  const seen = await Promise.all([watch.look(NEVER), watch.look(NEVER), watch.look(NEVER)])
  expect(seen.every(({ known }) => known)).toBe(true)
  clock.pass(1999)
  await watch.look(NEVER)
  expect(asked()).toBe(1)
  clock.pass(1)
  await watch.look(NEVER)
  expect(asked()).toBe(2)
})

it('what was deployed since makes a look old at once', async () => {
  const { watch, asked } = rig(() => Promise.resolve(EMPTY))
  await watch.look(NEVER)
  watch.forget()
  await watch.look(NEVER)
  expect(asked()).toBe(2)
})

it('a failed look is an answer, and is kept alike', async () => {
  const { watch, asked } = rig(() => Promise.reject(new Failure('component_unavailable', 'refused.')))
  expect(await watch.look(NEVER)).toMatchObject({ known: false, detail: 'refused.' })
  await watch.look(NEVER)
  expect(asked()).toBe(1)
})

it('whoever waits is let go after a second and a half; the reading goes on for the next one', async () => {
  const { promise, resolve } = Promise.withResolvers<ProxySnapshot>()
  const { clock, watch, asked } = rig(() => promise)
  const waiting = watch.look(NEVER)
  clock.pass(1500)
  expect(await waiting).toMatchObject({ known: false, detail: 'http://proxy did not answer within 1500 ms.' })
  const next = watch.look(NEVER)
  resolve(EMPTY)
  expect(await next).toMatchObject({ known: true })
  expect(asked()).toBe(1)
})

it('a caller who leaves is told their own reason', async () => {
  const { watch } = rig(() => new Promise(() => undefined))
  const gone = new AbortController()
  const waiting = watch.look(gone.signal)
  gone.abort(new Error('gone'))
  await expect(waiting).rejects.toThrow('gone')
})

it('a bug is thrown to those who wait and ends nobody else', async () => {
  const { clock, watch } = rig(() => Promise.reject(new TypeError('bug')))
  await expect(watch.look(NEVER)).rejects.toThrow('bug')
  clock.pass(5000)
  await expect(watch.look(NEVER)).rejects.toThrow('bug')
})

it('closing ends the reading', async () => {
  const { watch } = rig(
    (signal) =>
      new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason as Error))),
  )
  const waiting = watch.look(NEVER)
  await watch.close()
  expect(await waiting).toMatchObject({ known: false, detail: 'The proxy is not asked any more.' })
})

it('whoever must not go on without an answer is waited for longer, and no longer than that', async () => {
  const answers: ((snapshot: ProxySnapshot) => void)[] = []
  const { clock, watch } = rig(() => new Promise((resolve) => answers.push(resolve)))
  const [short, long] = [watch.look(NEVER), watch.insist(NEVER)]
  clock.pass(1500)
  expect(await short).toMatchObject({ known: false, reason: 'unreachable' })
  clock.pass(3000)
  answers[0]!(EMPTY)
  expect(await long).toMatchObject({ known: true })
  watch.forget()
  const never = watch.insist(NEVER)
  clock.pass(5000)
  expect(await never).toMatchObject({ known: false, detail: 'http://proxy did not answer within 5000 ms.' })
})

it('what failed before somebody insists is asked once more, and what fails then is the answer', async () => {
  let works = false
  const { clock, watch, asked } = rig(() =>
    works ? Promise.resolve(EMPTY) : Promise.reject(new Failure('component_unavailable', 'refused.')),
  )
  await watch.look(NEVER)
  clock.pass(1)
  expect(await watch.insist(NEVER)).toMatchObject({ known: false, detail: 'refused.' })
  expect(asked()).toBe(2)
  works = true
  clock.pass(1)
  expect(await watch.insist(NEVER)).toMatchObject({ known: true })
  expect(await watch.insist(NEVER)).toMatchObject({ known: true })
  expect(asked()).toBe(3)
})
