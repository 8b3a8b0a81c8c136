/** What a deleted domain's gateways reported goes with it, and nothing of another domain does. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { describePeers } from '../peers/peers.ts'
import { DNS_SOFTWARE, type DnsWorld } from './dns-world.ts'
import { APP, create, createActive, openTestHouse, type TestHouse } from './test-house.ts'
import { itInDepth } from '../kit/in-depth.ts'

const ZONE = 'given.test'
const PUBLIC = '203.0.113.10'
const FIXED = '198.51.100.1'
const HUB = `hub.${ZONE}`
const REPORTED = '84.1.1.1'
const software = DNS_SOFTWARE[0]!

describePeers(software.programs, 'a deleted domain with dynamic DNS', () => {
  let world: DnsWorld
  let at: TestHouse
  beforeAll(async () => {
    world = await software.start([ZONE])
    at = await openTestHouse({
      env: { ...world.env, PLUMBLINE_PUBLIC_IP: PUBLIC, PLUMBLINE_HUB_HOST: HUB },
    })
  })
  afterAll(async () => {
    await at[Symbol.asyncDispose]()
    await world.stop()
  })

  const ok = async (method: 'POST' | 'PUT' | 'DELETE', path: string, body?: unknown) => {
    const answer = await at.call(method, path, body === undefined ? {} : { body })
    expect([200, 201], JSON.stringify(answer.body)).toContain(answer.status)
    return answer.body
  }
  const issued = async (host: string) => String((await ok('POST', '/api/ddns/tokens', { host }))['key'])
  const report = (host: string, key: string, ip = REPORTED) =>
    at.call('GET', `/api/ddns/update/${host}?key=${key}&ip=${ip}`, { key: null, peer: '203.0.113.50' })
  const listed = async () => {
    const { body } = await at.call('GET', '/api/ddns/hosts')
    return (body as unknown as { readonly hosts: readonly { readonly host: string }[] }).hosts
  }
  const leftBehind = async (host: string) => {
    const id = await createActive(at.call, { domain: host, ddns_enabled: true })
    expect((await report(host, await issued(host))).status).toBe(200)
    await expect.poll(() => world.dig(host, 'A')).toEqual([REPORTED])
    await ok('DELETE', `/api/domains/${id}`)
  }

  itInDepth('a domain that gets its own earlier name back keeps its keys', async () => {
    const name = `back.${ZONE}`
    const id = await createActive(at.call, { domain: name, ddns_enabled: true })
    const key = await issued(name)
    expect((await report(name, key)).status).toBe(200)
    const { body: releases } = await at.call('GET', '/api/releases?limit=1')
    const [{ number } = expect.fail()] = releases as unknown as readonly { readonly number: number }[]
    await ok('PUT', `/api/domains/${id}`, { domain: `other-${name}` })
    await ok('POST', `/api/domains/${id}/deploy`)
    const { warnings } = await ok('POST', `/api/releases/${number}/restore`)
    expect(JSON.stringify(warnings)).not.toContain('another domain had the name')
    expect((await report(name, key, '84.2.2.2')).status).toBe(200)

    const draft = (
      await ok('POST', '/api/domains', { ...APP, domain: `sketch.${ZONE}`, ddns_enabled: true })
    )['domain_id']
    const other = await issued(`sketch.${ZONE}`)
    await ok('PUT', `/api/domains/${draft}`, { domain: `slip.${ZONE}` })
    await ok('PUT', `/api/domains/${draft}`, { domain: `sketch.${ZONE}` })
    expect((await report(`sketch.${ZONE}`, other)).status).toBe(200)
  })

  itInDepth('a name that a deploy frees is empty for the record that was saved under it before', async () => {
    const [name, next] = [`freed.${ZONE}`, `moved.${ZONE}`]
    const id = await createActive(at.call, { domain: name, ddns_enabled: true })
    const key = await issued(name)
    expect((await report(name, key)).status).toBe(200)
    await ok('PUT', `/api/domains/${id}`, { domain: next })
    const other = await create(at.call, { domain: name, ddns_enabled: true })
    await ok('POST', `/api/domains/${id}/deploy`)
    await ok('POST', `/api/domains/${other}/activate`)
    expect(await world.dig(name, 'A')).toEqual([PUBLIC])
    expect((await report(name, key, '84.77.77.77')).status).toBe(401)
    expect(await world.dig(next, 'A')).toEqual([REPORTED])
  })

  itInDepth('two names that change hands in one release take no key along', async () => {
    const [first, second, third] = [`one.${ZONE}`, `two.${ZONE}`, `three.${ZONE}`]
    const a = await createActive(at.call, { domain: first, ddns_enabled: true })
    const b = await createActive(at.call, { domain: second, ddns_enabled: true })
    const key = await issued(first)
    expect((await report(first, key)).status).toBe(200)
    await ok('PUT', `/api/domains/${a}`, { domain: third })
    await ok('PUT', `/api/domains/${b}`, { domain: first })
    await ok('POST', '/api/deploy-all')
    expect((await report(first, key, '84.88.88.88')).status).toBe(401)
    expect(await world.dig(first, 'A')).toEqual([PUBLIC])
  })

  itInDepth('is published nowhere for whoever takes its name by a rename', async () => {
    const name = `home.${ZONE}`
    await leftBehind(name)
    // It is listed still, for its keys that have ended.
    await expect
      .poll(listed)
      .toContainEqual(expect.objectContaining({ host: name, ipv4: null, changed_at: null, counts: null }))
    const id = await createActive(at.call, { domain: `a.${ZONE}`, static_ip: FIXED })
    await ok('PUT', `/api/domains/${id}`, { domain: name, static_ip: null, ddns_enabled: true })
    const { warnings } = await ok('POST', `/api/domains/${id}/deploy`)
    expect(JSON.stringify(warnings)).toContain(`${FIXED} stays published`)
    expect(await world.dig(name, 'A')).toEqual([FIXED])
  })

  itInDepth('nor for a new domain of its name, whose first report is taken at once', async () => {
    const name = `again.${ZONE}`
    await leftBehind(name)
    await createActive(at.call, { domain: name, ddns_enabled: true })
    expect(await world.dig(name, 'A')).toEqual([PUBLIC])
    expect(await report(name, await issued(name), '84.2.2.2')).toMatchObject({ body: 'good 84.2.2.2\n' })
    at = await at.reopen()
    await expect.poll(() => world.dig(name, 'A')).toEqual(['84.2.2.2'])
  })

  it('a renamed domain leaves its old name without keys and reports for whoever gets it next', async () => {
    const [old, next] = [`old.${ZONE}`, `new.${ZONE}`]
    const id = await createActive(at.call, { domain: old, ddns_enabled: true })
    const key = await issued(old)
    expect((await report(old, key, '84.5.5.5')).status).toBe(200)
    await expect.poll(() => world.dig(old, 'A')).toEqual(['84.5.5.5'])
    await ok('PUT', `/api/domains/${id}`, { domain: next })
    // It is deployed under the old name still, and so it is reported.
    expect((await report(old, key, '84.5.5.5')).status).toBe(200)
    await ok('POST', `/api/domains/${id}/deploy`)
    expect(await world.dig(next, 'A')).toEqual(['84.5.5.5'])

    const other = await createActive(at.call, { domain: old, ddns_enabled: true })
    expect(await world.dig(old, 'A')).toEqual([PUBLIC])
    expect((await report(old, key, '84.6.6.6')).status).toBe(401)
    const { body } = await at.call('GET', `/api/audit?domain_id=${other}&action=revoke_token`)
    expect(body).toMatchObject([{ domain: old, detail: { because: 'name_given_anew' } }])
    // Its own key is taken at once.
    expect(await report(old, await issued(old), '84.7.7.7')).toMatchObject({ body: 'good 84.7.7.7\n' })
    await expect.poll(() => world.dig(old, 'A')).toEqual(['84.7.7.7'])
    expect(await world.dig(next, 'A')).toEqual(['84.5.5.5'])
    at = await at.reopen()
    expect((await report(old, key, '84.6.6.6')).status).toBe(401)
  })

  itInDepth('so does one that is off line and saved under another name', async () => {
    const [name, next] = [`idle.${ZONE}`, `idle-new.${ZONE}`]
    const id = await createActive(at.call, { domain: name, ddns_enabled: true })
    const key = await issued(name)
    expect((await report(name, key)).status).toBe(200)
    await ok('PUT', `/api/domains/${id}`, { domain: next })
    await ok('POST', `/api/domains/${id}/deactivate`)
    const { warnings } = await ok('POST', '/api/domains', { ...APP, domain: name, ddns_enabled: true })
    expect(JSON.stringify(warnings)).toContain(`A key for ${name} from before has ended`)
    expect(JSON.stringify(warnings)).not.toContain('is still deployed')
    expect((await report(name, key)).status).toBe(401)
  })

  itInDepth('so does one that was never deployed, and a name that a rename gives to another', async () => {
    const [draft, taken] = [`draft.${ZONE}`, `taken.${ZONE}`]
    const id = await create(at.call, { domain: draft, ddns_enabled: true })
    const key = await issued(draft)
    expect((await report(draft, key)).status).toBe(200)
    await ok('PUT', `/api/domains/${id}`, { domain: taken })
    const late = await issued(taken)
    await ok('DELETE', `/api/domains/${id}`)
    const other = await createActive(at.call, { domain: `other.${ZONE}`, ddns_enabled: true })
    const { warnings } = await ok('PUT', `/api/domains/${other}`, { domain: draft })
    expect(JSON.stringify(warnings)).toContain(`A key for ${draft} from before has ended`)
    await ok('POST', `/api/domains/${other}/deploy`)
    expect((await report(draft, key)).status).toBe(401)
    expect((await report(taken, late)).status).toBe(401)
    expect(await world.dig(draft, 'A')).toEqual([PUBLIC])
    // Going back to the name that is deployed ends nothing.
    const own = await issued(draft)
    await ok('PUT', `/api/domains/${other}`, { domain: taken })
    await ok('PUT', `/api/domains/${other}`, { domain: draft })
    expect((await report(draft, own, '84.8.8.8')).status).toBe(200)
  })

  itInDepth('leaves the report of the hub: others are published there', async () => {
    const id = await createActive(at.call, { domain: HUB, ddns_enabled: true })
    const key = await issued(HUB)
    expect((await report(HUB, key, '84.3.3.3')).status).toBe(200)
    await ok('DELETE', `/api/domains/${id}`)
    expect(await listed()).toContainEqual(expect.objectContaining({ host: HUB, ipv4: '84.3.3.3' }))
    expect((await report(HUB, key, '84.3.3.3')).status).toBe(200)
  })

  itInDepth('that had a name which another is still deployed under takes nothing from it', async () => {
    const name = `both.${ZONE}`
    const id = await createActive(at.call, { domain: name, ddns_enabled: true })
    const key = await issued(name)
    expect((await report(name, key)).status).toBe(200)
    await expect.poll(() => world.dig(name, 'A')).toEqual([REPORTED])
    await ok('PUT', `/api/domains/${id}`, { domain: `next.${ZONE}` })
    const other = await ok('POST', '/api/domains', { ...APP, domain: name })
    const { message } = await ok('DELETE', `/api/domains/${String(other['domain_id'])}`)
    expect(message).not.toContain('have ended')
    expect(await report(name, key)).toMatchObject({ status: 200, body: `nochg ${REPORTED}\n` })
    expect(at.routes()).toContain(name)
    expect(await world.dig(name, 'A')).toEqual([REPORTED])
    await ok('PUT', `/api/domains/${id}`, { domain: name })
    await ok('DELETE', `/api/domains/${id}`)
    expect((await report(name, key)).status).toBe(401)
  })
})
