/** The history of what was deployed, and the way back to any of it, with the routes file as the judge. */
import { describe, expect, it } from 'vitest'
import { sha256 } from '../../src/kernel/digest.ts'
import type { Client } from './client.ts'
import { run } from './command.ts'
import { describedClient } from './described.ts'
import { create, createActive, envIn, openTestHouse, type TestHouse } from './test-house.ts'
import { describeInDepth, itInDepth, itOneIn } from '../kit/in-depth.ts'

const A = { domain: 'a.example.com' }
const B = { domain: 'b.example.com', backend_port: 9000 }
const PLAIN_SSH = { service_type: 'tcp-proxy', tcp_entrypoint: 'ssh', ssl_enabled: false }

interface Estate {
  readonly call: Client
  readonly a: number
  readonly b: number
}

type Lists = Readonly<Record<'restored' | 'deactivated' | 'created' | 'skipped', readonly string[]>>

const NOTHING: Lists = { restored: [], deactivated: [], created: [], skipped: [] }

async function newest(call: Client): Promise<number> {
  const { body } = await call('GET', '/api/releases?limit=1')
  return (body as unknown as readonly { number: number }[])[0]!.number
}

async function good(call: Client, method: string, path: string, body?: unknown): Promise<unknown> {
  const answer = await call(method, path, body === undefined ? {} : { body })
  expect(answer.status, `${method} ${path}: ${JSON.stringify(answer.body)}`).toBeLessThan(300)
  return answer.body
}

const change = (call: Client, id: number, fields: unknown) => good(call, 'PUT', `/api/domains/${id}`, fields)
const act = (call: Client, id: number, verb: string) => good(call, 'POST', `/api/domains/${id}/${verb}`)
const restorePath = (release: number) => `/api/releases/${release}/restore`

/** The four lists of a restore, as names. */
function listsOf(body: Readonly<Record<string, unknown>>): Lists {
  const names = (list: string) => (body[list] as readonly { domain: string }[]).map(({ domain }) => domain)
  return {
    restored: names('restored'),
    deactivated: names('deactivated'),
    created: names('created'),
    skipped: names('skipped'),
  }
}

/** Two live records in one release, and its number. */
async function estate(at: TestHouse): Promise<Estate & { readonly release: number }> {
  const call = await describedClient(at.call)
  const a = await createActive(call, A)
  const b = await createActive(call, B)
  return { call, a, b, release: await newest(call) }
}

async function expectSettled(call: Client): Promise<void> {
  expect((await call('GET', '/api/domains/drift')).body).toMatchObject({ drift: false, pending: [] })
  const { body } = await call('POST', '/api/plans')
  expect(body).toMatchObject({ plan: { rows: [], actions: [] } })
}

