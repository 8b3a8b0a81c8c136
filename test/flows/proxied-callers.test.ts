/** What a listed proxy says of its callers, over real sockets: believed with its secret, and of nobody else. */
import { expect, it } from 'vitest'
import { silentLog } from '../../src/kernel/log.ts'
import { talk } from '../http/socket.ts'
import { openTestHouse } from './test-house.ts'

const PROXY = '127.0.0.9'
const SECRET = 'the-secret-of-the-proxy-0123456789'
const LAN = 'X-Forwarded-For: 10.1.0.7'
const PROOF = `X-Plumbline-Proxy-Secret: ${SECRET}`

const open = async () => {
  const warned: unknown[] = []
  const at = await openTestHouse({
    opened: false,
    log: { ...silentLog, warn: (message, facts) => void warned.push([message, facts?.['proxy']]) },
    env: {
      PLUMBLINE_TRUSTED_PROXIES: PROXY,
      PLUMBLINE_PROXY_SECRET: SECRET,
      PLUMBLINE_TRUSTED_NETWORKS: '10.1.0.0/16',
      PLUMBLINE_LOCAL: 'on',
    },
  })
  const { port } = new URL(await at.house.open())
  const ask = (path: string, lines: readonly string[], from = PROXY) =>
    talk(
      Number(port),
      [`GET ${path} HTTP/1.1`, 'Host: localhost', 'Connection: close', ...lines, '', ''].join('\r\n'),
      from,
    )
  const status = async (lines: readonly string[], from = PROXY, path = '/api/metrics-targets') =>
    Number(/^HTTP\/1\.1 (\d{3})/.exec(await ask(path, lines, from))?.[1])
  return { at, ask, status, warned }
}

it('X-Forwarded-For counts with the secret and not without it, whoever knows the address of the proxy', async () => {
  const { at, ask, status } = await open()
  await using _ = at
  expect(await status([LAN, PROOF])).toBe(200)
  for (const lines of [[LAN], [LAN, `${PROOF}x`], [LAN, 'X-Plumbline-Proxy-Secret:'], []])
    expect([lines, await status(lines)]).toEqual([lines, 403])
  expect(await status([LAN, PROOF], '127.0.0.8')).toBe(403)
  expect(await ask('/api/metrics-targets', [LAN])).toContain('X-Plumbline-Proxy-Secret')
  // What the proxy hands on is never this host, whatever it leaves out.
  expect([await status([PROOF]), await status([PROOF], '127.0.0.1'), await status([], '127.0.0.1')]).toEqual([
    403, 403, 200,
  ])
})

it('a gateway behind it is where the proxy says, and unknown without the secret', async () => {
  const { at, ask } = await open()
  await using _ = at
  await at.call('POST', '/api/domains', {
    body: {
      domain: 'home.example.com',
      service_type: 'http',
      environment: 'production',
      backend_host: '10.0.0.5',
      backend_port: 80,
      ddns_enabled: true,
    },
  })
  const path = `/api/ddns/update/home.example.com?key=${at.house.key.reveal()}`
  const forged = await ask(path, ['X-Forwarded-For: 84.1.1.1'])
  expect(forged).toMatch(/^HTTP\/1\.1 422/)
  expect(await ask(path, ['X-Forwarded-For: 84.1.1.1', PROOF])).toContain('good 84.1.1.1')
})

it('a proxy that does not prove itself is named in the log, once', async () => {
  const { at, status, warned } = await open()
  await using _ = at
  for (let i = 0; i < 3; i++) await status([LAN])
  await status([LAN, PROOF])
  expect(warned).toEqual([[expect.stringContaining('does not prove itself'), PROXY]])
})
