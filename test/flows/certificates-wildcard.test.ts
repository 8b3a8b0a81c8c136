/** Names under one wildcard: what moves only whose a certificate is, and what becomes of them when the wildcard leaves. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { describePeers } from '../peers/peers.ts'
import {
  CERTIFICATE_PROGRAMS,
  type CertificatesWorld,
  openBehindProxy,
  startWorld,
} from './certificates-world.ts'
import { createActive } from './test-house.ts'

const WILDCARD = '*.z1.test'
const NAME = 'a.z1.test'
const internal = (domain: string) => ({ domain, service_type: 'internal' })

describePeers(CERTIFICATE_PROGRAMS, 'a wildcard certificate', () => {
  let world: CertificatesWorld
  let at: Awaited<ReturnType<typeof openBehindProxy>>
  let wildcard: number
  let id: number
  beforeAll(async () => {
    world = await startWorld(['z1.test'])
    at = await openBehindProxy({ env: world.env })
    wildcard = await createActive(at.at.call, internal(WILDCARD))
    id = await createActive(at.at.call, internal(NAME))
  })
  afterAll(async () => {
    await at[Symbol.asyncDispose]()
    await world.stop()
  })

  const call: (typeof at)['at']['call'] = (...all) => at.at.call(...all)
  const kept = async () => {
    const { body } = await call('GET', '/api/control-plane/health')
    const components = body['components'] as unknown as readonly { name: string; drift: unknown }[]
    return components
      .filter(({ name }) => name.startsWith('cert:') || name === 'certificates-file')
      .map(({ name, drift }) => [name, drift])
  }

  it('waits for nothing while a name that it serves is saved without TLS', async () => {
    const clean = [
      [`cert:${WILDCARD}`, false],
      ['certificates-file', false],
    ]
    expect(await kept()).toEqual(clean)
    await call('PUT', `/api/domains/${id}`, { body: { ssl_enabled: false } })
    expect(await kept()).toEqual(clean)
    await call('POST', `/api/domains/${id}/discard`)
  })

  it('leaves with a plan that names the certificate that is ordered in its place, which the call obtains', async () => {
    const path = `/api/domains/${wildcard}`
    const planned = (await call('DELETE', `${path}?dry_run=true`)).body
    expect(planned).toMatchObject({
      plan: {
        actions: expect.arrayContaining([
          expect.objectContaining({ component: 'certificates', verb: 'create', item: NAME }),
        ]) as unknown,
      },
    })
    const { hash: confirm } = planned['plan'] as unknown as { readonly hash: string }
    const done = await call('DELETE', `${path}?confirm=${confirm}`)
    expect(done, JSON.stringify(done.body)).toMatchObject({ status: 200, body: { success: true } })
    await expect.poll(kept, { timeout: 20_000 }).toEqual([
      [`cert:${NAME}`, false],
      ['certificates-file', false],
    ])
    const file = readFileSync(join(at.at.directory, 'traefik', 'certificates.yml'), 'utf8')
    expect(file).toContain(NAME)
    expect(file).not.toContain('_wildcard')
  })
})
