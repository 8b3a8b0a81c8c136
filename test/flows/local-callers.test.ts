/** Who counts as this host: over real sockets, with what a proxy on the same machine sends for everybody else. */
import { expect, it } from 'vitest'
import { loadConfig } from '../../src/settings-wiring.ts'
import { localWarning } from '../../src/http-wiring.ts'
import { talk } from '../http/socket.ts'
import { openTestHouse } from './test-house.ts'

const open = async (env: Readonly<Record<string, string>> = {}) => {
  const at = await openTestHouse({ opened: false, env })
  const { port } = new URL(await at.house.open())
  return { at, port: Number(port) }
}

const get = (path: string, version: string, ...lines: string[]) =>
  [`GET ${path} HTTP/${version}`, 'Host: 127.0.0.1', 'Connection: close', ...lines, '', ''].join('\r\n')
const statusOf = (answer: string) => Number(/^HTTP\/1\.1 (\d{3})/.exec(answer)?.[1])
const asked = async (port: number, version: string, ...lines: string[]) =>
  statusOf(await talk(port, get('/api/metrics-targets', version, ...lines)))

it('HTTP/1.0, which old proxies speak and which names no caller, is never this host', async () => {
  const { at, port } = await open()
  await using _ = at
  expect([await asked(port, '1.1'), await asked(port, '1.0')]).toEqual([200, 403])
  const refused = await talk(port, get('/api/metrics-targets', '1.0'))
  expect(refused).toContain('HTTP/1.0')
  const deploy = `POST /api/deploy-proxy HTTP/1.0\r\nHost: 127.0.0.1\r\n\r\n`
  expect(statusOf(await talk(port, deploy))).toBe(403)
  expect(await asked(port, '1.0', `X-API-Key: ${at.house.key.reveal()}`)).toBe(200)
})

it('nor is it a trusted network, unless a listed proxy that proves itself names one', async () => {
  const { at, port } = await open({ PLUMBLINE_TRUSTED_NETWORKS: '127.0.0.0/8', PLUMBLINE_LOCAL: 'off' })
  await using _ = at
  expect([await asked(port, '1.1'), await asked(port, '1.0')]).toEqual([200, 403])
})

it.each<[what: string, env: Record<string, string>, status: number, says: RegExp | null]>([
  ['nothing is set', {}, 200, null],
  [
    'a public address is set',
    { PLUMBLINE_PUBLIC_URL: 'https://ctl.example.org' },
    403,
    /Calls from this host need a key/,
  ],
  [
    'hosts are allowed',
    { PLUMBLINE_ALLOWED_HOSTS: 'ctl.example.org' },
    403,
    /Calls from this host need a key/,
  ],
  ['it is off', { PLUMBLINE_LOCAL: 'off' }, 403, null],
  [
    'it is on beside a public address',
    { PLUMBLINE_LOCAL: 'on', PLUMBLINE_PUBLIC_URL: 'https://ctl.example.org' },
    200,
    null,
  ],
])('where %s, a call from this host without a key is answered so', async (_what, env, status, says) => {
  const { at, port } = await open(env)
  await using _ = at
  expect(await asked(port, '1.1')).toBe(status)
  expect(localWarning(loadConfig(env).settings) ?? '').toMatch(says ?? /^$/)
  if (status === 403)
    expect(await talk(port, get('/api/metrics-targets', '1.1'))).toContain('PLUMBLINE_LOCAL')
  expect(await asked(port, '1.1', `X-API-Key: ${at.house.key.reveal()}`)).toBe(200)
})
