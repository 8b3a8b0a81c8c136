/** An alert router that answers nonsense, or an older one: every answer of ours says so, nothing is taken for granted, nothing is reloaded. */
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { itInDepth } from '../kit/in-depth.ts'
import { type AlertingWorld, alertingWorld, partOf, WITHIN } from './alerting-world.ts'

interface FaultyRouter {
  readonly url: string
  answer: (path: string, response: ServerResponse) => void
  /** `GET /-/ready` and so on, in their order. */
  readonly asked: string[]
  close(): Promise<void>
}

async function faultyRouter(): Promise<FaultyRouter> {
  const asked: string[] = []
  const server = createServer((request, response) => {
    request.resume()
    asked.push(`${request.method} ${request.url}`)
    router.answer(request.url!, response)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const router: FaultyRouter = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    answer: (_path, response) => response.end(),
    asked,
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
  return router
}

type Answer = FaultyRouter['answer']
const always =
  (status: number, body: string, type = 'text/plain'): Answer =>
  (_path, response) =>
    response.writeHead(status, { 'content-type': type }).end(body)
/** It is ready, and all of the API is what it is told to be. */
const ready =
  (api: Answer): Answer =>
  (path, response) =>
    path.startsWith('/api/') ? api(path, response) : always(200, 'OK')(path, response)
const json = (value: unknown): Answer => always(200, JSON.stringify(value), 'application/json')

describe('a router that', () => {
  let world: AlertingWorld
  let router: FaultyRouter
  beforeEach(async () => {
    world = await alertingWorld()
    router = await faultyRouter()
  })
  afterEach(async () => {
    await world.close()
    await router.close()
  })
  const open = () => world.open({ PLUMBLINE_ALERTMANAGER_URL: router.url })
  type Seen = Readonly<Record<'alert_router' | 'alert_routes', RegExp | true>>

  async function expectNamed(told: RegExp, { alert_router, alert_routes }: Seen): Promise<void> {
    const at = await open()
    const calls = [
      await at.call('GET', '/api/alerts'),
      await at.call('POST', '/api/alerts/ack', { body: { name: 'CephOsdDown' } }),
      await at.call('POST', '/api/alerts/test', { body: {} }),
    ]
    for (const { status, body } of calls) {
      expect(status, JSON.stringify(body)).toBe(503)
      expect(body['detail']).toMatch(told)
    }
    expect((await at.call('GET', '/api/audit?limit=50')).body).not.toContainEqual(
      expect.objectContaining({ action: expect.stringMatching(/_alert$/) as string }),
    )
    for (const [name, seen] of Object.entries({ alert_router, alert_routes }))
      await expect
        .poll(() => partOf(at, name), WITHIN)
        .toMatchObject(
          seen === true ? { ok: true } : { ok: false, message: expect.stringMatching(seen) as string },
        )
    // What it runs is not known, so nobody asks it to read anything again.
    expect(router.asked).not.toContain('POST /-/reload')
  }

  itInDepth('fails is quoted', async () => {
    router.answer = always(500, 'boom\u001b[31m at main.go')
    const words = /500 \(boom \[31m at main\.go\)/
    await expectNamed(words, { alert_router: words, alert_routes: words })
  })

  itInDepth('is a page of something else is not taken for one', async () => {
    router.answer = always(200, '<!doctype html><title>Sign in</title>', 'text/html')
    await expectNamed(/nothing of its kind|answered \S+ with 200\./, {
      alert_router: /nothing of its kind/,
      alert_routes: /nothing of its kind/,
    })
  })

  itInDepth('is older than its API of version 2 is named by what it answers', async () => {
    router.answer = ready(always(404, '404 page not found'))
    const words = /answered \/api\/v2\/\S+ with 404 \(404 page not found\)/
    await expectNamed(words, { alert_router: true, alert_routes: words })
  })

  it('takes a test alert and does not list it has not taken it', async () => {
    router.answer = ready(json([]))
    const at = await open()
    const { status, body } = await at.call('POST', '/api/alerts/test', { body: {} })
    expect([status, body['detail']]).toEqual([
      503,
      'Alertmanager was given PlumblineTest, and does not list it.',
    ])
  })

  it('takes one silence and not the next is told with how many stand, and that one is in the trail', async () => {
    const alert = (instance: string) => ({
      labels: { alertname: 'Down', instance, severity: 'warning' },
      annotations: {},
      fingerprint: instance,
      startsAt: '2026-11-01T00:00:00Z',
      status: { silencedBy: [], inhibitedBy: [] },
    })
    let taken = 0
    router.answer = ready((path, response) =>
      path === '/api/v2/silences'
        ? taken++ === 0
          ? json({ silenceID: 'first' })(path, response)
          : always(500, 'boom')(path, response)
        : json([alert('hub'), alert('nas')])(path, response),
    )
    const at = await open()
    const { status, body } = await at.call('POST', '/api/alerts/ack', { body: { name: 'Down' } })
    expect([status, body['detail']]).toEqual([
      503,
      'Alertmanager answered /api/v2/silences with 500 (boom). 1 of 2 silences were set before that.',
    ])
    expect((await at.call('GET', '/api/audit?action=acknowledge_alert')).body).toMatchObject([
      { detail: { instance: 'hub', silence: 'first' } },
    ])
  })

  itInDepth('answers in another shape is not read as one without alerts', async () => {
    router.answer = ready(json({ status: 'success', data: [] }))
    await expectNamed(/nothing of its kind|answered \S+ with 200/, {
      alert_router: true,
      alert_routes: /nothing of its kind/,
    })
  })

  itInDepth('tells of an alert at a time that is none is not quoted as if it were', async () => {
    const alert = { labels: { alertname: 'A' }, annotations: {}, fingerprint: 'f', startsAt: 'garbage' }
    router.answer = ready(json([{ ...alert, status: { silencedBy: [], inhibitedBy: [] } }]))
    const at = await open()
    const { status, body } = await at.call('GET', '/api/alerts')
    expect([status, body['detail']]).toEqual([503, expect.stringMatching(/nothing of its kind/)])
  })

  itInDepth('ends every connection is unreachable', async () => {
    router.answer = (_path, response) => response.destroy()
    await expectNamed(/127\.0\.0\.1/, { alert_router: /127\.0\.0\.1/, alert_routes: /127\.0\.0\.1/ })
  })

  itInDepth('never answers holds nobody up', async () => {
    router.answer = () => undefined
    const words = /did not answer within \d+ ms/
    await expectNamed(words, { alert_router: words, alert_routes: words })
  })

  itInDepth('refuses a reload is told with its words, and not asked again at once', async () => {
    const running = { config: { original: 'receivers:\n- name: theirs\n' } }
    router.answer = (path, response) =>
      path === '/-/reload'
        ? always(500, 'failed to reload config: yaml: line 3: did not find expected key')(path, response)
        : ready(json(running))(path, response)
    const at = await open()
    await expect
      .poll(() => partOf(at, 'alert_routes'), WITHIN)
      .toMatchObject({
        ok: false,
        cause: 'not_loaded',
        message: expect.stringMatching(
          /refused to reload: 500 \(failed to reload config: yaml: line 3/,
        ) as string,
      })
    for (let n = 0; n < 5; n++) await partOf(at, 'alert_routes')
    expect(router.asked.filter((one) => one === 'POST /-/reload')).toHaveLength(1)
  })
})
