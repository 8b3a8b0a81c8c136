/** A change that takes a name away says beforehand which keys of gateways come to nothing by it, and how the next is issued. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { APP, createActive, openTestHouse, type TestHouse } from './test-house.ts'
import { itInDepth } from '../kit/in-depth.ts'

const HOME = 'home.example.com'
const GATE = 'gate.example.com'

let at: TestHouse
let id: number

beforeEach(async () => {
  at = await openTestHouse()
  id = await createActive(at.call, { domain: HOME, ddns_enabled: true })
})
afterEach(() => at[Symbol.asyncDispose]())

const good = async (method: 'GET' | 'POST' | 'PUT' | 'DELETE', path: string, body?: unknown) => {
  const answer = await at.call(method, path, body === undefined ? {} : { body })
  expect([200, 201], JSON.stringify(answer.body)).toContain(answer.status)
  return answer.body
}
const issue = async (host: string) => String((await good('POST', '/api/ddns/tokens', { host }))['key'])
const report = (host: string, key: string) =>
  at.call('GET', `/api/ddns/update/${host}?key=${key}&ip=84.1.1.1`, { key: null, peer: '203.0.113.50' })
const warned = (body: Awaited<ReturnType<typeof good>>): readonly string[] => {
  const answer: { readonly plan?: unknown } = body
  const { warnings } = (answer.plan ?? answer) as { readonly warnings: readonly string[] }
  return warnings
}

const LOST = `${HOME}: 1 key of its gateway does not open ${GATE}. Issue one for the new name: plumbline token issue ${GATE}`

describe('a rename', () => {
  itInDepth(
    'says it in the dry run of the save, in the plan of the deploy, and in its answer; the list says it after',
    async () => {
      const key = await issue(HOME)
      const saved = await good('PUT', `/api/domains/${id}?dry_run=true`, { domain: GATE })
      expect(warned(saved['deploy'] as unknown as typeof saved)).toContain(LOST)
      await good('PUT', `/api/domains/${id}`, { domain: GATE })
      expect(await good('GET', '/api/ddns/tokens')).toMatchObject([{ host: HOME, has_record: true }])
      expect(warned(await good('POST', `/api/domains/${id}/deploy?dry_run=true`))).toContain(LOST)
      expect(warned(await good('POST', '/api/deploy-all?dry_run=true'))).toContain(LOST)
      expect(warned(await good('POST', `/api/domains/${id}/deploy`))).toContain(LOST)
      expect((await report(HOME, key)).status).toBe(404)
      expect(await good('GET', '/api/ddns/tokens')).toMatchObject([
        { host: HOME, state: 'valid', has_record: false },
      ])
      expect((await report(GATE, await issue(GATE))).status).toBe(200)
      expect(warned(await good('POST', '/api/deploy-all?dry_run=true'))).not.toContain(LOST)
    },
  )

  it('counts the keys, and says nothing where there are none or where all have ended', async () => {
    const path = `/api/domains/${id}/deploy?dry_run=true`
    await issue(HOME)
    await issue(HOME)
    await good('PUT', `/api/domains/${id}`, { domain: GATE })
    expect(warned(await good('POST', path)).join()).toContain(
      `${HOME}: 2 keys of its gateways do not open ${GATE}.`,
    )
    const tokens = (await good('GET', '/api/ddns/tokens')) as unknown as readonly { readonly id: string }[]
    for (const token of tokens) await good('DELETE', `/api/ddns/tokens/${token.id}`)
    expect(warned(await good('POST', path)).join()).not.toContain('keys')
  })

  itInDepth(
    'that a restore takes back says it of the name that goes, and the key of before opens its own again',
    async () => {
      const key = await issue(HOME)
      const [{ number } = expect.fail()] = (await good(
        'GET',
        '/api/releases?limit=1',
      )) as unknown as readonly {
        readonly number: number
      }[]
      await good('PUT', `/api/domains/${id}`, { domain: GATE })
      await good('POST', `/api/domains/${id}/deploy`)
      await issue(GATE)
      const path = `/api/releases/${number}/restore`
      expect(warned(await good('POST', `${path}?dry_run=true`)).join()).toContain(
        `${GATE}: 1 key of its gateway does not open ${HOME}.`,
      )
      await good('POST', path)
      expect((await report(HOME, key)).status).toBe(200)
    },
  )
})

it('an estate that deletes says it in its plan, and once in its answer', async () => {
  await issue(HOME)
  const ends = `${HOME}: 1 key of its gateway ends with the domain.`
  const body = { domains: [{ ...APP, domain: 'other.example.com', status: 'active' }], deletes: [HOME] }
  expect(warned(await good('POST', '/api/estate?dry_run=true', body))).toContain(ends)
  const answer = await good('POST', '/api/estate', body)
  expect(answer['message']).toContain('1 key of its gateway has ended.')
  expect(warned(answer)).not.toContain(ends)
})

itInDepth('a key whose name no domain has any more is a finding of the health page', async () => {
  await issue(HOME)
  const ddns = async () => {
    const page = await good('GET', '/api/control-plane/health?probe=true')
    return (page['components'] as unknown as readonly { readonly name: string }[]).find(
      ({ name }) => name === 'ddns',
    )
  }
  expect(await ddns()).toMatchObject({ ok: true })
  await good('PUT', `/api/domains/${id}`, { domain: GATE })
  await good('POST', `/api/domains/${id}/deploy`)
  expect(await ddns()).toMatchObject({ ok: false, cause: 'stranded_key', differences: [{ item: HOME }] })
})

itInDepth('a deletion says it in its plan, and once in its answer', async () => {
  const key = await issue(HOME)
  const ends = `${HOME}: 1 key of its gateway ends with the domain.`
  expect(warned(await good('DELETE', `/api/domains/${id}?dry_run=true`))).toContain(ends)
  expect((await report(HOME, key)).status).toBe(200)
  const answer = await good('DELETE', `/api/domains/${id}`)
  expect(answer['message']).toContain('1 key of its gateway has ended.')
  expect(warned(answer)).not.toContain(ends)
})

it('a domain that is disabled says it; one that is deactivated keeps its keys', async () => {
  const key = await issue(HOME)
  expect(warned(await good('POST', `/api/domains/${id}/deactivate?dry_run=true`)).join()).not.toContain('key')
  const nothing = `${HOME}: 1 key of its gateway opens nothing while the domain is disabled.`
  expect(warned(await good('POST', `/api/domains/${id}/disable?dry_run=true`))).toContain(nothing)
  expect(warned(await good('POST', `/api/domains/${id}/disable`))).toContain(nothing)
  expect((await report(HOME, key)).status).not.toBe(200)
  expect(await good('GET', '/api/ddns/tokens')).toMatchObject([{ host: HOME, has_record: false }])
})
