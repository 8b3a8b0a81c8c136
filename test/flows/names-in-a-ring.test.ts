/** Records that take names of each other in a circle: every refusal on the way names what works, and that works. */
import { expect, it } from 'vitest'
import { create, createActive, openTestHouse, type TestHouse } from './test-house.ts'

const nameOf = (letter: string) => `${letter}.example.com`

/** Live records of these letters, each saved under the name of the next one. */
async function ringOf(at: TestHouse, letters: readonly string[]): Promise<readonly number[]> {
  const ids: number[] = []
  for (const letter of letters) ids.push(await createActive(at.call, { domain: nameOf(letter) }))
  await save(at, ids[0]!, 'parked.example.com')
  for (const index of [...ids.keys()].slice(1).toReversed())
    expect(await save(at, ids[index]!, nameOf(letters[(index + 1) % ids.length]!))).toHaveLength(1)
  expect(await save(at, ids[0]!, nameOf(letters[1]!))).toEqual([
    expect.stringContaining(`and domains ${worded(ids)} wait for each other. Deploy them together`),
  ])
  return ids
}

async function save({ call }: TestHouse, id: number, domain: string): Promise<readonly string[]> {
  const { status, body } = await call('PUT', `/api/domains/${id}`, { body: { domain } })
  expect(status, JSON.stringify(body)).toBe(200)
  return body['warnings'] as unknown as readonly string[]
}

const worded = (ids: readonly number[]) => `${ids.slice(0, -1).join(', ')} and ${ids.at(-1)}`
const byName = (names: readonly string[]) => names.toSorted((a, b) => (a < b ? -1 : 1))
const saved = async ({ call }: TestHouse, ids: readonly number[]) => {
  const records: string[] = []
  for (const id of ids) records.push(String((await call('GET', `/api/domains/${id}`)).body['domain']))
  return records
}
const refusalOf = async ({ call }: TestHouse, path: string, body?: object): Promise<string> => {
  const answer = await call('POST', path, { body })
  expect(answer).toMatchObject({ status: 409 })
  return answer.body['detail'] as unknown as string
}

it.each([[['a', 'b']], [['a', 'b', 'c', 'd']]])(
  'of %j are deployed together, which each refusal says',
  async (letters) => {
    await using at = await openTestHouse()
    const ids = await ringOf(at, letters)
    const names = await saved(at, ids)
    for (const id of ids)
      for (const [path, body] of [
        [`/api/domains/${id}/deploy`],
        [`/api/domains/${id}/activate`],
        ['/api/plans', { domain: id }],
      ] as const) {
        const said = await refusalOf(at, path, body)
        expect(said).toContain(`and domains ${worded(ids)} wait for each other. Deploy them together: `)
        expect(said).toContain(`"plumbline plan ${names.join(' ')}"`)
        expect(said).toContain('"plumbline deploy --all"')
        expect(said).not.toContain('first')
      }
    const { body } = await at.call('POST', '/api/plans', { body: { domains: ids } })
    const applied = await at.call('POST', `/api/plans/${String(body['id'])}/apply`)
    expect(applied).toMatchObject({ status: 200, body: { success: true, pending: [] } })
  },
)

it('are deployed with everything that waits, too', async () => {
  await using at = await openTestHouse()
  await ringOf(at, ['a', 'b'])
  expect(await at.call('POST', '/api/deploy-all')).toMatchObject({ status: 200, body: { pending: [] } })
})

it('whoever is in none is told who goes first, and that works', async () => {
  await using at = await openTestHouse()
  const last = await createActive(at.call, { domain: 'last.example.com' })
  const [a, b] = (await ringOf(at, ['a', 'b'])) as [number, number]
  await at.call('POST', '/api/deploy-all')
  await save(at, a, 'free.example.com')
  await save(at, b, nameOf('b'))
  await save(at, last, nameOf('a'))
  expect(await refusalOf(at, `/api/domains/${b}/deploy`)).toContain(`Deploy domain ${a} first.`)
  expect(await refusalOf(at, `/api/domains/${last}/deploy`)).toContain(`Deploy domain ${b} first.`)
  for (const id of [a, b, last])
    expect(await at.call('POST', `/api/domains/${id}/deploy`)).toMatchObject({ status: 200 })
})

it.each([[['a', 'b']], [['a', 'b', 'c', 'd']]])(
  'of %j are discarded together, which each refusal says',
  async (letters) => {
    await using at = await openTestHouse()
    const ids = await ringOf(at, letters)
    const names = await saved(at, ids)
    for (const id of ids) {
      const said = await refusalOf(at, `/api/domains/${id}/discard`)
      const all = byName(names).join(' ')
      expect(said).toContain(`Discard them together: "plumbline discard ${all}"`)
    }
    const action = { action: 'discard', records: ids.map((id) => ({ id })) }
    const done = await at.call('POST', '/api/domains/changes', { body: action })
    expect(done).toMatchObject({ status: 200, body: { records: ids.map(() => ({ changed: ['domain'] })) } })
    expect(await saved(at, ids)).toEqual(letters.map(nameOf))
    expect((await at.call('GET', '/api/drift')).body).toMatchObject({ drift: false, pending: [] })
  },
)

it('a discard of some of them names all of them', async () => {
  await using at = await openTestHouse()
  const ids = await ringOf(at, ['a', 'b', 'c'])
  const all = byName(await saved(at, ids)).join(' ')
  const records = ids.slice(0, 2).map((id) => ({ id }))
  const said = await refusalOf(at, '/api/domains/changes', { action: 'discard', records })
  expect(said).toContain(`Discard them together: "plumbline discard ${all}"`)
})

it('a discard names who has to give up the name first, where that frees it', async () => {
  await using at = await openTestHouse()
  const x = await createActive(at.call, { domain: nameOf('x') })
  const y = await createActive(at.call, { domain: nameOf('y') })
  await save(at, x, nameOf('x2'))
  await save(at, y, nameOf('x'))
  expect(await refusalOf(at, `/api/domains/${x}/discard`)).toMatch(
    new RegExp(
      `The name x\\.example\\.com is taken by domain ${y}.*Discard what is saved of domain ${y} first\\.$`,
    ),
  )
  for (const id of [y, x])
    expect(await at.call('POST', `/api/domains/${id}/discard`)).toMatchObject({ status: 200 })
  await save(at, x, nameOf('x2'))
  await create(at.call, { domain: nameOf('x') })
  expect(await refusalOf(at, `/api/domains/${x}/discard`)).not.toContain('iscard')
})
