/** A provider that lies before a real name server: nothing is called clean that is not, and no stranger's record is touched. */
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { byTier } from '../kit/tier.ts'
import { describePeers } from '../peers/peers.ts'
import type { Client } from './client.ts'
import { type DnsWorld, LIED_ABOUT } from './dns-world.ts'
import type { Liar } from './liar.ts'
import { type PassingClock, passingClock } from './passing-clock.ts'
import { create, createActive, openTestHouse, type TestHouse } from './test-house.ts'
import { describeOneIn, itInDepth } from '../kit/in-depth.ts'

const PUBLIC = '203.0.113.10'
const ZONE = 'lies.test'
const TRIALS = byTier(1, 20, 500)
/** More new names than are asked for one by one. */
const CROWD = 21
const crowds = Array.from({ length: byTier(1, 5, 25) }, (_, i) => i + 1)
const trials = Array.from({ length: TRIALS }, (_, i) => i + 1)

interface Records {
  readonly drift: unknown
  readonly records: readonly {
    readonly name: string
    readonly state: string
    readonly cause: string | null
  }[]
}

describeOneIn(2).each(LIED_ABOUT)('a liar before $title', ({ programs, start, lie }) => {
  describePeers(programs, 'is a provider that lies', () => {
    let world: DnsWorld
    let liar: Liar
    let clock: PassingClock
    let at: TestHouse
    let call: Client
    beforeAll(async () => {
      world = await start([ZONE])
      liar = await lie(world.tcp_port)
      // A look that a busy machine slows down is unknown; here it is to say what it sees.
      clock = passingClock(3)
      // No client of ours looks a second time after a call: the trial does.
      const wrap = {}
      at = await openTestHouse({
        clock,
        wrap,
        env: { ...world.through(liar.port), PLUMBLINE_PUBLIC_IP: PUBLIC, PLUMBLINE_MODE: 'repair' },
      })
      call = at.call
      // The zone is one of ours from the start, whichever trial comes first.
      await createActive(call, { domain: `kept.${ZONE}` })
    })
    afterAll(async () => {
      await at[Symbol.asyncDispose]()
      await liar.close()
      await world.stop()
    })

    // A trial that failed half-way leaves lies behind, which are not to be those of the next.
    afterEach(async ({ task }) => {
      if (task.result?.state !== 'fail') return
      liar.promise([])
      liar.hide([])
      liar.silence(false)
      liar.holdSerial?.(false)
      await call('PUT', '/api/modes/dns', { body: { mode: 'repair' } })
      await call('POST', '/api/reconcile?target=dns')
    })

    const dns = async () => {
      // One listing serves the callers of two seconds.
      clock.pass(2000)
      const records = (await call('GET', '/api/dns/records')).body as unknown as Records
      const drift = (await call('GET', '/api/drift')).body as unknown as {
        readonly components: readonly { readonly key: string; readonly drift: unknown }[]
      }
      const health = (await call('GET', '/api/control-plane/health?probe=true')).body as unknown as {
        readonly ok: unknown
        readonly components: readonly { readonly name: string; readonly drift: unknown }[]
      }
      const key = `dns:${ZONE}`
      return {
        records,
        drifts: [
          records.drift,
          drift.components.find((one) => one.key === key)?.drift,
          health.components.find((one) => one.name === key)?.drift,
        ],
        stateOf: (name: string) => records.records.find((one) => one.name === name)?.state,
        causeOf: (name: string) => records.records.find((one) => one.name === name)?.cause,
      }
    }
    const settled = () => expect.poll(async () => (await dns()).drifts).toEqual([false, false, false])
    /** Trials that follow find the zone as small as this one did. */
    const leave = async (id: number) => {
      await call('DELETE', `/api/domains/${id}`)
      await settled()
    }

    describe('and accepts what it does not do', () => {
      it.each(trials)(
        'a removal is removing everywhere until a listing shows it gone (%i)',
        async (trial) => {
          const name = `gone${trial}.${ZONE}`
          const id = await createActive(call, { domain: name })
          liar.promise([name])
          await call('DELETE', `/api/domains/${id}`)
          expect(await world.dig(name, 'A')).toEqual([PUBLIC])
          const lied = await dns()
          expect([lied.stateOf(name), lied.drifts]).toEqual(['removing', [true, true, true]])
          expect(lied.causeOf(name)).toBe('not_loaded')
          liar.promise([])
          await call('POST', '/api/reconcile?target=dns')
          await settled()
          expect(await world.dig(name, 'A')).toEqual([])
          expect((await dns()).stateOf(name)).toBe(undefined)
        },
      )

      it.each(trials)('a new record is applying everywhere until a listing shows it (%i)', async (trial) => {
        const name = `new${trial}.${ZONE}`
        const id = await create(call, { domain: name })
        liar.promise([name])
        const activated = await call('POST', `/api/domains/${id}/activate`)
        expect(activated.status).toBe(503)
        const lied = await dns()
        expect([lied.stateOf(name), lied.drifts]).toEqual(['applying', [true, true, true]])
        expect(lied.causeOf(name)).toBe('not_loaded')
        liar.promise([])
        await call('POST', `/api/domains/${id}/activate`)
        await settled()
        expect(await world.dig(name, 'A')).toEqual([PUBLIC])
        await leave(id)
      })
    })

    it.each(trials)(
      'and whose serial does not move: whoever asks sees the change at once (%i)',
      async (trial) => {
        const name = `slipped${trial}.${ZONE}`
        const id = await createActive(call, { domain: name })
        await settled()
        await call('PUT', '/api/modes/dns', { body: { mode: 'observe' } })
        liar.holdSerial?.(true)
        const slipped = { name, type: 'A', ttl: 300, values: ['192.0.2.66'] }
        await (world.slipIn?.(name, '192.0.2.66') ?? world.put(ZONE, slipped))
        expect((await dns()).drifts).toEqual([true, true, true])
        await call('POST', '/api/reconcile?target=dns')
        await settled()
        liar.holdSerial?.(false)
        expect(await world.dig(name, 'A')).toEqual([PUBLIC])
        await call('PUT', '/api/modes/dns', { body: { mode: 'repair' } })
        await leave(id)
      },
    )

    describe('and hides what stands there', () => {
      const STRANGER = '198.51.100.66'
      const hold = (name: string) => world.put(ZONE, { name, type: 'A', ttl: 300, values: [STRANGER] })

      /** @param veiled the question about the one name hides it, too */
      async function staysAt(name: string, veiled: boolean): Promise<void> {
        await hold(name)
        liar.hide([name], veiled)
        const id = await create(call, { domain: name })
        const refused = await call('POST', `/api/domains/${id}/activate`)
        expect([refused.status, refused.body['code']]).toEqual([409, 'foreign_owner'])
        expect((await call('GET', `/api/domains/${id}`)).body['status']).toBe('inactive')
        await call('POST', '/api/reconcile?target=dns')
        expect(await world.dig(name, 'A')).toEqual([STRANGER])
        // Nothing of it was released, so nothing of it is missing.
        expect((await dns()).drifts).toEqual([false, false, false])
        liar.hide([])
        await call('DELETE', `/api/domains/${id}`)
        await settled()
        expect(await world.dig(name, 'A')).toEqual([STRANGER])
      }

      it.each(trials)('a stranger at the name is foreign and stays (%i)', (trial) =>
        staysAt(`held${trial}.${ZONE}`, false),
      )

      it.each(trials)(
        'so it does where the question about the name hides it, too: the server shows it (%i)',
        (trial) => staysAt(`veiled${trial}.${ZONE}`, true),
      )

      it.each(trials)('no answer about the name is unknown, and nothing is written (%i)', async (trial) => {
        const name = `asked${trial}.${ZONE}`
        await hold(name)
        liar.hide([name])
        liar.silence(true)
        const id = await create(call, { domain: name })
        expect((await call('POST', `/api/domains/${id}/activate`)).status).toBe(503)
        expect(await world.dig(name, 'A')).toEqual([STRANGER])
        liar.silence(false)
        liar.hide([])
        await call('DELETE', `/api/domains/${id}`)
        await settled()
        expect(await world.dig(name, 'A')).toEqual([STRANGER])
      })

      itInDepth.each(crowds)(
        'one among more than twenty new names stays, and the others are made (%i)',
        async (trial) => {
          const names = Array.from({ length: CROWD }, (_, i) => `crowd${trial}-${i}.${ZONE}`)
          const held = names[trial % CROWD]!
          await hold(held)
          liar.hide([held])
          const ids = new Map<string, number>()
          for (const domain of names) {
            const id = await createActive(call, { domain, service_type: 'internal' })
            const { body } = await call('GET', `/api/domains/${id}`)
            const saved = await call('PUT', `/api/domains/${id}`, { body: { ...body, service_type: 'http' } })
            expect(saved.status).toBe(200)
            ids.set(domain, id)
          }
          const deployed = await call('POST', '/api/deploy-all')
          expect(deployed.status).toBe(200)
          const refused = { domain_id: ids.get(held)!, domain: held, code: 'foreign_owner' }
          expect(deployed.body).toMatchObject({ success: false, refused: [refused] })
          expect(await world.dig(held, 'A')).toEqual([STRANGER])
          const others = names.filter((name) => name !== held)
          const served = await Promise.all(others.map((name) => world.dig(name, 'A')))
          expect(served).toEqual(others.map(() => [PUBLIC]))
          liar.hide([])
          await call('DELETE', `/api/domains/${ids.get(held)!}`)
          await settled()
          expect(await world.dig(held, 'A')).toEqual([STRANGER])
        },
      )
    })
  })
})
