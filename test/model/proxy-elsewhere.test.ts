/** A backend on loopback, where the proxy is known to run on another host or in another container. */
import { expect, it } from 'vitest'
import { loadConfig } from '../../src/settings-wiring.ts'
import { checkNew } from '../../src/model/domain/rules.ts'
import { offerOf, routesSettings } from '../../src/wiring.ts'

function warningsFor(backend_host: string, api: string | null): readonly string[] {
  const { settings } = loadConfig(api === null ? {} : { PLUMBLINE_TRAEFIK_API: api })
  const fields = {
    domain: 'app.example.com',
    service_type: 'http',
    environment: 'production',
    backend_host,
    backend_port: 3000,
  }
  const checked = checkNew(fields, offerOf(settings, routesSettings(settings)))
  return checked.ok ? checked.warnings : [`refused: ${JSON.stringify(checked.errors)}`]
}

it.each(['127.0.0.1', 'localhost', '::1'])('%s is the proxy itself, and said to be', (host) => {
  for (const api of ['http://traefik:8080', 'http://192.168.1.9:8080'])
    expect(warningsFor(host, api)).toEqual([
      expect.stringContaining(
        `backend_host ${host} is the proxy itself, which runs at ${new URL(api).hostname}`,
      ),
    ])
})

it.each([
  ['127.0.0.1', null],
  ['127.0.0.1', 'http://127.0.0.1:8080'],
  ['localhost', 'http://localhost:8080'],
  ['::1', 'http://[::1]:8080'],
  ['192.168.1.20', 'http://traefik:8080'],
  ['app', 'http://traefik:8080'],
])('nothing is said of %s where the API of the proxy is %s', (host, api) => {
  expect(warningsFor(host, api)).toEqual([])
})
