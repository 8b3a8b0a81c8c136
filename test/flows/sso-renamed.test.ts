/** Policies go by name: nobody is let in by a rename alone, and an entry for no record is told. */
import { describe, expect, it, vi } from 'vitest'
import { silentLog } from '../../src/kernel/log.ts'
import { itInDepth } from '../kit/in-depth.ts'
import { openSsoHouse, type SsoHouse } from './sso-house.ts'
import { createActive } from './test-house.ts'

const ADMINS = 'access: [{ groups: [admins], policy: two_factor }]'
const POLICIES = `
policies:
  - domain: admin.example.com
    ${ADMINS}
  - domain: same.example.com
    ${ADMINS}
  - { domain: wiki.example.com, policy: two_factor }
`

interface Planned {
  readonly plan: { readonly hash: string; readonly warnings: readonly string[] }
}

const told = (now: string, before: string) =>
  expect.stringMatching(
    new RegExp(
      `^${now} would let in more people than ${before} does.*PLUMBLINE_SSO_POLICIES_FILE.*give ${now} an entry`,
      'i',
    ),
  ) as string

const guard = (now: string, before: string) =>
  expect.objectContaining({ rule: 'weaker_policy', confirmable: true, message: told(now, before) }) as object

const rename = (at: SsoHouse, id: number, domain: string, query = '') =>
  at.call('PUT', `/api/domains/${id}${query}`, { body: { domain } })

/** Of what a save is told. */
function moreIn({ body }: { readonly body: unknown }): readonly string[] {
  const { warnings } = body as { readonly warnings: readonly string[] }
  return warnings.filter((one) => one.includes('would let in more people'))
}

const refusedWith = (...guards: object[]) => ({ status: 409, body: { code: 'refused_by_guard', guards } })

describe('a record whose name has a policy of its own', () => {
  it('is told when it is saved under a name that lets in more people, and is not deployed unasked', async () => {
    await using at = await openSsoHouse({ policies: POLICIES })
    const id = await createActive(at.call, { domain: 'admin.example.com' })
    const rules = at.rules()
    const warnings = [told('console.example.com', 'admin.example.com')]
    const rehearsed = await rename(at, id, 'console.example.com', '?dry_run=true')
    const { plan: shown } = rehearsed.body as unknown as Planned
    expect(shown.warnings).toEqual(expect.arrayContaining(warnings))
    const saved = await rename(at, id, 'console.example.com')
    expect(saved).toMatchObject({
      status: 200,
      body: { warnings: expect.arrayContaining(warnings) as object },
    })

    const refused = refusedWith(guard('console.example.com', 'admin.example.com'))
    for (const path of [`/api/domains/${id}/deploy`, '/api/deploy-all'])
      expect(await at.call('POST', path), path).toMatchObject(refused)
    expect(at.rules()).toBe(rules)

    const { plan } = (await at.call('POST', `/api/domains/${id}/deploy?dry_run=true`))
      .body as unknown as Planned
    const answer = await at.call('POST', `/api/domains/${id}/deploy?confirm=${plan.hash}`)
    expect(answer, JSON.stringify(answer.body)).toMatchObject({ status: 200 })
    expect(at.rules()).toContain('console.example.com')
  })

  it('is asked for, too, where the new name has open paths, or the record gets TLS along with it', async () => {
    const opens = '  - { domain: status.example.com, bypass: [/api/] }\n'
    await using at = await openSsoHouse({ policies: POLICIES + opens })
    const id = await createActive(at.call, { domain: 'app.example.com' })
    expect(moreIn(await rename(at, id, 'status.example.com'))).toHaveLength(1)
    expect(await at.call('POST', `/api/domains/${id}/deploy`)).toMatchObject(
      refusedWith(guard('status.example.com', 'app.example.com')),
    )
    const plain = await createActive(at.call, { domain: 'admin.example.com', ssl_enabled: false })
    const body = { domain: 'console.example.com', ssl_enabled: true }
    expect(moreIn(await at.call('PUT', `/api/domains/${plain}`, { body }))).toHaveLength(1)
    expect(await at.call('POST', `/api/domains/${plain}/deploy`)).toMatchObject(
      refusedWith(guard('console.example.com', 'admin.example.com')),
    )
  })

  itInDepth('is followed by record where two swap their names', async () => {
    await using at = await openSsoHouse({ policies: POLICIES })
    const admin = await createActive(at.call, { domain: 'admin.example.com' })
    const other = await createActive(at.call, { domain: 'app.example.com' })
    for (const [id, name] of [
      [admin, 'between.example.com'],
      [other, 'admin.example.com'],
      [admin, 'app.example.com'],
    ] as const)
      expect(await rename(at, id, name)).toMatchObject({ status: 200 })
    expect(await at.call('POST', '/api/deploy-all')).toMatchObject(
      refusedWith(guard('app.example.com', 'admin.example.com')),
    )
  })

  itInDepth('is followed where it is off line while it is renamed', async () => {
    await using at = await openSsoHouse({ policies: POLICIES })
    const id = await createActive(at.call, { domain: 'admin.example.com' })
    expect(await at.call('POST', `/api/domains/${id}/deactivate`)).toMatchObject({ status: 200 })
    expect(moreIn(await rename(at, id, 'console.example.com'))).toHaveLength(1)
    expect(await at.call('POST', `/api/domains/${id}/activate`)).toMatchObject(
      refusedWith(guard('console.example.com', 'admin.example.com')),
    )
  })

  itInDepth('that others have, too, is asked of the policy that was deployed', async () => {
    await using at = await openSsoHouse({ policies: POLICIES })
    const id = await createActive(at.call, { domain: 'admin.example.com' })
    // Two factors are asked for either way, and here of everybody.
    await rename(at, id, 'wiki.example.com')
    expect(await at.call('POST', '/api/deploy-all')).toMatchObject({ status: 409 })
    expect(moreIn(await rename(at, id, 'same.example.com'))).toEqual([])
    expect(await at.call('POST', '/api/deploy-all')).toMatchObject({ status: 200 })
  })
})

itInDepth(
  'a record under the default policy is renamed unasked, also to a name that lets in fewer',
  async () => {
    await using at = await openSsoHouse({ policies: POLICIES })
    const id = await createActive(at.call, { domain: 'app.example.com' })
    for (const name of ['other.example.com', 'admin.example.com']) {
      expect(moreIn(await rename(at, id, name))).toEqual([])
      const answer = await at.call('POST', `/api/domains/${id}/deploy`)
      expect(answer, JSON.stringify(answer.body)).toMatchObject({ status: 200 })
    }
  },
)

it('an entry of the policies file that is for no record is told at the start, which goes on', async () => {
  const warn = vi.fn()
  await using at = await openSsoHouse({ policies: POLICIES, log: { ...silentLog, warn } })
  const detail = /^PLUMBLINE_SSO_POLICIES_FILE names admin\.example\.com, which no record has\..*wiki/
  await vi.waitFor(() =>
    expect(warn).toHaveBeenCalledWith('policies of single sign-on are for no record', {
      detail: expect.stringMatching(detail) as string,
    }),
  )
  expect(await at.call('GET', '/api/domains')).toMatchObject({ status: 200 })
})
