/** Requests and server errors of a domain out of the text that Traefik shows Prometheus: what is not known is never 0. */
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, it } from 'vitest'
import { serviceCountsIn } from '../../src/features/routes/traefik/service-counts.ts'
import { itInDepth } from '../kit/in-depth.ts'
import { create, createActive, openTestHouse } from './test-house.ts'

/** As Traefik 3 writes it. */
const START = `# HELP process_start_time_seconds Start time of the process since unix epoch in seconds.
# TYPE process_start_time_seconds gauge
process_start_time_seconds 1.76416e+09
# HELP traefik_config_reloads_total Config reloads
# TYPE traefik_config_reloads_total counter
traefik_config_reloads_total 3
`
const COUNTED = `${START}# HELP traefik_service_requests_total How many HTTP requests processed on a service, partitioned by status code, protocol, and method.
# TYPE traefik_service_requests_total counter
traefik_service_requests_total{code="200",method="GET",protocol="http",service="plumbline-site_app.example.com@file"} 1234
traefik_service_requests_total{code="304",method="GET",protocol="http",service="plumbline-site_app.example.com@file"} 6
traefik_service_requests_total{code="502",method="GET",protocol="http",service="plumbline-site_app.example.com@file"} 7
traefik_service_requests_total{code="500",method="POST",protocol="http",service="plumbline-site_app.example.com@file"} 1
traefik_service_requests_total{code="200",method="GET",protocol="http",service="plumbline-site_app.example.com.evil@file"} 99
traefik_service_requests_total{code="200",method="EXTENSION_METHOD",protocol="http",service="who}else@docker"} 1e+06
`

const turns = { given: 0 }
const countsIn = (text: string) => serviceCountsIn(text, async () => void turns.given++)
const SERIES = 'traefik_service_requests_total'

it('are read whole: codes together, other services apart, and lines of anybody are passed over', async () => {
  const read = await countsIn(COUNTED)
  expect(read?.since).toBe(1_764_160_000_000)
  expect(read?.services?.get('plumbline-site_app.example.com@file')).toEqual({
    requests: 1248,
    server_errors: 8,
  })
  expect(read?.services?.get('who}else@docker')).toEqual({ requests: 1_000_000, server_errors: 0 })
  expect(await countsIn(START)).toEqual({ services: null, since: 1_764_160_000_000 })
  for (const text of ['', '\n\n', 'process_start_time_seconds x', 'process_start_time_seconds 1e300'])
    expect(await countsIn(text)).toEqual({ services: null, since: null })
  const quoted = await countsIn(`${SERIES}{code="200",service="a\\"b\\\\c\\n@file",} 3 1764160000000\r\n`)
  expect(quoted?.services?.get('a"b\\c\n@file')).toEqual({ requests: 3, server_errors: 0 })
})

itInDepth(
  'are not known where a part of their sum is none, and none is known where a line cannot be read',
  async () => {
    for (const count of ['', ' ', ' NaN', ' +Inf', ' -1', ' 0x10', ' 1e300', ' 1,5', ' <html>']) {
      const text = `${SERIES}{code="200",service="a"} 5\n${SERIES}{code="500",service="a"}${count}\n`
      const read = await countsIn(`${text}${SERIES}{code="200",service="b"} 1\n`)
      expect([count, read?.services?.get('a')]).toEqual([count, null])
      expect(read?.services?.get('b')).toEqual({ requests: 1, server_errors: 0 })
    }
    const long = 'a'.repeat(4_000_000)
    for (const rest of [
      '',
      '} 1',
      'code="200"} 1',
      'service="a',
      'service="a"',
      'service="a" code="200"} 1',
      'service="a",service="b"} 1',
      // Each of these took hours, or ended in an error of the language, as one regular expression.
      `${long}} 1`,
      `${long}="`,
      `a="${long}`,
      'a="'.repeat(1_000_000),
      `service="${'\\'.repeat(4_000_000)}`,
    ])
      expect(await countsIn(`${SERIES}{${rest}`)).toBeNull()
    turns.given = 0
    const many = await countsIn(`${SERIES}{code="200",service="a"} 1\n`.repeat(20_000))
    expect([many?.services?.get('a')?.requests, turns.given]).toEqual([20_000, 10])
  },
)

const listening = (server: Server) =>
  new Promise<string>((done) =>
    server.listen(0, '127.0.0.1', () =>
      done(`http://127.0.0.1:${(server.address() as AddressInfo).port}/metrics`),
    ),
  )

itInDepth(
  'stand at the domain, asked once for all, and are null with the reason where nobody knows',
  async () => {
    let [text, status, asked] = [COUNTED, 200, 0]
    const server = createServer((_request, response) => {
      asked++
      response.writeHead(status, { 'content-type': 'text/plain; version=0.0.4' }).end(text)
    })
    const url = await listening(server)
    const env = { PLUMBLINE_TRAEFIK_METRICS: url }
    try {
      await using at = await openTestHouse({ env })
      const trafficOf = async (id: number, house = at) =>
        (await house.call('GET', `/api/domains/${id}/traffic`)).body
      const id = await createActive(at.call)
      const other = await createActive(at.call, { domain: 'quiet.example.com' })
      const idle = await create(at.call, { domain: 'idle.example.com' })
      expect(await Promise.all([trafficOf(id), trafficOf(other), trafficOf(idle)])).toMatchObject([
        { requests: 1248, server_errors: 8, since: '2025-11-26T12:26:40.000Z', detail: null },
        // Others are counted, so nobody has asked for this one.
        { requests: 0, server_errors: 0 },
        { configured: true, requests: null, detail: expect.stringContaining('not deployed') as string },
      ])
      expect(asked).toBe(1)
      expect((await at.call('GET', '/api/domains/4711/traffic')).status).toBe(404)
      expect((await at.call('GET', `/api/domains/${id}/traffic`, { key: null })).status).toBe(401)
      text = START
      await using later = await at.reopen()
      expect(await trafficOf(id, later)).toMatchObject({
        requests: null,
        server_errors: null,
        detail: expect.stringContaining('addServicesLabels') as string,
      })
    } finally {
      server.closeAllConnections()
      await new Promise((done) => server.close(done))
    }
    status = 200
    await using alone = await openTestHouse({ env })
    const id = await createActive(alone.call)
    expect((await alone.call('GET', `/api/domains/${id}/traffic`)).body).toMatchObject({
      configured: true,
      requests: null,
      detail: expect.any(String) as string,
    })
  },
)

itInDepth('are not known to whoever still waits for them at the end', async () => {
  const asked = Promise.withResolvers<void>()
  const server = createServer(() => asked.resolve())
  const env = { PLUMBLINE_TRAEFIK_METRICS: await listening(server) }
  try {
    await using at = await openTestHouse({ env })
    const id = await createActive(at.call)
    const answer = at.call('GET', `/api/domains/${id}/traffic`)
    await asked.promise
    await at.house.close()
    expect((await answer).body).toMatchObject({
      requests: null,
      detail: expect.stringContaining('not asked any more') as string,
    })
  } finally {
    server.closeAllConnections()
    await new Promise((done) => server.close(done))
  }
})
