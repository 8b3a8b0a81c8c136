/** Taking in names: nothing that is not known becomes gone, and no name leads to two. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { foldedName, isTargetName, namesFor } from '../../../src/features/ssh-targets/model/names.ts'
import { planSync, type SeenGuest, type SeenGuests } from '../../../src/features/ssh-targets/model/sync.ts'
import type { ListedTarget } from '../../../src/features/ssh-targets/settings.ts'
import { runs } from '../../kit/tier.ts'

const guest = (vmid: number, over: Partial<SeenGuest> = {}): SeenGuest => ({
  cluster: 'lab',
  vmid,
  name: `guest${vmid}`,
  is_running: true,
  addresses: [`10.0.0.${vmid % 250}`],
  is_excluded: false,
  ...over,
})
const seen = (guests: readonly SeenGuest[], whole: readonly string[] = ['lab']): SeenGuests => ({
  guests,
  whole: new Set(whole),
  complete: whole.length > 0,
})
const KEY = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIJH2T0bmeVXeUu8cVGfq3Dmt9hzHbmJAf0QWbnRcyuBt'
const entry = (name: string, over: Partial<ListedTarget> = {}): ListedTarget => ({
  name,
  user: 'admin',
  host: '192.168.1.10',
  port: 22,
  host_key: null,
  ...over,
})
const at = (time: number, listed: readonly ListedTarget[] = []) => ({ at: time, listed, user: 'root' })

describe('taking in names', () => {
  const first = planSync([], seen([guest(101), guest(102)]), at(1))

  it('adds what runs with an address, once', () => {
    expect(first).toMatchObject({ added: ['guest101', 'guest102'], unchanged: 0 })
    const again = planSync(first.rows, seen([guest(101), guest(102)]), at(2))
    expect(again).toMatchObject({ added: [], renamed: [], moved: [], lost: [], removed: [], unchanged: 2 })
    expect(again.rows).toEqual(first.rows)
  })

  it.each([
    ['stopped', guest(103, { is_running: false })],
    ['without an address', guest(103, { addresses: [] })],
    ['with the tag', guest(103, { is_excluded: true })],
  ])('takes in none that is %s', (_what, odd) => {
    expect(planSync([], seen([odd]), at(1)).rows).toEqual([])
  })

  it('keeps the row of a guest that stops, or whose addresses nobody sees', () => {
    for (const now of [
      guest(101, { is_running: false, addresses: ['10.9.9.9'] }),
      guest(101, { addresses: [] }),
    ])
      expect(planSync(first.rows, seen([now, guest(102)]), at(2))).toMatchObject({ moved: [], unchanged: 2 })
  })

  it('keeps the row of a guest that is not there any more as gone, once, and takes it up again', () => {
    const lost = planSync(first.rows, seen([guest(101)]), at(5))
    expect(lost).toMatchObject({ lost: ['guest102'], unchanged: 1 })
    expect(lost.rows.find(({ vmid }) => vmid === 102)).toMatchObject({ state: 'gone', lost_at: 5 })
    expect(planSync(lost.rows, seen([guest(101)]), at(6))).toMatchObject({ lost: [], unchanged: 2 })
    const back = planSync(lost.rows, seen([guest(101), guest(102)]), at(7))
    expect(back).toMatchObject({ added: ['guest102'] })
    expect(back.rows.every(({ state }) => state === 'present')).toBe(true)
  })

  it('calls nothing gone of a cluster that is not known in whole, or not asked', () => {
    for (const world of [seen([guest(101)], []), seen([], []), seen([], ['attic']), null])
      expect(planSync(first.rows, world, at(2))).toMatchObject({ lost: [], removed: [] })
  })

  it('drops what the tag excludes, and says so', () => {
    const plan = planSync(first.rows, seen([guest(101), guest(102, { is_excluded: true })]), at(2))
    expect(plan).toMatchObject({ removed: ['guest102'], lost: [] })
    expect(plan.rows).toHaveLength(1)
  })

  it('follows a name and an address, and the key goes with the guest', () => {
    const keyed = first.rows.map((row) => ({ ...row, host_key: KEY, key_origin: 'contact' as const }))
    const now = guest(101, { name: 'web', addresses: ['10.7.7.7'] })
    const plan = planSync(keyed, seen([now, guest(102)]), at(2))
    expect(plan).toMatchObject({
      renamed: [{ from: 'guest101', to: 'web' }],
      moved: [{ name: 'web', from: 'root@10.0.0.101:22', to: 'root@10.7.7.7:22' }],
    })
    expect(plan.rows.find(({ vmid }) => vmid === 101)?.host_key).toBe(KEY)
  })

  it('takes an entry of the setting under the name with a number for the guest at its address', () => {
    const two = [guest(101, { name: 'web' }), guest(102, { name: 'web' })]
    const { rows } = planSync([], seen(two), at(1))
    const listed = [entry('web-101', { host: '10.0.0.101', host_key: KEY })]
    const plan = planSync(rows, seen(two), at(2, listed))
    expect(plan).toMatchObject({ renamed: [], moved: [], lost: [] })
    const names = (now: typeof plan) => now.rows.map(({ name, source, vmid }) => [name, source, vmid])
    const expected = [
      ['web-101', 'setting', 101],
      ['web-102', 'guest', 102],
    ]
    expect(names(plan)).toEqual(expected)
    const again = planSync(plan.rows, seen(two), at(3, listed))
    expect(again).toMatchObject({ added: [], renamed: [], removed: [], unchanged: 2 })
    // At another address it is an entry by itself.
    const elsewhere = planSync(rows, seen(two), at(2, [entry('web-101')]))
    expect(names(elsewhere)).toContainEqual(['web-101', 'setting', null])
  })

  it.each<[string, readonly ListedTarget[]]>([
    ['', []],
    [' that the setting names', [entry('web-101', { host: '10.0.0.101' })]],
  ])(
    'gives a guest its number where there are others%s of its name, though none has it plain',
    (_where, listed) => {
      const two = [guest(101, { name: 'web' }), guest(102, { name: 'web' })]
      const { rows } = planSync([], seen(two), at(1, listed))
      const clone = guest(103, { name: 'Web' })
      const plan = planSync(rows, seen([...two, clone]), at(2, listed))
      expect(plan).toMatchObject({ added: ['web-103'], renamed: [] })
      expect(
        planSync([], seen([two[0]!, clone]), at(1, listed))
          .rows.map(({ name }) => name)
          .toSorted(),
      ).toEqual(['web-101', 'web-103'])
    },
  )

  it('gives both of two guests of one name their number, and leaves a listed name alone', () => {
    const two = [guest(101, { name: 'web' }), guest(102, { name: 'WEB' }), guest(103, { name: 'nas' })]
    const { rows } = planSync([], seen(two), at(1, [entry('nas')]))
    expect(rows.map(({ name }) => name).toSorted()).toEqual(['nas', 'nas-103', 'web-101', 'web-102'])
  })

  it('gives the plain name to no guest while those of its name have theirs in a cluster that does not answer', () => {
    const webs = [guest(101, { name: 'web' }), guest(102, { name: 'web' })]
    const first = planSync([], seen(webs), at(1))
    const other = guest(201, { cluster: 'barn', name: 'web' })
    const { rows } = planSync(first.rows, seen([other], ['barn']), at(2))
    expect(rows.map(({ name }) => name).toSorted()).toEqual(['web-101', 'web-102', 'web-201'])
    expect(planSync(rows, seen([...webs, other], ['lab', 'barn']), at(3))).toMatchObject({ unchanged: 3 })
  })

  it('takes a listed target and the guest at its address for one', () => {
    const { rows } = planSync([], seen([guest(101, { name: 'nas', addresses: ['192.168.1.10'] })]), {
      ...at(1, [entry('nas', { host_key: KEY })]),
    })
    expect(rows).toMatchObject([{ name: 'nas', user: 'admin', vmid: 101, source: 'setting', host_key: KEY }])
  })

  it('forgets the key of a listed target that leads elsewhere, and what the setting said once', () => {
    const { rows } = planSync([], null, at(1, [entry('nas', { host_key: KEY })]))
    expect(planSync(rows, null, at(2, [entry('nas')])).rows).toMatchObject([
      { host_key: null, key_origin: null },
    ])
    const contacted = rows.map((row) => ({ ...row, key_origin: 'contact' as const }))
    expect(planSync(contacted, null, at(2, [entry('nas')])).rows).toMatchObject([{ host_key: KEY }])
    const moved = planSync(contacted, null, at(2, [entry('nas', { host: '192.168.1.11' })]))
    expect(moved.rows).toMatchObject([{ host_key: null }])
  })
})

describe('a name that leads somewhere', () => {
  const nameOf = (rows: readonly { readonly vmid: number | null; readonly name: string }[], vmid: number) =>
    rows.find((row) => row.vmid === vmid)?.name
  const webs = [guest(141, { name: 'web' }), guest(142, { name: 'web' }), guest(150, { name: 'tenant' })]
  const first = planSync([], seen(webs), at(1))

  it.each(['web-141', 'WEB 141', 'web-142', 'db-141'])('is not had by calling oneself %j', (name) => {
    const { rows, renamed } = planSync(first.rows, seen([...webs.slice(0, 2), guest(150, { name })]), at(2))
    expect([nameOf(rows, 141), nameOf(rows, 142)]).toEqual(['web-141', 'web-142'])
    expect(renamed).toEqual([{ from: 'tenant', to: expect.stringMatching(/-150$/) as string }])
    const fresh = planSync([], seen([...webs.slice(0, 2), guest(150, { name })]), at(2)).rows
    expect([nameOf(fresh, 141), nameOf(fresh, 142)]).toEqual(['web-141', 'web-142'])
  })

  it('stays with its guest whoever else is called so, also when that one comes first', () => {
    const before = planSync([], seen([guest(141, { name: 'web' }), guest(120)]), at(1)).rows
    const { rows } = planSync(
      before,
      seen([guest(141, { name: 'web' }), guest(120, { name: 'web' }), guest(110, { name: 'web' })]),
      at(2),
    )
    expect([nameOf(rows, 141), nameOf(rows, 120), nameOf(rows, 110)]).toEqual(['web', 'web-120', 'web-110'])
    const later = planSync(rows, seen([guest(120, { name: 'web' })]), at(3)).rows
    expect(nameOf(later, 120)).toBe('web-120')
  })

  it('is not free in the look in which its guest gives it up, nor while it is released', () => {
    const before = planSync([], seen([guest(141, { name: 'web' }), guest(150)]), at(1)).rows
    const world = seen([guest(141, { name: 'old' }), guest(150, { name: 'web' })])
    const then = planSync(before, world, at(2)).rows
    expect([nameOf(then, 141), nameOf(then, 150)]).toEqual(['old', 'web-150'])
    const released = before.filter(({ name }) => name === 'web')
    const others = then.filter(({ vmid }) => vmid === 141)
    expect(nameOf(planSync(others, world, { ...at(3), released }).rows, 150)).toBe('web-150')
    // It may be taken up again by the one that it leads to.
    const again = seen([guest(141, { name: 'web' }), guest(150, { name: 'web' })])
    expect(nameOf(planSync(then, again, { ...at(3), released }).rows, 141)).toBe('web')
    // What led to a guest that is gone is free: it was set up anew under another number.
    const lost = planSync(before, seen([]), at(3)).rows
    const anew = planSync(lost, seen([guest(160, { name: 'web' })]), { ...at(4), released }).rows
    expect(nameOf(anew, 160)).toBe('web')
  })

  it.each(['github.com', 'localhost', '127.0.0.1', '10', '0x7f000001', 'ip6-localhost', 'web.lan'])(
    'is never that of a host of the network: %s',
    (name) => {
      const { rows } = planSync([], seen([guest(141, { name })]), at(1))
      expect(rows.map((row) => row.name)).toEqual([`${name}-141`])
      const forced = rows.map((row) => ({ ...row, name }))
      expect(planSync(forced, seen([guest(141, { name })]), at(2)).rows.map((row) => row.name)).toEqual([
        `${name}-141`,
      ])
    },
  )
})

describe('names', () => {
  it.each([
    ['Web Server', 'web-server'],
    ['Grün_1.example', 'grun_1.example'],
    ['-rf /', 'rf'],
    ['a\nProxyCommand x', 'a-proxycommand-x'],
    ['*', 'guest'],
    ['', 'guest'],
  ])('%j is %s', (text, name) => {
    expect(foldedName(text)).toBe(name)
  })

  it('are of the allowed form, and each is given once, whatever guests are called', () => {
    const odd = fc.oneof(
      fc.constantFrom('web', 'WEB', 'web-1', 'web-2', 'web-a-1', '*', '!a', '', 'x'.repeat(80)),
      fc.string({ unit: 'binary', maxLength: 80 }),
    )
    const many = fc.array(fc.record({ called: odd, vmid: fc.integer({ min: 1, max: 5 }), cluster: odd }), {
      maxLength: 12,
    })
    fc.assert(
      fc.property(
        many,
        fc.array(fc.constantFrom('web', 'web-1', 'guest'), { maxLength: 2 }),
        (all, reserved) => {
          const guests = all.map((one, i) => ({ ...one, id: String(i) }))
          const names = namesFor(guests, { names: reserved })
          expect(names.size).toBe(guests.length)
          expect(new Set([...names.values(), ...reserved]).size).toBe(guests.length + new Set(reserved).size)
          for (const name of names.values()) expect(name).toSatisfy(isTargetName)
        },
      ),
      { numRuns: runs(1_000) },
    )
  })
})
