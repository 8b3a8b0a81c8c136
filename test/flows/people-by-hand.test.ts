/** What a hand changes in the entry of somebody whom we invited: it is believed, and stays where the entry is lost. */
import { expect, it } from 'vitest'
import { OWNER, peopleWorld } from './people-world.ts'
import { openTestHouse } from './test-house.ts'

const JO = { display_name: 'Jo Roe', email: 'jo@exmaple.net', groups: ['family'] }

/** Somebody who is invited, and a hand that waits until the daemon has seen what it wrote. */
async function invited() {
  const world = await peopleWorld()
  const at = await openTestHouse({ env: world.env })
  expect((await at.call('POST', '/api/users/invite', { body: JO })).status).toBe(201)
  const look = async () => {
    const asked = await at.call('POST', '/api/reconcile', { body: {} })
    const ended = async () => (await at.call('GET', `/api/operations/${asked.body['id']}`)).body['ended_at']
    await expect.poll(ended).toEqual(expect.any(String))
  }
  const edit = async (from: string, to: string) => {
    const cut = world.text().indexOf('jo.roe')
    const ours = world.text().slice(cut)
    expect(ours).toContain(from)
    world.write(world.text().slice(0, cut) + ours.replace(from, to))
    await look()
  }
  const lose = async () => {
    world.write(OWNER)
    await expect.poll(() => world.user('jo.roe')).toBeDefined()
    return world.user('jo.roe')
  }
  return { world, at, look, edit, lose }
}

it('somebody who was disabled by hand comes back disabled, and enabled where a hand has enabled them', async () => {
  const { world, at, edit, lose } = await invited()
  await using _world = world
  await using _at = at
  await edit('disabled: false', 'disabled: true')
  expect(await lose()).toMatchObject({ disabled: true, groups: ['family'] })
  await edit('disabled: true', 'disabled: false')
  expect(await lose()).toMatchObject({ disabled: false })
})

it('a mail address that was corrected by hand is the one that is mailed and comes back; the slip is free', async () => {
  const { world, at, edit, lose } = await invited()
  await using _world = world
  await using _at = at
  await edit('jo@exmaple.net', 'jo@example.net')
  const planned = await at.call('POST', '/api/users/jo.roe/resend?dry_run=true')
  expect(planned.body['plan']).toMatchObject({ actions: [{ item: 'to jo@example.net' }] })
  expect((await at.call('POST', '/api/users/jo.roe/resend')).status).toBe(200)
  expect(world.sink.mails.map(({ to }) => to)).toEqual([['jo@exmaple.net'], ['jo@example.net']])
  expect(await lose()).toMatchObject({ email: 'jo@example.net', disabled: false })
  const twin = await at.call('POST', '/api/users/invite', { body: { ...JO, email: 'jo@example.net' } })
  expect(twin.status).toBe(409)
  expect((await at.call('POST', '/api/users/invite?dry_run=true', { body: JO })).status).toBe(200)
})

it('a mail goes to the address that the file has, also where nobody has looked since it was corrected', async () => {
  const world = await peopleWorld()
  await using _world = world
  await using at = await openTestHouse({ env: world.env, opened: false })
  await at.call('POST', '/api/users/invite', { body: JO })
  world.write(world.text().replace('jo@exmaple.net', 'jo@example.net'))
  expect((await at.call('POST', '/api/users/jo.roe/resend')).status).toBe(200)
  expect(world.sink.mails.at(-1)?.to).toEqual(['jo@example.net'])
})

it.each(['repair', 'observe'])(
  'what nobody saw while people was suspended enables nobody who is lost by then, also where %s comes first',
  async (mode) => {
    const { world, at, look } = await invited()
    await using _world = world
    await using _at = at
    const inMode = async (body: object) =>
      expect((await at.call('PUT', '/api/modes/people', { body })).status).toBe(200)
    const expires_at = new Date(Date.now() + 3_600_000).toISOString()
    await inMode({ mode: 'suspend', reason: 'by hand', expires_at })
    await look()
    const ours = world.text()
    world.write(
      ours
        .replace(/(jo\.roe[^]*?)disabled: false/, '$1disabled: true')
        .replace('jo@exmaple.net', 'jo@example.net'),
    )
    expect((await at.call('GET', '/api/users/jo.roe')).body).toMatchObject({ email: 'jo@example.net' })
    world.write(OWNER)
    await inMode({ mode, reason: 'done', ...(mode === 'observe' && { expires_at }) })
    await at.call('POST', '/api/reconcile', { body: {} })
    await expect.poll(() => world.user('jo.roe'), { timeout: 10_000 }).toMatchObject({ disabled: true })
  },
)

it('who is lost while the daemon is down comes back disabled', async () => {
  const { world, at } = await invited()
  await using _world = world
  await at.house.close()
  world.write(OWNER)
  await using again = await at.reopen()
  await again.call('POST', '/api/reconcile', { body: {} })
  await expect.poll(() => world.user('jo.roe'), { timeout: 10_000 }).toMatchObject({ disabled: true })
})

it.each(['not an address', 'a@b.example, c@d.example'])(
  '%s in the place of a mail address is not believed',
  async (text) => {
    const { world, at, edit, lose } = await invited()
    await using _world = world
    await using _at = at
    await edit('jo@exmaple.net', text)
    expect(await lose()).toMatchObject({ email: 'jo@exmaple.net', disabled: false })
  },
)
