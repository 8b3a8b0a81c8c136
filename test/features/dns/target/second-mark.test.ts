/** A second mark beside ours: what it keeps us from taking away is told for as long as it stands, and never called done. */
import { describe, expect, it } from 'vitest'
import { marksBy } from '../../../../src/features/dns/target/marks/marker.ts'
import { recordViews } from '../../../../src/features/dns/target/records.ts'
import { type Bench, bench, lines, mark, OTHER } from './bench.ts'
import { PROFILE_NAMES, PROFILES } from './profiles.ts'
import { desiredOf } from './rows.ts'

const APP = 'app.example.com'
const BESIDE = `_plumbline.${APP}`
const WANTED = desiredOf([{ domain: APP }])
const GONE = desiredOf([{ domain: APP, retired: true }])
const STRANGER = '198.51.100.66'
/** Where marks stand beside the name. */
const WITH_TEXTS = PROFILE_NAMES.filter((profile) => marksBy(PROFILES[profile]) === 'text')

const markWith = (at: Bench, ...others: readonly string[]) =>
  at.provider.stranger({ name: BESIDE, type: 'TXT', values: [mark(1), ...others].sort() })
const stands = (at: Bench) => at.provider.now().has(`${APP} A`)

describe.each(PROFILE_NAMES.filter((profile) => !WITH_TEXTS.includes(profile)))(
  '%s: a set with a second mark among its comments',
  (profile) => {
    it('is not taken away, and says so for as long as both stand', async () => {
      const at = bench(profile)
      await at.pass(WANTED)
      const [set] = at.provider.now().values()
      const both = [`plumbline:1:${OTHER}:1`, set!.comment!]
      for (const comment of [both.join('\n'), both.toReversed().join('\n')]) {
        at.provider.stranger({ ...set!, comment })
        const { deeds, obstacles } = await at.pass(GONE)
        expect(deeds).toEqual([])
        expect(obstacles).toMatchObject([{ item: `A ${APP}`, failure: { code: 'foreign_owner' } }])
        expect(stands(at)).toBe(true)
      }
      at.provider.stranger(set!)
      expect(await at.pass(GONE)).toMatchObject({ deeds: [`delete A ${APP}`], left: 0, obstacles: [] })
    })
  },
)

describe.each(WITH_TEXTS)('%s: a name with a second TXT beside our mark', (profile) => {
  it.each([
    ['of another installation', `plumbline:1:${OTHER}:1`, null],
    ['of another version', 'plumbline:9:whoever:1', null],
    ['of people, over a record that they changed', 'hello', STRANGER],
  ])(
    '%s: its removal is not done, says so in each look, and is done when we are alone',
    async (_whose, text, value) => {
      const at = bench(profile)
      await at.pass(WANTED)
      markWith(at, text)
      if (value !== null) at.provider.stranger({ name: APP, type: 'A', values: [value] })
      for (let looks = 0; looks < 3; looks++) {
        const { deeds, obstacles } = await at.pass(GONE)
        expect(deeds).toEqual([])
        expect(obstacles).toMatchObject([
          { item: `A ${APP}`, domain_ids: [1], failure: { code: 'foreign_owner' } },
        ])
        expect(obstacles[0]!.failure.message).toContain(BESIDE)
        expect(stands(at)).toBe(true)
        expect(at.ledger.rows.size).toBe(1)
        expect(recordViews(GONE, await at.look())).toMatchObject([{ name: APP, detail: expect.any(String) }])
      }
      markWith(at)
      expect(await at.pass(GONE)).toMatchObject({ deeds: [`delete A ${APP}`], left: 0, obstacles: [] })
      expect(lines(at)).toEqual([])
    },
  )

  it('is told, although no database knows it', async () => {
    const at = bench(profile)
    at.provider.stranger({ name: APP, type: 'A', values: [STRANGER] })
    markWith(at, `plumbline:1:${OTHER}:1`)
    const { deeds, obstacles } = await at.pass(desiredOf([]))
    expect(deeds).toEqual([])
    expect(obstacles).toMatchObject([{ item: `A ${APP}`, beside: true }])
  })

  it('is no business of ours where our mark is not among them', async () => {
    const at = bench(profile)
    await at.pass(WANTED)
    at.provider.stranger({ name: BESIDE, type: 'TXT', values: [`plumbline:1:${OTHER}:1`] })
    expect(await at.pass(GONE)).toMatchObject({ left: 0, obstacles: [] })
    expect(stands(at)).toBe(true)
    expect(at.ledger.rows.size).toBe(0)
  })
})
