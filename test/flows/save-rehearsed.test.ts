/** The dry run of a save shows the record before and after, and what a deploy would then do; nothing of it is kept. */
import { describe, expect, it } from 'vitest'
import { APP, create, createActive, expectHealed, openTestHouse, type TestHouse } from './test-house.ts'
import { itInDepth } from '../kit/in-depth.ts'

const everything = async ({ call }: TestHouse) => [
  (await call('GET', '/api/domains')).body,
  (await call('GET', '/api/audit')).body,
  // What came of the first one may be written down a moment later.
  ((await call('GET', '/api/releases')).body as unknown as readonly { readonly number: number }[]).map(
    ({ number }) => number,
  ),
]

describe('a new record', () => {
  it('as it would be saved, with its defaults, and its activation', async () => {
    await using at = await openTestHouse()
    await expectHealed(at.call)
    const before = await everything(at)
    const body = { ...APP, domain: 'Bücher.Example', note: 'new' }
    const shown = await at.call('POST', '/api/domains?dry_run=true', { body })
    expect(shown).toMatchObject({
      status: 200,
      body: {
        dry_run: true,
        plan: { rows: [], actions: [] },
        before: null,
        after: {
          id: 1,
          domain: 'xn--bcher-kva.example',
          status: 'inactive',
          revision: 1,
          auth_required: true,
        },
        deploy: {
          by: 'activate',
          refused: null,
          plan: {
            rows: [{ domain: 'xn--bcher-kva.example', change: 'add' }],
            actions: [{ component: 'routes' }],
          },
        },
      },
    })
    expect(shown.body['changed']).toContain('backend_host')
    expect(JSON.stringify(shown.body['deploy'])).toMatch(/plumbline-site_xn--bcher-kva[.]example/)
    expect(await everything(at)).toEqual(before)
    expect(await create(at.call, { domain: 'Bücher.Example', note: 'new' })).toBe(1)
  })

  it('one that could not be activated says why', async () => {
    await using at = await openTestHouse()
    const first = await createActive(at.call)
    await at.call('PUT', `/api/domains/${first}`, { body: { domain: 'renamed.example.com' } })
    const { body } = await at.call('POST', '/api/domains?dry_run=true', { body: APP })
    expect(body).toMatchObject({
      deploy: { by: 'activate', plan: null, refused: { code: 'conflict' } },
      plan: { warnings: [expect.stringContaining('still deployed for domain')] },
    })
  })

  itInDepth('one that could not be saved is refused as without a dry run', async () => {
    await using at = await openTestHouse()
    await createActive(at.call)
    expect((await at.call('POST', '/api/domains?dry_run=true', { body: APP })).status).toBe(409)
    expect((await at.call('POST', '/api/domains?dry_run=true', { body: {} })).status).toBe(422)
  })
})

describe('a change', () => {
  it('of a live record: before, after, and the deploy', async () => {
    await using at = await openTestHouse()
    const id = await createActive(at.call)
    const before = await everything(at)
    const bytes = at.routes()
    const change = { backend_port: 9000, tags: ['x'] }
    const shown = await at.call('PUT', `/api/domains/${id}?dry_run=true`, { body: change })
    expect(shown).toMatchObject({
      status: 200,
      body: {
        dry_run: true,
        changed: ['backend_port', 'tags'],
        before: { backend_port: 8080, tags: [], revision: 2, status: 'active' },
        after: { ...change, revision: 3, status: 'active' },
        deploy: { by: 'deploy', refused: null, plan: { rows: [{ domain_id: id, change: 'update' }] } },
      },
    })
    expect(JSON.stringify(shown.body['deploy'])).toContain('10.0.0.5:9000')
    expect([await everything(at), at.routes()]).toEqual([before, bytes])
    // The real calls do what was shown.
    await at.call('PUT', `/api/domains/${id}`, { body: change })
    const would = shown.body['deploy'] as unknown as { plan: { actions: unknown; hash: string } }
    const deploy = await at.call('POST', `/api/domains/${id}/deploy?dry_run=true`)
    expect(deploy.body['plan']).toMatchObject({ actions: would.plan.actions, hash: would.plan.hash })
  })

  it('that changes nothing, one of a note alone, and one of a disabled record', async () => {
    await using at = await openTestHouse()
    const id = await createActive(at.call)
    const dry = async (body: object) =>
      (await at.call('PUT', `/api/domains/${id}?dry_run=true`, { body })).body
    expect(await dry({})).toMatchObject({ changed: [], deploy: { plan: { rows: [], actions: [] } } })
    expect(await dry({ note: 'x' })).toMatchObject({
      changed: ['note'],
      deploy: { plan: { rows: [], actions: [] } },
    })
    await at.call('POST', `/api/domains/${id}/disable`)
    expect(await dry({ note: 'x' })).toMatchObject({ changed: ['note'], after: { note: 'x' }, deploy: null })
  })
})