describe('a restore gives back the very bytes of that release', () => {
  itOneIn(9).each<[string, (estate: Estate) => Promise<unknown>, Partial<Lists>]>([
    [
      'after a deployed edit',
      async ({ call, a }) => {
        await change(call, a, { backend_port: 1111, note: 'other' })
        await act(call, a, 'deploy')
      },
      { restored: [A.domain] },
    ],
    [
      'after an edit that was never deployed',
      ({ call, a }) => change(call, a, { backend_port: 1111 }),
      { restored: [A.domain] },
    ],
    [
      'after a rename',
      async ({ call, a }) => {
        await change(call, a, { domain: 'z.example.com' })
        await act(call, a, 'deploy')
      },
      { restored: [A.domain] },
    ],
    [
      'after two records swapped their names',
      async ({ call, a, b }) => {
        await change(call, a, { domain: 'z.example.com' })
        await change(call, b, A)
        await change(call, a, { domain: B.domain })
        await good(call, 'POST', '/api/deploy-all')
      },
      { restored: [B.domain, A.domain] },
    ],
    ['after a deactivation', ({ call, a }) => act(call, a, 'deactivate'), { restored: [A.domain] }],
    [
      'after a deactivation and an edit',
      async ({ call, a }) => {
        await act(call, a, 'deactivate')
        await change(call, a, { backend_port: 1111 })
      },
      { restored: [A.domain] },
    ],
    ['after a deletion', ({ call, a }) => good(call, 'DELETE', `/api/domains/${a}`), { created: [A.domain] }],
    [
      'after a record was added',
      async ({ call }) => {
        await createActive(call, { domain: 'c.example.com' })
        await create(call, { domain: 'd.example.com' })
      },
      { deactivated: ['c.example.com'] },
    ],
    [
      'after all of it',
      async ({ call, a, b }) => {
        await good(call, 'DELETE', `/api/domains/${a}`)
        await change(call, b, { domain: 'z.example.com', auth_required: false })
        await act(call, b, 'deploy')
        await createActive(call, { domain: 'c.example.com', ...PLAIN_SSH })
      },
      { restored: [B.domain], created: [A.domain], deactivated: ['c.example.com'] },
    ],
  ])('%s', async (_situation, harm, expected) => {
    await using at = await openTestHouse()
    const { call, a, b, release } = await estate(at)
    const bytes = at.routes()
    await harm({ call, a, b })
    const before = await newest(call)
    const restored = await call('POST', restorePath(release))
    expect(restored.status, JSON.stringify(restored.body)).toBe(200)
    expect(listsOf(restored.body)).toEqual({ ...NOTHING, ...expected })
    expect(at.routes()).toBe(bytes)
    expect((await call('GET', `/api/releases/${restored.body['release']}/routes`)).body).toBe(bytes)
    await expectSettled(call)
    const after = await good(call, 'GET', '/api/domains')
    const number = await newest(call)
    expect(number).toBeLessThanOrEqual(before + 1)
    const again = await call('POST', restorePath(release))
    expect(again.body).toMatchObject({ release: number })
    expect(listsOf(again.body)).toEqual(NOTHING)
    expect(await newest(call)).toBe(number)
    expect(await good(call, 'GET', '/api/domains')).toEqual(after)
  })

  itInDepth(
    'also of a record that was created anew and then edited: it stands in for the deleted one',
    async () => {
      await using at = await openTestHouse()
      const { call, a, release } = await estate(at)
      const bytes = at.routes()
      let held = a
      for (const round of [1, 2]) {
        await good(call, 'DELETE', `/api/domains/${held}`)
        const { body } = await call('POST', restorePath(release))
        expect(body['created']).toMatchObject([{ domain: A.domain, replaces: a }])
        held = (body['created'] as unknown as readonly { domain_id: number }[])[0]!.domain_id
        expect(held).toBeGreaterThan(a)
        await change(call, held, { backend_port: 1000 + round })
        await act(call, held, 'deploy')
        const back = await call('POST', restorePath(release))
        expect(back.body['restored']).toEqual([
          { domain_id: held, domain: A.domain, changed: ['backend_port'] },
        ])
        expect(at.routes()).toBe(bytes)
      }
    },
  )

  itInDepth('and survives a restart', async () => {
    await using at = await openTestHouse()
    const { call, a, release } = await estate(at)
    const bytes = at.routes()
    await change(call, a, { backend_port: 1111 })
    await act(call, a, 'deploy')
    await good(call, 'POST', restorePath(release))
    await using again = await at.reopen()
    expect(again.routes()).toBe(bytes)
    await expectSettled(again.call)
  })
})

describeInDepth('a restore tells what it does', () => {
  it('lists what moved in each record, and the edit that nobody deployed', async () => {
    await using at = await openTestHouse()
    const { call, a, b, release } = await estate(at)
    await change(call, a, { backend_port: 1111, note: 'kept for nobody' })
    await act(call, b, 'deactivate')
    const { body } = await call('POST', restorePath(release))
    expect(body).toMatchObject({
      success: true,
      message: `Release ${release} is restored: 2 restored, 0 created, 0 deactivated, 0 skipped.`,
      restored: [
        { domain_id: a, changed: ['backend_port', 'note'] },
        { domain_id: b, changed: ['status'] },
      ],
      // A provider that was too slow to answer is warned of as well.
      warnings: expect.arrayContaining([
        'a.example.com: a saved change that was never deployed is replaced.',
      ]) as string[],
    })
    expect((await call('GET', `/api/releases/${body['release']}`)).body).toMatchObject({
      reason: `restore release ${release}`,
      // What is deployed of the other is what it was.
      rows: [{ domain_id: b, change: 'add' }],
      results: { routes: 'repaired' },
    })
  })

  it('a dry run shows the plan and the lists, and changes nothing', async () => {
    await using at = await openTestHouse()
    const { call, a, release } = await estate(at)
    await good(call, 'DELETE', `/api/domains/${a}`)
    const [bytes, number, records] = [
      at.routes(),
      await newest(call),
      await good(call, 'GET', '/api/domains'),
    ]
    const { status, body } = await call('POST', `${restorePath(release)}?dry_run=true`)
    expect(status).toBe(200)
    expect(listsOf(body)).toEqual({ ...NOTHING, created: [A.domain] })
    expect(body).toMatchObject({
      dry_run: true,
      plan: { rows: [{ domain: A.domain, change: 'add' }], applyable: true },
    })
    expect([at.routes(), await newest(call), await good(call, 'GET', '/api/domains')]).toEqual([
      bytes,
      number,
      records,
    ])
  })
})

