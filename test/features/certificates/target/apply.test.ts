/** What a pass tells of an order: done, refused, or only not ended yet. */
import { describe, expect, it } from 'vitest'
import { Failure } from '../../../../src/kernel/failure.ts'
import type { CertificateOrder } from '../../../../src/features/certificates/order-records.ts'
import { applyCertificate, type Work } from '../../../../src/features/certificates/target/apply.ts'

const NAME = 'app.example.com'
const WISH = { name: NAME, names: [NAME], domain_ids: [1] }
const ORDER = {
  name: NAME,
  step: 'answered',
  challenges: [{ name: `_acme-challenge.${NAME}` }],
} as unknown as CertificateOrder

function work(payload: Work['payload'], issuer: object, orders: readonly CertificateOrder[] = [ORDER]): Work {
  const store = { certificateOrders: () => Promise.resolve(orders) }
  const parts = { issuer, store, files: {} } as unknown as Work['parts']
  return {
    name: NAME,
    payload,
    desired: { wishes: [WISH], kept: [] },
    parts,
    signal: new AbortController().signal,
  }
}
const OBTAIN = { kind: 'obtain', wish: WISH, reason: 'there is none yet' } as const

describe('an order', () => {
  it('that only takes longer is unfinished: where it stands, and when it is looked at again', async () => {
    const issuer = {
      issue: () =>
        Promise.reject(
          new Failure('component_unavailable', 'The authority still validates.', {
            retry_after_ms: 12_000,
            facts: { unfinished: true },
          }),
        ),
    }
    const repair = await applyCertificate(work(OBTAIN, issuer))
    expect(repair).toMatchObject({ ok: false, unfinished: true, failure: { retry_after_ms: 12_000 } })
    expect(repair).toMatchObject({ failure: { message: expect.stringContaining('(answered)') as string } })
  })

  it('that was refused is refused, in the words of who did', async () => {
    const issuer = {
      issue: () =>
        Promise.reject(new Failure('provider_refused', 'CAA says no.', { retry_after_ms: 3_600_000 })),
    }
    expect(await applyCertificate(work(OBTAIN, issuer))).toEqual({
      key: `cert:${NAME}`,
      ok: false,
      failure: { code: 'provider_refused', message: 'CAA says no.', retry_after_ms: 3_600_000 },
    })
  })

  it('is nobody’s failure when the daemon stops', async () => {
    const stop = new AbortController()
    const issuer = {
      issue: (_wish: unknown, { signal }: { readonly signal: AbortSignal }) => {
        stop.abort(new Failure('shutting_down', 'bye'))
        return Promise.reject(signal.reason as Error)
      },
    }
    const asked = applyCertificate({ ...work(OBTAIN, issuer), signal: stop.signal })
    await expect(asked).rejects.toMatchObject({ code: 'shutting_down' })
  })
})

describe('what an order left behind', () => {
  const wanted: (readonly string[])[] = []
  const issuer = {
    tidy: (all: readonly { readonly name: string }[]) =>
      Promise.resolve(void wanted.push(all.map(({ name }) => name))),
  }

  it('is gone when its row is', async () => {
    expect(await applyCertificate(work({ kind: 'tidy', needless: false }, issuer, []))).toMatchObject({
      ok: true,
    })
    expect(wanted.pop()).toEqual([NAME])
  })

  it('is named as long as it is not', async () => {
    const repair = await applyCertificate(work({ kind: 'tidy', needless: true }, issuer))
    expect(repair).toMatchObject({
      ok: false,
      failure: { message: expect.stringContaining('_acme-challenge') as string },
    })
    // Nobody needs it: it is given up however far it came.
    expect(wanted.pop()).toEqual([])
  })
})
