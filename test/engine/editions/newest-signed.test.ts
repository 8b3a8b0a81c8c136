/** Of several holders' files the newest that this installation has signed and the database has not overtaken. */
import { describe, expect, it } from 'vitest'
import { newestSigned } from '../../../src/engine/editions/newest-signed.ts'
import type { SignedFile, WorldHolder } from '../../../src/ports/world-holder.ts'

const file = (path: string, number: number): SignedFile => ({
  path,
  stamp: { installation_id: 'ours', number, mark: '' },
  content: {},
})
const never = new AbortController().signal
const holder = (signed: SignedFile | null, unsigned: readonly string[] = []): WorldHolder =>
  ({
    read: async (signal: AbortSignal) => (signal.throwIfAborted(), { signed, unsigned }),
  }) as unknown as WorldHolder

/** @param database its own number: whatever is not above it was overtaken */
const found = (holders: readonly WorldHolder[], database: number, signal = never) =>
  newestSigned(holders, async ({ number }) => number > database, signal)

describe('the newest signed file', () => {
  const [old, middle, young] = [file('/a', 3), file('/b', 20), file('/c', 100)]
  const all = [holder(middle), holder(young), holder(null), holder(old)]

  it.each<[what: string, holders: readonly WorldHolder[], database: number, signed: SignedFile | null]>([
    ['is the one with the highest number, wherever it stands', all, 0, young],
    ['is none that the database has overtaken', all, 100, null],
    ['is none where none is signed', [holder(null)], 0, null],
    ['is none where there is no holder', [], 0, null],
  ])('%s', async (_what, holders, database, signed) => {
    expect(await found(holders, database)).toEqual({ signed, unsigned: [] })
  })

  it('is an older one where a newer is not ahead of the database', async () => {
    const isAhead = async ({ number }: { readonly number: number }) => number < 100
    expect(await newestSigned(all, isAhead, never)).toEqual({ signed: middle, unsigned: [] })
  })

  it('is told beside all that are not signed', async () => {
    const holders = [holder(old, ['/x']), holder(null, ['/y', '/z'])]
    expect(await found(holders, 0)).toEqual({ signed: old, unsigned: ['/x', '/y', '/z'] })
    expect(await found(holders, 9)).toEqual({ signed: null, unsigned: ['/x', '/y', '/z'] })
  })

  it('is given up with whoever asks', async () => {
    const gone = new Error('gone')
    await expect(found(all, 0, AbortSignal.abort(gone))).rejects.toBe(gone)
  })
})