describeInDepth('a restore never', () => {
  it('revives a disabled record: it is skipped with the reason, the rest is restored', async () => {
    await using at = await openTestHouse()
    const { call, a, b, release } = await estate(at)
    await act(call, a, 'disable')
    await act(call, b, 'deactivate')
    const { body } = await call('POST', restorePath(release))
    expect(listsOf(body)).toEqual({ ...NOTHING, restored: [B.domain], skipped: [A.domain] })
    expect(body['skipped']).toEqual([
      { domain_id: a, domain: A.domain, reason: 'It is disabled, which is final.' },
    ])
    expect((await call('GET', `/api/domains/${a}`)).body['status']).toBe('disabled')
    expect(at.routes()).toContain(B.domain)
    expect(at.routes()).not.toContain(A.domain)
    await expectSettled(call)
  })

  it('takes a name from another record: 409 names who holds it, and nothing changes', async () => {
    await using at = await openTestHouse()
    const { call, a, b, release } = await estate(at)
    await good(call, 'DELETE', `/api/domains/${a}`)
    const stranger = await createActive(call, { ...A, backend_port: 7777 })
    await change(call, b, { domain: 'z.example.com' })
    await act(call, b, 'deploy')
    const other = await create(call, B)
    const [bytes, records] = [at.routes(), await good(call, 'GET', '/api/domains')]
    const { status, body } = await call('POST', restorePath(release))
    expect({ status, ...body }).toMatchObject({
      status: 409,
      code: 'conflict',
      conflicts: [
        { domain_id: b, domain: B.domain, held_by: other },
        { domain_id: a, domain: A.domain, held_by: stranger },
      ],
    })
    expect([at.routes(), await good(call, 'GET', '/api/domains')]).toEqual([bytes, records])
  })

  it('brings back what the rules of today refuse: 422 names record, field and rule', async () => {
    await using first = await openTestHouse()
    const id = await createActive(first.call, { ...A, ...PLAIN_SSH })
    const release = await newest(first.call)
    await act(first.call, id, 'deactivate')
    await first.house.close()
    await using at = await openTestHouse({
      directory: first.directory,
      env: { PLUMBLINE_ENTRYPOINTS: 'web=80,websecure=443' },
    })
    const bytes = at.routes()
    const { status, body } = await at.call('POST', restorePath(release))
    expect({ status, ...body }).toMatchObject({
      status: 422,
      errors: [{ loc: ['release', A.domain, 'tcp_entrypoint'], type: 'unknown_entrypoint' }],
    })
    expect(at.routes()).toBe(bytes)
    expect((await at.call('GET', `/api/domains/${id}`)).body['status']).toBe('inactive')
  })

  it('removes many records unasked: the hash typed back lets that very plan through, once', async () => {
    await using at = await openTestHouse()
    const { call, release } = await estate(at)
    for (const name of ['c', 'd', 'e', 'f', 'g', 'h'])
      await createActive(call, { domain: `${name}.example.com` })
    const bytes = at.routes()
    const refused = await call('POST', restorePath(release))
    expect({ status: refused.status, ...refused.body }).toMatchObject({
      status: 409,
      code: 'refused_by_guard',
      guards: [{ rule: 'bulk_removal', confirmable: true }],
    })
    expect(at.routes()).toBe(bytes)
    const confirmed = `${restorePath(release)}?confirm=${refused.body['plan_hash']}`
    const done = await Promise.all([call('POST', confirmed), call('POST', confirmed)])
    expect(new Set(done.map(({ status }) => status))).toEqual(new Set([200, 409]))
    expect(at.routes()).not.toContain('h.example.com')
    await expectSettled(call)
    await act(call, 3, 'activate')
    expect((await call('POST', confirmed)).body).toMatchObject({ code: 'conflict' })
    const { body } = await call('GET', '/api/audit?action=refused')
    expect(body).toMatchObject([
      { plan_hash: refused.body['plan_hash'], detail: { rules: ['bulk_removal'] } },
    ])
  })

  it('finds a release that was never made', async () => {
    await using at = await openTestHouse()
    for (const [method, path] of [
      ['POST', restorePath(99)],
      ['GET', '/api/releases/99'],
      ['GET', '/api/releases/99/routes'],
      ['GET', '/api/releases/99/diff'],
      ['GET', '/api/releases/1/diff?against=99'],
    ] as const)
      expect(await at.call(method, path)).toMatchObject({ status: 404, body: { code: 'not_found' } })
    expect((await at.call('GET', '/api/releases/0')).status).toBe(422)
    expect((await at.call('POST', '/api/releases/x/restore')).status).toBe(422)
  })
})

