/** A route that asks for a sign-in, and nobody who could give one: told with every save that concerns the sign-in, every plan and deploy. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, it } from 'vitest'
import { run } from './command.ts'
import { APP, create, createActive, envIn, openTestHouse, type TestHouse } from './test-house.ts'
import { itInDepth } from '../kit/in-depth.ts'

/** Nobody listens there. */
const NOBODY = { PLUMBLINE_SSO_URL: 'http://127.0.0.1:9' }

const told = (why: string) =>
  expect.stringMatching(
    new RegExp(
      `^app\\.example\\.com asks for a sign-in and answers 500 while the proxy reaches no SSO provider\\. ${why}.*"plumbline doctor" says what to set\\. To leave a domain open, say auth_required=false\\.$`,
    ),
  ) as unknown

const REFUSED = told('http://127\\.0\\.0\\.1:9/api/health refused the connection\\.')

const SELDOM = { interval: 500 }

const TCP = { service_type: 'tcp-proxy', tcp_entrypoint: 'ssh', ssl_enabled: false, auth_required: true }

/** Null: it says nothing. */
async function startPeer() {
  const peer = { url: '', asked: 0, answers: 200 as number | null, stop: async () => undefined as void }
  const server = createServer((_request, response) => {
    peer.asked++
    if (peer.answers !== null) response.writeHead(peer.answers).end('{}')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  peer.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  peer.stop = async () => {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  }
  return peer
}

/** What the plan of an activation warns of. */
const activating = async ({ call }: Pick<TestHouse, 'call'>, id: number) => {
  const { body } = await call('POST', `/api/domains/${id}/activate?dry_run=true`)
  return (body as unknown as { plan: { warnings: readonly string[] } }).plan.warnings
}

const provider = async ({ call }: Pick<TestHouse, 'call'>) => {
  const { body } = await call('GET', '/api/control-plane/health?probe=true')
  const { ok, components } = body as unknown as { ok: boolean; components: { component: string }[] }
  return { ok, ...components.find(({ component }) => component === 'sso_provider') }
}

itInDepth(
  'a save, a plan and a deploy say that no provider answers where it was said to be, and status is red',
  async () => {
    await using at = await openTestHouse({ env: NOBODY })
    const rehearsed = await at.call('POST', '/api/domains?dry_run=true', { body: APP })
    expect(rehearsed.body).toMatchObject({
      plan: { warnings: [REFUSED] },
      deploy: { plan: { warnings: [REFUSED] } },
    })
    const saved = await at.call('POST', '/api/domains', { body: APP })
    expect(saved).toMatchObject({ status: 201, body: { warnings: [REFUSED] } })
    const id = saved.body['domain_id'] as unknown as number
    // A change that leaves the sign-in alone says nothing of it.
    const edited = await at.call('PUT', `/api/domains/${id}`, { body: { backend_port: 81 } })
    expect(edited).toMatchObject({ status: 200, body: { warnings: [] } })
    const renamed = await at.call('PUT', `/api/domains/${id}?dry_run=true`, {
      body: { domain: 'b.example.com' },
    })
    const told_then = expect.stringContaining('b.example.com asks for a sign-in') as string
    expect(renamed.body).toMatchObject({ plan: { warnings: [told_then] } })
    const activated = await at.call('POST', `/api/domains/${id}/activate`)
    expect(activated).toMatchObject({ status: 200, body: { success: true, warnings: [REFUSED] } })
    await at.call('PUT', `/api/domains/${id}`, { body: { backend_port: 83 } })
    const discarded = await at.call('POST', `/api/domains/${id}/discard`)
    expect(discarded).toMatchObject({ status: 200, body: { warnings: [] } })
    await at.call('PUT', `/api/domains/${id}`, { body: { backend_port: 82 } })
    const planned = await at.call('POST', '/api/plans', { body: {} })
    expect(planned).toMatchObject({ status: 201, body: { plan: { warnings: [REFUSED] } } })
    const deployed = await at.call('POST', `/api/domains/${id}/deploy`)
    expect(deployed).toMatchObject({ status: 200, body: { warnings: [REFUSED] } })
    for (const path of ['/api/deploy-all', '/api/deploy-proxy'])
      expect((await at.call('POST', path)).body['warnings'], path).toEqual([REFUSED])
    const retired = await at.call('POST', `/api/domains/${id}/deactivate`)
    expect(retired).toMatchObject({ status: 200, body: { warnings: [] } })
    expect(await provider(at)).toMatchObject({
      ok: false,
      configured: true,
      drift: false,
      cause: 'unreachable',
    })
    expect(await run(['status'], { ...envIn(at.directory), ...NOBODY })).toMatchObject({ code: 2 })
  },
)

it('at the address that nobody said it is a warning, and status counts it for nothing', async () => {
  await using at = await openTestHouse({ env: { PLUMBLINE_SSO_URL: '' } })
  const id = await create(at.call)
  // A resolver may take longer than a save waits.
  await expect.poll(async () => activating(at, id)).toEqual([told('http://authelia:9091/api/health ')])
  expect(await provider(at)).toMatchObject({ configured: false })
})

it('records without a sign-in say nothing, and nobody is asked', async () => {
  const peer = await startPeer()
  await using at = await openTestHouse({ opened: false, env: { PLUMBLINE_SSO_URL: peer.url } })
  for (const [i, fields] of [{ auth_required: false }, TCP].entries()) {
    const id = await create(at.call, { domain: `open${i}.example.com`, ...fields })
    expect((await at.call('POST', `/api/domains/${id}/activate`)).status).toBe(200)
  }
  expect(peer.asked).toBe(0)
  await createActive(at.call)
  expect(peer.asked).toBe(1)
  await peer.stop()
})

itInDepth(
  'one that takes connections and says nothing holds nobody up for long, and is told of by the next plan',
  async () => {
    const peer = await startPeer()
    peer.answers = null
    await using at = await openTestHouse({ opened: false, env: { PLUMBLINE_SSO_URL: peer.url } })
    const saved = await at.call('POST', '/api/domains', { body: APP })
    expect(saved).toMatchObject({ status: 201, body: { warnings: [] } })
    const id = saved.body['domain_id'] as unknown as number
    await expect.poll(async () => activating(at, id)).toEqual([told(`${peer.url}/api/health `)])
    await peer.stop()
  },
)

itInDepth('one that takes connections and says nothing is unknown, not red', async () => {
  const peer = await startPeer()
  peer.answers = null
  await using at = await openTestHouse({ opened: false, env: { PLUMBLINE_SSO_URL: peer.url } })
  expect(await provider(at)).toMatchObject({ ok: false, drift: null, cause: null })
  await peer.stop()
})

itInDepth('a provider that comes up is seen, and so is one that goes', async () => {
  const peer = await startPeer()
  await using at = await openTestHouse({ env: { PLUMBLINE_SSO_URL: peer.url } })
  const id = await create(at.call)
  const warnings = async () => activating(at, id)
  expect(await warnings()).toEqual([])
  peer.answers = 503
  await expect.poll(warnings, SELDOM).toEqual([told(`${peer.url}/api/health answered with status 503\\.`)])
  peer.answers = 200
  await expect.poll(warnings, SELDOM).toEqual([])
  await peer.stop()
})
