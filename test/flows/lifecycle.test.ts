/** The life of a domain over the API, with the routes file as the judge. */
import { appendFileSync, writeFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { Failure } from '../../src/kernel/failure.ts'
import { APP, create, createActive, expectHealed, openTestHouse } from './test-house.ts'
import { describeInDepth, itInDepth, itOneIn } from '../kit/in-depth.ts'

const drift = '/api/domains/drift'

describe('saving is not deploying', () => {
  it('a new record is inactive, in no routes file, and causes no drift', async () => {
    await using at = await openTestHouse()
    const id = await create(at.call)
    await expectHealed(at.call)
    const record = await at.call('GET', `/api/domains/${id}`)
    expect(record.body).toMatchObject({
      status: 'inactive',
      revision: 1,
      auth_required: true,
      activated_at: null,
    })
    expect(at.routes()).not.toContain('app.example.com')
    expect((await at.call('GET', drift)).body).toMatchObject({ drift: false, differences: [], pending: [] })
  })

  it('activate puts it into the file, an edit is pending until it is deployed', async () => {
    await using at = await openTestHouse()
    const id = await createActive(at.call)
    expect(at.routes()).toContain('http://10.0.0.5:8080')
    await at.call('PUT', `/api/domains/${id}`, { body: { backend_port: 9090 } })
    const found = await at.call('GET', drift)
    expect(found.body).toMatchObject({
      drift: true,
      differences: [{ cause: 'pending_deploy', domains: ['app.example.com'] }],
      pending: [{ domain_id: id, domain: 'app.example.com' }],
    })
    expect(found.body['unified_diff']).toContain('+          - url: "http://10.0.0.5:9090"')
    expect(at.routes()).toContain('http://10.0.0.5:8080')
    const deployed = await at.call('POST', `/api/domains/${id}/deploy`)
    expect(deployed.body).toMatchObject({ success: true, pending: [], components: [{ outcome: 'repaired' }] })
    expect(at.routes()).toContain('http://10.0.0.5:9090')
    expect((await at.call('GET', drift)).body['drift']).toBe(false)
  })

  itInDepth('deploying one domain leaves the edit of another pending', async () => {
    await using at = await openTestHouse()
    const a = await createActive(at.call, { domain: 'a.example.com' })
    const b = await createActive(at.call, { domain: 'b.example.com' })
    await at.call('PUT', `/api/domains/${a}`, { body: { backend_port: 1111 } })
    await at.call('PUT', `/api/domains/${b}`, { body: { backend_port: 2222 } })
    const deployed = await at.call('POST', `/api/domains/${a}/deploy`)
    expect(deployed.body).toMatchObject({ domain_ids: [a], pending: [{ domain: 'b.example.com' }] })
    expect(at.routes()).toContain(':1111')
    expect(at.routes()).not.toContain(':2222')
    const all = await at.call('POST', '/api/deploy-all')
    expect(all.body).toMatchObject({ domain_ids: [b], pending: [] })
    expect(at.routes()).toContain(':2222')
  })
})

describe('drift', () => {
  it('a hand edit is named, shown and undone, an undeployed edit is kept', async () => {
    await using at = await openTestHouse()
    const id = await createActive(at.call)
    await at.call('PUT', `/api/domains/${id}`, { body: { backend_port: 9090 } })
    const before = at.routes()
    writeFileSync(at.house.routes_path, before.replace('10.0.0.5', '10.6.6.6'))
    const found = await at.call('GET', drift)
    expect(found.body).toMatchObject({ drift: true, differences: [{ cause: 'edited_and_pending' }] })
    await expect.poll(() => at.routes()).toBe(before)
    const after = await at.call('GET', `/api/domains/${id}`)
    expect(after.body).toMatchObject({ backend_port: 9090, revision: 3 })
    expect((await at.call('GET', drift)).body).toMatchObject({ differences: [{ cause: 'pending_deploy' }] })
  })

  itInDepth('made while the daemon was down is healed at its start', async () => {
    await using first = await openTestHouse()
    await createActive(first.call)
    const before = first.routes()
    await first.house.close()
    appendFileSync(first.house.routes_path, '# stranger\n')
    await using second = await openTestHouse({ directory: first.directory })
    await expect.poll(() => second.routes()).toBe(before)
  })

  itInDepth('in observe mode is only reported, and a deploy still writes', async () => {
    await using at = await openTestHouse({ env: { PLUMBLINE_MODE: 'observe' } })
    const id = await createActive(at.call)
    appendFileSync(at.house.routes_path, '# stranger\n')
    await expect.poll(async () => at.house.engine.lastReports()[0]?.outcome).toBe('left_drifting')
    expect(at.routes()).toContain('# stranger')
    await at.call('POST', `/api/domains/${id}/deploy`)
    expect(at.routes()).not.toContain('# stranger')
  })
})

describe('status', () => {
  itInDepth('deactivate removes the route, activate brings it back', async () => {
    await using at = await openTestHouse()
    const id = await createActive(at.call)
    expect((await at.call('POST', `/api/domains/${id}/deactivate`)).body).toMatchObject({
      success: true,
      domain_id: id,
    })
    expect(at.routes()).not.toContain('app.example.com')
    await at.call('POST', `/api/domains/${id}/activate`)
    expect(at.routes()).toContain('app.example.com')
  })

  itInDepth('activating an active domain again changes neither revision nor release', async () => {
    await using at = await openTestHouse()
    const id = await createActive(at.call)
    const first = await at.call('POST', `/api/domains/${id}/activate`)
    const second = await at.call('POST', `/api/domains/${id}/activate`)
    expect(second.body['release']).toBe(first.body['release'])
    expect((await at.call('GET', `/api/domains/${id}`)).body['revision']).toBe(2)
  })

  it('disable is final: nothing revives the record', async () => {
    await using at = await openTestHouse()
    const id = await createActive(at.call)
    expect((await at.call('POST', `/api/domains/${id}/disable`)).status).toBe(200)
    expect((await at.call('POST', `/api/domains/${id}/disable`)).status).toBe(200)
    expect(at.routes()).not.toContain('app.example.com')
    for (const verb of ['activate', 'deactivate', 'deploy'])
      expect((await at.call('POST', `/api/domains/${id}/${verb}`)).status).toBe(409)
    const put = await at.call('PUT', `/api/domains/${id}`, { body: { status: 'active' } })
    expect(put.status).toBe(422)
    expect((await at.call('GET', `/api/domains/${id}`)).body['status']).toBe('disabled')
  })

  itInDepth('PUT with another status is 422 and names the right call', async () => {
    await using at = await openTestHouse()
    const id = await create(at.call)
    const answer = await at.call('PUT', `/api/domains/${id}`, { body: { status: 'active' } })
    expect(answer.status).toBe(422)
    expect(JSON.stringify(answer.body['errors'])).toContain('/activate')
  })

  itInDepth(
    'becomes error when a component refuses an activation, and active when it takes it at last',
    async () => {
      let refuse = true
      const wrap: Parameters<typeof openTestHouse>[0] = {
        wrap: {
          file: (file) => ({
            ...file,
            replace: async (chunks, options, signal) => {
              if (refuse) throw Object.assign(new Error('no space'), { code: 'ENOSPC' })
              return file.replace(chunks, options, signal)
            },
          }),
        },
      }
      await using at = await openTestHouse(wrap)
      const id = await create(at.call)
      const answer = await at.call('POST', `/api/domains/${id}/activate`)
      expect(answer.status).toBeGreaterThanOrEqual(500)
      const record = await at.call('GET', `/api/domains/${id}`)
      expect(record.body).toMatchObject({ status: 'error', revision: 2 })
      expect(record.body['status_reason']).toBeTruthy()
      refuse = false
      await expect
        .poll(async () => (await at.call('GET', `/api/domains/${id}`)).body['status'])
        .toBe('active')
      expect((await at.call('GET', `/api/domains/${id}`)).body).toMatchObject({
        revision: 2,
        status_reason: null,
      })
      expect(at.routes()).toContain('app.example.com')
    },
  )
})

describeInDepth('a verdict', () => {
  it('never brings back a record that was disabled while it was being reached', async () => {
    let refuse = true
    let meanwhile: (() => Promise<unknown>) | null = null
    await using at = await openTestHouse({
      wrap: {
        file: (file) => ({
          ...file,
          replace: async (...told) => {
            if (refuse) throw new Failure('storage_full', 'no space')
            return file.replace(...told)
          },
        }),
        store: (store) => ({
          ...store,
          domains: async (query) => {
            const page = await store.domains(query)
            const deed = query.status === 'error' && page.total > 0 ? meanwhile : null
            if (deed !== null) meanwhile = null
            await deed?.()
            return page
          },
        }),
      },
    })
    const id = await create(at.call)
    expect((await at.call('POST', `/api/domains/${id}/activate`)).status).toBe(507)
    meanwhile = () => at.call('POST', `/api/domains/${id}/disable`)
    refuse = false
    await expect.poll(() => meanwhile).toBeNull()
    await expectHealed(at.call)
    expect((await at.call('GET', `/api/domains/${id}`)).body['status']).toBe('disabled')
  })
})

describe('rename and delete', () => {
  itInDepth('a rename moves the route with the next deploy', async () => {
    await using at = await openTestHouse()
    const id = await createActive(at.call)
    await at.call('PUT', `/api/domains/${id}`, { body: { domain: 'new.example.com' } })
    expect(at.routes()).not.toContain('new.example.com')
    await at.call('POST', `/api/domains/${id}/deploy`)
    expect(at.routes()).toContain('new.example.com')
    expect(at.routes()).not.toContain('app.example.com')
  })

  it('a name that is still deployed cannot go live twice', async () => {
    await using at = await openTestHouse()
    const old = await createActive(at.call)
    await at.call('PUT', `/api/domains/${old}`, { body: { domain: 'new.example.com' } })
    const id = await create(at.call)
    const answer = await at.call('POST', `/api/domains/${id}/activate`)
    expect(answer.status).toBe(409)
    expect((await at.call('GET', `/api/domains/${id}`)).body['status']).toBe('inactive')
    await at.call('POST', `/api/domains/${old}/deploy`)
    expect((await at.call('POST', `/api/domains/${id}/activate`)).status).toBe(200)
  })

  itInDepth('two names that were swapped go live together', async () => {
    await using at = await openTestHouse()
    const a = await createActive(at.call, { domain: 'a.example.com', backend_port: 1111 })
    const b = await createActive(at.call, { domain: 'b.example.com', backend_port: 2222 })
    await at.call('PUT', `/api/domains/${a}`, { body: { domain: 'c.example.com' } })
    await at.call('PUT', `/api/domains/${b}`, { body: { domain: 'a.example.com' } })
    await at.call('PUT', `/api/domains/${a}`, { body: { domain: 'b.example.com' } })
    expect((await at.call('POST', `/api/domains/${a}/deploy`)).status).toBe(409)
    expect((await at.call('POST', '/api/deploy-all')).status).toBe(200)
    expect((await at.call('GET', drift)).body['drift']).toBe(false)
    expect(at.routes()).toMatch(
      /site_a.example.com":\n +loadBalancer:\n +servers:\n +- url: "http:\/\/10.0.0.5:2222"/,
    )
  })

  it('delete removes record and route; the id is gone for good', async () => {
    await using at = await openTestHouse()
    const id = await createActive(at.call)
    expect((await at.call('DELETE', `/api/domains/${id}`)).body).toMatchObject({
      success: true,
      domain_id: id,
    })
    expect(at.routes()).not.toContain('app.example.com')
    expect((await at.call('GET', `/api/domains/${id}`)).status).toBe(404)
    expect(await create(at.call)).not.toBe(id)
  })
})

describe('a dry run', () => {
  // In the gate those of making one and of deleting one.
  itOneIn(5).each([
    ['POST', '/api/domains', { body: { ...APP, domain: 'dry.example.com' } }],
    [
      'POST',
      '/api/domains/expose',
      { body: { domain: 'dry.example.com', backend_host: '10.0.0.9', backend_port: 80 } },
    ],
    ['PUT', '/api/domains/1', { body: { backend_port: 9 } }],
    ['POST', '/api/domains/1/deactivate', {}],
    ['POST', '/api/domains/1/disable', {}],
    ['DELETE', '/api/domains/1', {}],
    ['POST', '/api/domains/1/deploy', {}],
    ['POST', '/api/deploy-all', {}],
  ] as const)('of %s %s answers with the plan and changes nothing', async (method, path, options) => {
    await using at = await openTestHouse()
    const id = await createActive(at.call)
    expect(id).toBe(1)
    const list = await at.call('GET', '/api/domains')
    const bytes = at.routes()
    const answer = await at.call(method, `${path}?dry_run=true`, options)
    expect(answer.status).toBe(200)
    expect(answer.body).toMatchObject({ dry_run: true, plan: { complete: true } })
    expect((await at.call('GET', '/api/domains')).body).toEqual(list.body)
    expect(at.routes()).toBe(bytes)
  })

  itInDepth('says what a deactivation would remove', async () => {
    await using at = await openTestHouse()
    await createActive(at.call)
    const { body } = await at.call('POST', '/api/domains/1/deactivate?dry_run=true')
    const plan = body['plan'] as unknown as { rows: unknown; actions: unknown; unified_diff: string }
    expect(plan.rows).toEqual([{ domain_id: 1, domain: 'app.example.com', change: 'remove', revision: 3 }])
    expect(plan.actions).toMatchObject([{ component: 'routes', verb: 'update', reason: 'release' }])
    expect(plan.unified_diff).toContain('-    "plumbline-site_app.example.com":')
  })
})

describe('expose', () => {
  it('creates with the public address and deploys in one call', async () => {
    await using at = await openTestHouse({ env: { PLUMBLINE_PUBLIC_IP: '198.51.100.7' } })
    const { status, body } = await at.call('POST', '/api/domains/expose', {
      body: { domain: 'x.example.com', backend_host: '10.0.0.9', backend_port: 3000, auth_required: false },
    })
    expect(status).toBe(200)
    const record = await at.call('GET', `/api/domains/${String(body['domain_id'])}`)
    expect(record.body).toMatchObject({ status: 'active', static_ip: '198.51.100.7', service_type: 'http' })
    expect(at.routes()).toContain('plumbline-site_x.example.com')
    expect(at.routes()).not.toContain('plumbline-sso')
  })

  itInDepth('says that no address is known where none is set', async () => {
    await using at = await openTestHouse()
    const body = { domain: 'x.example.com', backend_host: '10.0.0.9', backend_port: 3000 }
    const answer = await at.call('POST', '/api/domains/expose', { body })
    expect(JSON.stringify(answer.body['warnings'])).toContain('PLUMBLINE_PUBLIC_IP')
  })

  itInDepth(
    'where records would be made and no public address is known, it is refused with the setting’s name',
    async () => {
      await using at = await openTestHouse({ env: { PLUMBLINE_DNS_PROVIDER: 'zonefile' } })
      const body = { domain: 'x.example.com', backend_host: '10.0.0.9', backend_port: 3000 }
      for (const query of ['', '?dry_run=true']) {
        const refused = await at.call('POST', `/api/domains/expose${query}`, { body })
        expect(refused).toMatchObject({
          status: 422,
          body: {
            errors: [
              {
                loc: ['body', 'static_ip'],
                msg: expect.stringContaining('PLUMBLINE_PUBLIC_IP') as unknown,
              },
            ],
          },
        })
      }
      expect((await at.call('GET', '/api/domains')).body).toEqual([])
      for (const [name, more] of [
        ['given.example.com', { static_ip: '198.51.100.7' }],
        ['reported.example.com', { ddns_enabled: true }],
        ['inside.example.com', { service_type: 'internal' }],
      ] as const)
        expect(
          (await at.call('POST', '/api/domains/expose', { body: { ...body, domain: name, ...more } })).status,
        ).toBe(200)
    },
  )
})
