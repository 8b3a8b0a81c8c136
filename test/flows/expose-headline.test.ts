/** An exposure is called one only where somebody can be served by it. */
import { type AddressInfo, createServer, type Server } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { freePort } from '../kit/ports.ts'
import { openTestHouse, type TestHouse } from './test-house.ts'

let server: Server
beforeAll(async () => {
  server = createServer((socket) => socket.end())
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
})
afterAll(() => void server.close())

const NAME = 'x.example.com'
const there = () => (server.address() as AddressInfo).port

const expose = async (at: TestHouse, more: object) => {
  const body = { domain: NAME, backend_host: '127.0.0.1', backend_port: there(), static_ip: '198.51.100.7' }
  const answer = await at.call('POST', '/api/domains/expose', { body: { ...body, ...more } })
  expect(answer.status, JSON.stringify(answer.body)).toBe(200)
  return answer.body as unknown as { readonly message: string; readonly warnings: readonly string[] }
}

describe('the headline', () => {
  it('says that it is exposed where its backend answers', async () => {
    await using at = await openTestHouse()
    for (const [domain, more] of [
      [NAME, {}],
      ['said.example.com', { backend_scheme: 'http' }],
    ] as const) {
      const { message, warnings } = await expose(at, { domain, ...more })
      expect(message).toBe(`${domain} is live.`)
      expect(String(warnings)).not.toContain('its backend')
    }
  })

  it.each([
    ['that is asked how it is spoken to', {}],
    ['of which that was said', { backend_scheme: 'http' }],
  ])('names a backend %s and that refuses connections', async (_, more) => {
    await using at = await openTestHouse()
    const backend_port = await freePort()
    const answer = await expose(at, { backend_port, ...more })
    const { message, warnings } = answer
    const words = `its backend 127.0.0.1:${backend_port} refuses connections from here`
    expect(message).toBe(`${NAME} is saved and deployed, but ${words}.`)
    expect(answer).toMatchObject({ loaded: null, proxy_asked: false })
    expect(warnings).toContain(`${NAME}: ${words}.`)
    expect(at.routes()).toContain(NAME)
  })

  it('names a backend whose name nobody knows', async () => {
    await using at = await openTestHouse()
    const { message } = await expose(at, { backend_host: 'nobody.invalid' })
    expect(message).toContain(`its backend nobody.invalid:${there()} was not found from here`)
  })

  it('says that no record is made of a name that no zone takes', async () => {
    await using at = await openTestHouse({
      env: {
        PLUMBLINE_DNS_PROVIDER: 'rfc2136',
        PLUMBLINE_RFC2136_SERVER: `127.0.0.1:${await freePort()}`,
        PLUMBLINE_RFC2136_ZONES: 'elsewhere.example',
        PLUMBLINE_RFC2136_KEY_NAME: 'k',
        PLUMBLINE_RFC2136_KEY_SECRET: Buffer.alloc(32).toString('base64'),
      },
    })
    const { message, warnings } = await expose(at, {})
    expect(message).toBe(
      `${NAME} is saved and deployed, and nobody gets it yet: no DNS record of it is made.`,
    )
    expect(String(warnings)).toContain('so no record is made')
  })

  it('of what is managed elsewhere stays as it was', async () => {
    await using at = await openTestHouse()
    const { message } = await expose(at, { service_type: 'manual', backend_host: null, backend_port: null })
    expect(message).toContain('is active; it is managed elsewhere')
  })
})

it('a dry run asks nobody', async () => {
  let asked = 0
  const counted = createServer((socket) => (asked++, socket.destroy())).listen(0, '127.0.0.1')
  await new Promise((resolve) => counted.once('listening', resolve))
  await using at = await openTestHouse()
  const body = {
    domain: NAME,
    backend_host: '127.0.0.1',
    backend_port: (counted.address() as AddressInfo).port,
    backend_scheme: 'http',
  }
  await at.call('POST', '/api/domains/expose?dry_run=true', { body })
  expect(asked).toBe(0)
  await at.call('POST', '/api/domains/expose', { body })
  // The one that calls may have its connection before the one that counts is told.
  await expect.poll(() => asked).toBe(1)
  counted.close()
})

it.each([
  ['a gateway reports, so no fixed address goes before that', { ddns_enabled: true }, null],
  ['its own is said', { ddns_enabled: true, static_ip: '198.51.100.7' }, '198.51.100.7'],
  ['nobody reports', {}, '203.0.113.7'],
])('the address of what is exposed: %s', async (_, more, static_ip) => {
  await using at = await openTestHouse({ env: { PLUMBLINE_PUBLIC_IP: '203.0.113.7' } })
  const body = { domain: NAME, backend_host: '127.0.0.1', backend_port: there(), ...more }
  const answer = await at.call('POST', '/api/domains/expose', { body })
  expect(answer.status, JSON.stringify(answer.body)).toBe(200)
  expect(String(answer.body['warnings'])).not.toContain('static_ip')
  const { body: record } = await at.call('GET', `/api/domains/${Number(answer.body['domain_id'])}`)
  expect(record['static_ip']).toBe(static_ip)
  const issued = await at.call('POST', '/api/ddns/tokens', { body: { host: NAME } })
  const warnings = String(issued.body['warnings'])
  if (static_ip !== null && 'ddns_enabled' in more)
    expect(warnings).toContain(`"plumbline set ${NAME} static_ip= --deploy" takes it away.`)
  else expect(warnings).not.toContain('static_ip')
})