describeInDepth('the history', () => {
  it('is told newest first, page by page, each release once', async () => {
    await using at = await openTestHouse()
    const { call, a } = await estate(at)
    for (const port of [1, 2, 3, 4]) {
      await change(call, a, { backend_port: port })
      await act(call, a, 'deploy')
    }
    const numbers: number[] = []
    let path: string | undefined = '/api/releases?limit=3'
    while (path !== undefined) {
      const page = await call('GET', path)
      numbers.push(...(page.body as unknown as readonly { number: number }[]).map(({ number }) => number))
      path = /^<(.*)>; rel="next"$/.exec(page.headers.get('link') ?? '')?.[1]
    }
    const last = await newest(call)
    expect(numbers).toEqual(Array.from({ length: last }, (_, i) => last - i))
  })

  it('shows who made a release, what it moved, and the exact bytes that it froze', async () => {
    await using at = await openTestHouse()
    const { call, a, release } = await estate(at)
    const bytes = at.routes()
    const answer = await call('DELETE', `/api/domains/${a}`, {
      headers: { 'x-request-id': 'who-deleted-it' },
    })
    expect(answer.status).toBe(200)
    const request_id = answer.headers.get('x-request-id')
    const gone = await call('GET', `/api/releases/${release + 1}`)
    expect(gone.body).toMatchObject({
      number: release + 1,
      actor: 'key',
      request_id,
      reason: 'delete a.example.com',
      plan_hash: null,
      digests: { routes: sha256([at.routes()]) },
      results: { routes: 'repaired' },
      rows_moved: 1,
      rows: [{ domain_id: a, domain: A.domain, change: 'remove', revision: 2 }],
    })
    const frozen = await call('GET', `/api/releases/${release}/routes`)
    expect(frozen.headers.get('content-type')).toMatch(/^text\/yaml/)
    expect(frozen.headers.get('etag')).toBe(`"${sha256([bytes])}"`)
    expect(frozen.body).toBe(bytes)
  })

  it('tells what lies between two releases, in both directions', async () => {
    await using at = await openTestHouse()
    const { call, a, b, release } = await estate(at)
    await change(call, a, { backend_port: 1111 })
    await act(call, a, 'deploy')
    await good(call, 'DELETE', `/api/domains/${b}`)
    const c = await createActive(call, { domain: 'c.example.com' })
    const last = await newest(call)
    const forth = (await call('GET', `/api/releases/${last}/diff?against=${release}`)).body
    expect(forth).toMatchObject({
      from: release,
      to: last,
      added: [{ domain_id: c, domain: 'c.example.com' }],
      removed: [{ domain_id: b, domain: B.domain }],
      changed: [{ domain_id: a, domain: A.domain, fields: { backend_port: { before: 8080, after: 1111 } } }],
      note: null,
    })
    expect(forth['unified_diff']).toContain(`\trelease ${release}\n+++`)
    expect(forth['unified_diff']).toContain('-          - url: "http://10.0.0.5:8080"')
    expect(forth['unified_diff']).toContain('+          - url: "http://10.0.0.5:1111"')
    const back = (await call('GET', `/api/releases/${release}/diff?against=${last}`)).body
    expect(back).toMatchObject({
      from: last,
      to: release,
      added: forth['removed'],
      removed: forth['added'],
      changed: [{ fields: { backend_port: { before: 1111, after: 8080 } } }],
    })
    expect((await call('GET', `/api/releases/${last}/diff`)).body).toMatchObject({
      from: last - 1,
      added: [{ domain_id: c }],
      removed: [],
      changed: [],
    })
    expect((await call('GET', '/api/releases/1/diff')).body).toMatchObject({ from: null, to: 1, added: [] })
    const self = await call('GET', `/api/releases/${last}/diff?against=${last}`)
    expect(self.body).toMatchObject({ unified_diff: null, note: 'The bytes are the same.' })
  })
})

