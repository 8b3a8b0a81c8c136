/** A controller that is too slow is one that does not answer; a caller who goes away is told of as that. */
import { expect, it } from 'vitest'
import { clientNames } from '../../../../src/features/discovery/unifi/client-names.ts'
import type { UnifiSession } from '../../../../src/features/discovery/unifi/session.ts'

const slow = {
  data: ({ signal }: { readonly signal: AbortSignal }) =>
    new Promise((_resolve, reject) => {
      signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true })
    }),
} as unknown as UnifiSession
const names = clientNames('home', slow)

it('a write or a look that runs into its time is not known, and throws nothing', async () => {
  const unknown = { known: false, refused: false, detail: 'home did not answer in time.' }
  expect(await names.rename('default', 'u1', 'web', AbortSignal.timeout(5))).toEqual(unknown)
  expect(await names.one('default', 'u1', AbortSignal.timeout(5))).toEqual(unknown)
})

it('a caller who goes away ends it', async () => {
  const left = new AbortController()
  const looked = names.all('default', left.signal)
  left.abort(new Error('the caller has gone away'))
  await expect(looked).rejects.toThrow('the caller has gone away')
})
