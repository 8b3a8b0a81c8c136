/** How far the database is, in marks that are written anyway: put there with the write, and no difference ever. */
import { describe, expect, it } from 'vitest'
import { marksBy, readMark, stampOf } from '../../../../src/features/dns/target/marks/marker.ts'
import { type Bench, bench, INSTALLATION, mark, OTHER, owned, stampAt } from './bench.ts'
import { PROFILE_NAMES } from './profiles.ts'
import { desiredOf } from './rows.ts'

const APP = { domain: 'app.example.com' }
const AT = 'app.example.com A'
const BESIDE = '_plumbline.app.example.com TXT'
const NOTHING = { known: true, deeds: [], repairs: [], obstacles: [], left: 0 }

const isComment = ({ provider }: Bench) => marksBy(provider.traits) === 'comment'
/** The text of the one mark of `app.example.com`. */
const markAt = (at: Bench): string =>
  isComment(at) ? at.provider.now().get(AT)!.comment! : at.provider.now().get(BESIDE)!.values[0]!
const numberAt = (at: Bench): number | null => stampOf(markAt(at), INSTALLATION)?.number ?? null
const highest = async (at: Bench) => at.target.stampIn!(await at.look())

describe.each(PROFILE_NAMES)('a mark at a provider like %s', (profile) => {
  it('bears the number of the write, reads as ever, and is never written for a number', async () => {
    const at = bench(profile)
    await at.pass(desiredOf([APP]))
    const text = markAt(at)
    expect(numberAt(at)).toBe(1)
    expect(readMark(text, INSTALLATION)).toEqual({ kind: 'ours', domain_id: 1 })
    await at.pass(desiredOf([APP, { domain: 'web.example.com' }]))
    expect(await highest(at)).toEqual(stampAt(2))
    const { change } = at.provider.calls
    expect(await at.pass(desiredOf([APP, { domain: 'web.example.com' }]))).toEqual(NOTHING)
    expect(at.provider.calls.change).toBe(change)
    expect(markAt(at)).toBe(text)
  })

  it('with no number, or with an older one, is right, and follows the set that it is part of', async () => {
    const at = bench(profile)
    await at.pass(desiredOf([APP]))
    const there = at.provider.now().get(isComment(at) ? AT : BESIDE)!
    for (const text of [mark(1), `${mark(1)} change=1`]) {
      at.provider.stranger(isComment(at) ? { ...there, comment: text } : { ...there, values: [text] })
      expect(await at.pass(desiredOf([APP]))).toEqual(NOTHING)
      expect(markAt(at)).toBe(text)
    }
    await at.pass(desiredOf([{ ...APP, static_ip: '192.0.2.9' }]))
    expect(numberAt(at)).toBe(isComment(at) ? 2 : 1)
  })

  it('goes with its number when the set is given up', async () => {
    const at = bench(profile)
    await at.pass(desiredOf([APP]))
    at.ledger.put({ ...[...at.ledger.rows.values()][0]!, state: 'releasing' })
    await at.pass(desiredOf([APP]))
    expect(at.provider.now().get(AT)?.comment ?? null).toBeNull()
    expect(at.provider.now().has(BESIDE)).toBe(false)
  })

  it('of another installation says nothing of how far we are', async () => {
    const at = bench(profile)
    const text = `plumbline:1:${OTHER}:1 change=999`
    at.provider.stranger({ name: '_plumbline.app.example.com', type: 'TXT', values: [text] })
    if (isComment(at))
      at.provider.stranger({ name: 'b.example.com', type: 'A', values: ['192.0.2.7'], comment: text })
    expect(await highest(at)).toBeNull()
    at.provider.stranger({
      name: '_plumbline.c.example.com',
      type: 'TXT',
      values: [`${mark(3)} change=7:${stampAt(7).mark}`],
    })
    expect(await highest(at)).toEqual(stampAt(7))
  })

  it('that the listing hides is known for ours whatever its number', async () => {
    const at = bench(profile)
    at.ledger.put(owned({ state: 'sending', proxied: at.provider.traits.has_proxy ? false : null }))
    at.provider.stranger({
      name: '_plumbline.app.example.com',
      type: 'TXT',
      values: [`${mark(1)} change=1`],
    })
    expect(await at.pass(desiredOf([APP]))).toMatchObject({ left: 0, obstacles: [] })
  })
})

it('what people wrote behind the mark stays when the set is written', async () => {
  const at = bench()
  await at.pass(desiredOf([APP]))
  const there = at.provider.now().get(AT)!
  at.provider.stranger({ ...there, comment: `${mark(1)} change=1 ask Jo before you touch it` })
  await at.pass(desiredOf([{ ...APP, static_ip: '192.0.2.9' }]))
  expect(markAt(at)).toBe(`${mark(1)} change=2:${stampAt(2).mark} ask Jo before you touch it`)
})
