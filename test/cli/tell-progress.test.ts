/** A command that waits for an operation shows how far it has come: on a terminal, and there alone. */
import { describe, expect, it } from 'vitest'
import { type Api, expectGood } from '../../src/cli/api.ts'
import { progressLine, statusLine } from '../../src/cli/text/tell-progress.ts'

const CALL = { method: 'POST', path: '/api/estate?confirm=1' }

describe('the line', () => {
  it('says what is under way before anything is known of it', () => {
    expect(progressLine({ ...CALL, progress: null })).toBe('At work.')
  })

  it('names the whole and each component', () => {
    const components = [
      { name: 'dns', done: 340, total: 500, state: 'writing' },
      { name: 'routes', done: 0, total: 0, state: 'waiting' },
    ] as const
    expect(progressLine({ ...CALL, progress: { done: 340, total: 500, components } })).toBe(
      'At work: 340 of 500 (dns 340 of 500 writing, routes waiting)',
    )
  })
})

describe('where it is shown', () => {
  const stream = (is_tty: boolean) => {
    const written: string[] = []
    const write = (text: string) => void written.push(text)
    return { written, stream: { isTTY: is_tty, columns: 10, write } as unknown as NodeJS.WriteStream }
  }

  it('a terminal: written over, wrapped at spaces, and taken away', () => {
    const { written, stream: terminal } = stream(true)
    const status = statusLine(terminal)!
    status(null)
    status('one')
    status('a line that is toolongaword')
    status('two')
    status(null)
    status(null)
    expect(written).toEqual([
      '\r\u001b[Jone',
      '\r\u001b[Ja line\nthat is\ntoolongaw',
      '\r\u001b[2A\u001b[Jtwo',
      '\r\u001b[J',
    ])
  })

  it('a pipe: not at all', () => {
    expect(statusLine(stream(false).stream)).toBeUndefined()
  })
})

it('an operation is followed to its end, whose answer counts, and each look is told', async () => {
  const running = { state: 'running', answer: null, progress: { done: 1, total: 2, components: [] } }
  const looks = [
    running,
    { ...running, state: 'failed', answer: { status: 409, body: { detail: 'Taken.' } } },
  ]
  const told: unknown[] = []
  const api: Api = {
    where: 'here',
    close: async () => undefined,
    following: (operation) => void told.push(operation?.state ?? null),
    call: async ({ method }) =>
      method === 'POST'
        ? { status: 202, headers: { location: '/api/operations/1' }, body: running }
        : { status: 200, headers: {}, body: looks.shift() },
  }
  await expect(expectGood(api, { method: 'POST', path: '/api/deploy-all' })).rejects.toThrow('Taken.')
  expect(told).toEqual(['running', 'failed', null])
})
