/** No call outlives its deadline or its caller, wherever the authority falls silent. */
import { beforeEach, describe, expect } from 'vitest'
import type { Failure } from '../../../../src/kernel/failure.ts'
import { until } from '../../../peers/peer.ts'
import { describePeers } from '../../../peers/peers.ts'
import { newAccountKey } from './authority-world.ts'
import { eachStub, REACHING, refusals, RESOURCES, type StubRig } from './stub-client.ts'
import { itOneIn } from '../../../kit/in-depth.ts'

const account_key = newAccountKey()

describePeers(['openssl'], 'ACME at an authority', () => {
  const current = eachStub(account_key)
  const refused = refusals(account_key)
  let rig: StubRig
  beforeEach(() => {
    rig = current()
  })

  describe('that never comes to an end', () => {
    itOneIn(5).each(
      RESOURCES.flatMap((resource) =>
        (['says nothing', 'goes silent half-way'] as const).map((how) => [resource, how] as const),
      ),
    )('%s %s: the call ends at its deadline, or at its caller’s abort', async (resource, how) => {
      rig.stub.ways.renewal = { start: '2026-12-01T00:00:00Z', end: '2026-12-02T00:00:00Z' }
      for (const end of ['deadline', 'abort'] as const) {
        const call = await REACHING[resource](rig.client())
        const asked = () => rig.stub.requests.filter((request) => request.resource === resource).length
        const before = asked()
        rig.stub.misbehave(resource, how)
        const abort = new AbortController()
        const outcome =
          end === 'deadline'
            ? refused(call(abort.signal))
            : call(abort.signal).catch((error: unknown) => error)
        await until('the request', async () => asked() > before)
        if (end === 'deadline') rig.clock.pass(30_000)
        else abort.abort(new Error('the caller had enough'))
        if (end === 'deadline') {
          const failure = (await outcome) as Failure
          expect(failure.code).toBe('component_unavailable')
          expect(failure.message).toMatch(/30000 ms/)
        } else expect(await outcome).toEqual(new Error('the caller had enough'))
        expect(rig.clock.sleepers()).toBe(0)
      }
    })
  })
})
