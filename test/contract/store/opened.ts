/** How the store contract gets its store, and small things that its parts share. */
import { afterEach, beforeEach, expect } from 'vitest'
import { Failure, type FailureCode } from '../../../src/kernel/failure.ts'
import type { DomainFields, DomainRecord } from '../../../src/model/domain/record.ts'
import type { Artifact, Store } from '../../../src/ports/store.ts'
import type { ReleaseHead, ReleaseRow } from '../../../src/ports/records/trails.ts'
import { draft } from './samples.ts'

interface OpenedStore {
  readonly store: Store
  close(): Promise<void>
  /** Closes the store and opens another one on the same data. */
  reopen(): Promise<Store>
}

export type OpenStore = () => Promise<OpenedStore>

/** A store of its own for each test; `reopen` replaces it. */
export function eachStore(open: OpenStore): { readonly store: Store; reopen(): Promise<Store> } {
  let opened: OpenedStore
  let store: Store
  beforeEach(async () => {
    opened = await open()
    store = opened.store
  })
  afterEach(() => opened.close())
  return {
    get store() {
      return store
    },
    async reopen() {
      store = await opened.reopen()
      return store
    },
  }
}

export const insert = (store: Store, fields: DomainFields, at = 1000): Promise<DomainRecord> =>
  store.write((tx) => tx.insertDomain(fields, at))

/** A record that is meant to be reachable. */
export const insertLive = (store: Store, fields: DomainFields): Promise<DomainRecord> =>
  store.write(async (tx) => {
    const { id } = await tx.insertDomain(fields, 1000)
    return tx.reviseDomain(id, { status: 'active', activated_at: 1000 }, 1000)
  })

export const release = (
  store: Store,
  rows: readonly ReleaseRow[],
  artifacts?: Readonly<Record<string, Artifact>>,
): Promise<ReleaseHead> => store.write((tx) => tx.addRelease(draft(rows, artifacts)))

/** The failure that `work` ends in; a test fails when it ends otherwise. */
export async function failureOf(work: Promise<unknown>, code: FailureCode): Promise<Failure> {
  const error = await work.then(
    () => null,
    (thrown: unknown) => thrown,
  )
  expect(error).toBeInstanceOf(Failure)
  expect(error).toMatchObject({ code })
  return error as Failure
}