describeInDepth('on the command line', () => {
  it('releases are listed, shown, compared and restored', async () => {
    await using at = await openTestHouse({ opened: false })
    const { call, a, release } = await estate(at)
    const bytes = at.routes()
    await change(call, a, { backend_port: 1111 })
    await act(call, a, 'deploy')
    await at.house.close()
    const env = envIn(at.directory)
    const said = async (...words: readonly string[]) => {
      const ran = await run(words, env)
      expect(ran, ran.err).toMatchObject({ code: 0 })
      return ran.out
    }
    expect(await said('releases', '--limit', '2')).toMatch(
      new RegExp(
        `^RELEASE .*\n${release + 1} .* deploy a\\.example\\.com\n${release} .* activate b\\.example\\.com\n$`,
      ),
    )
    expect(await said('releases', String(release + 1))).toMatch(
      /~ +a\.example\.com +revision 3\n +backend_port: 8080 -> 1111$/m,
    )
    expect(await said('releases', 'diff', String(release + 1))).toContain('backend_port: 8080 -> 1111')
    expect(await said('releases', 'diff', String(release + 1), String(release))).toContain(
      'backend_port: 1111 -> 8080',
    )
    const rehearsed = await run(['releases', 'restore', String(release), '--dry-run'], env)
    expect(rehearsed.out).toContain('restored: a.example.com (backend_port)')
    expect(rehearsed.err).toMatch(
      /Nothing was changed\. To do exactly this plan, say --confirm [0-9a-f]+ instead/,
    )
    expect(at.routes()).not.toBe(bytes)
    const unsaid = await run(['releases', 'restore', String(release)], env)
    expect(unsaid).toMatchObject({ code: 64, err: expect.stringContaining('say --yes') })
    expect(await said('releases', 'restore', String(release), '--yes')).toContain(
      `Release ${release} is restored`,
    )
    expect(at.routes()).toBe(bytes)
    expect(await said('releases', 'restore', String(release), '--yes')).toContain(
      `Nothing was restored: the records stand already as they did in release ${release}.`,
    )
    const audit = await said('audit', A.domain, '--since', '1h', '--limit', '1')
    expect(await said('audit', '--actor', 'main')).toMatch(/ key main +activate +b\.example\.com /)
    expect(audit).toMatch(/^TIME .*\n.* restore +a\.example\.com +3 -> 4 /)
    const mistyped = await run(['audit', '--action', 'updaet'], env)
    expect(mistyped.err).toMatch(
      /No entry has the action "updaet"\. The newest \d+ have: .*restore, .*update/,
    )
    const edits = await said('audit', A.domain, '--action', 'update')
    expect(edits).toContain('\n  backend_port: 8080 -> 1111\n')
    expect((await run(['releases', 'undo', '3'], env)).code).toBe(64)
    expect(await run(['releases', 'restore', '99'], env)).toMatchObject({
      code: 1,
      err: expect.stringContaining('no release 99'),
    })
    expect(await run(['audit', '--since', 'yesterday'], env)).toMatchObject({ code: 64 })
  })
})
