/** Requests and server errors of a domain out of the text that Traefik shows Prometheus: what is not known is never 0. */
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, it } from 'vitest'
import { serviceCountsIn } from '../../src/features/routes/traefik/service-counts.ts'
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

it('are read whole: codes together, other services apart, and lines of anybody are passed over', () => {
  const { services, since } = serviceCountsIn(COUNTED)
  expect(since).toBe(1_764_160_000_000)
  expect(services?.get('plumbline-site_app.example.com@file')).toEqual({ requests: 1248, server_errors: 8 })
  expect(services?.get('who}else@docker')).toEqual({ requests: 1_000_000, server_errors: 0 })
  expect(serviceCountsIn(START)).toEqual({ services: null, since: 1_764_160_000_000 })
  for (const text of [
    '',
    '\n\n',
    'traefik_service_requests_total{',
    'traefik_service_requests_total{service="a"} NaN',
    'process_start_time_seconds x',
  ])
    expect(serviceCountsIn(text)).toEqual({ services: null, since: null })
})

const listening = (server: Server) =>
  new Promise<string>((done) =>
    server.listen(0, '127.0.0.1', () =>
      done(`http://127.0.0.1:${(server.address() as AddressInfo).port}/metrics`),
    ),
  )

it('stand at the domain, asked once for all, and are null with the reason where nobody knows', async () => {
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
})
