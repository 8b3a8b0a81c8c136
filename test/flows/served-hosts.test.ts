/** Under which Host header the daemon answers, over real sockets: probes send any, people type addresses, pages are rebound. */
import { expect, it } from 'vitest'
import { talk } from '../http/socket.ts'
import { openTestHouse } from './test-house.ts'

const open = async () => {
  const at = await openTestHouse({ opened: false })
  const { port } = new URL(await at.house.open())
  const get = async (path: string, host: string | null, version = '1.1') => {
    const lines = [`GET ${path} HTTP/${version}`, ...(host === null ? [] : [`Host: ${host}`])]
    const answer = await talk(Number(port), [...lines, 'Connection: close', '', ''].join('\r\n'))
    return Number(/^HTTP\/1\.1 (\d{3})/.exec(answer)?.[1])
  }
  return { at, get }
}

it('liveness and readiness answer under any Host, also without one: probes of HAProxy send none', async () => {
  const { at, get } = await open()
  await using _ = at
  for (const path of ['/health', '/ready']) {
    await expect.poll(() => get(path, 'localhost')).toBe(200)
    for (const host of [
      'plumbline.default.svc.cluster.local',
      'evil.example:8080',
      '10.42.0.7:8080',
      'a b',
      '',
    ])
      expect([path, host, await get(path, host)]).toEqual([path, host, 200])
    expect([path, await get(path, null, '1.0')]).toEqual([path, 200])
    // Two of them are an attempt to be read in two ways.
    expect([path, await get(path, 'localhost\r\nHost: localhost')]).toEqual([path, 400])
  }
})

it('an address is no name that somebody could lead here: it is served; another name is not', async () => {
  const { at, get } = await open()
  await using _ = at
  const path = '/api/metrics-targets'
  for (const host of [
    '192.168.1.20:8080',
    '10.0.0.5',
    '[fd00::5]:8080',
    '[2001:db8::1]',
    'localhost',
    '[::1]:1',
  ])
    expect([host, await get(path, host)]).toEqual([host, 200])
  for (const host of [
    'evil.example',
    '192.168.1.20.evil.example',
    'localhost.evil.example',
    '2130706433',
    '0x7f.1',
    '127.1',
    '0.0.0.0:8080',
    '[::]:8080',
  ])
    expect([host, await get(path, host)]).toEqual([host, 421])
})
