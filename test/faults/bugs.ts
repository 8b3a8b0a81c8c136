/**
 * Bugs that are put in on purpose, each by a wrapper around a real port: if the harness does not see them, it sees
 * nothing. What a kill cannot show (a missing fsync: the page cache survives) is for power cuts.
 */
import { renameSync, writeFileSync } from 'node:fs'
import type { ManagedFile } from '../../src/ports/files.ts'
import type { JournalIntent, Store, StoreWriter } from '../../src/ports/store.ts'
import type { Failpoints } from './failpoints.ts'
import type { InvariantName } from './invariants.ts'

export interface Bug {
  /** "The house …" */
  readonly name: string
  /** The point at which a kill must show it. */
  readonly shows_at: string
  /** Who meets the house after its death, where it takes somebody to show the bug. */
  readonly met_by?: 'a stranger'
  readonly breaks: InvariantName
  readonly store?: (store: Store) => Store
  readonly file?: (file: ManagedFile, points: Failpoints) => ManagedFile
}

/** The old bytes are gone before the new ones are whole. */
const writesInPlace = (file: ManagedFile, points: Failpoints): ManagedFile => ({
  ...file,
  async replace(chunks) {
    const bytes = Buffer.concat(chunks)
    writeFileSync(file.path, bytes.subarray(0, bytes.length / 2))
    await points.within('file.replace')
    writeFileSync(file.path, bytes)
  },
})

/** A name that nobody clears away, and that a proxy reads. */
const leavesTemps = (file: ManagedFile, points: Failpoints): ManagedFile => ({
  ...file,
  async replace(chunks) {
    const temp = file.path.replace(/\.yml$/, '.new.yml')
    writeFileSync(temp, Buffer.concat(chunks))
    await points.within('file.replace')
    renameSync(temp, file.path)
  },
})

const LAZY_MS = 50

/** The answer goes out while the transaction is still open; it commits when the next one knocks, or a little later. */
function answersBeforeTheCommit(store: Store): Store {
  let hurry = (): void => undefined
  return {
    ...store,
    write<T>(work: (tx: StoreWriter) => Promise<T>) {
      const answer = Promise.withResolvers<T>()
      const leisure = Promise.withResolvers<void>()
      const committing = store.write(async (tx) => {
        answer.resolve(await work(tx))
        setTimeout(leisure.resolve, LAZY_MS)
        await leisure.promise
      })
      committing.catch(answer.reject)
      hurry()
      hurry = leisure.resolve
      return answer.promise
    },
  }
}

/** Record and release in two transactions. */
const splitsTheTransaction = (store: Store): Store => ({
  ...store,
  async write(work) {
    const later: ((tx: StoreWriter) => Promise<void>)[] = []
    const postponing = (tx: StoreWriter): StoreWriter => ({
      ...tx,
      deleteDomain: async (id) => void later.push((next) => next.deleteDomain(id)),
    })
    const result = await store.write((tx) => work(postponing(tx)))
    for (const deed of later) await store.write(deed)
    return result
  },
})

/** The intent row comes with the result row: nobody knows afterwards what was under way. */
function journalsAfterTheEffect(store: Store): Store {
  const unwritten = new Map<number, JournalIntent>()
  const late = (tx: StoreWriter): StoreWriter => ({
    ...tx,
    async beginStep(step) {
      const placeholder = -1 - unwritten.size
      unwritten.set(placeholder, step)
      return placeholder
    },
    async endStep(id, outcome, at) {
      const step = unwritten.get(id)
      await tx.endStep(step === undefined ? id : await tx.beginStep(step), outcome, at)
    },
  })
  return { ...store, write: (work) => store.write((tx) => work(late(tx))) }
}

/** After a restart its own file is a stranger's. */
const forgetsWhatItWrote = (store: Store): Store => ({
  ...store,
  write: (work) => store.write((tx) => work({ ...tx, saveApplied: async () => undefined })),
})

export const BUGS: readonly Bug[] = [
  {
    name: 'writes the file in place',
    shows_at: 'deploy/file.replace#1:inside',
    breaks: 'the file was never torn',
    file: writesInPlace,
  },
  {
    name: 'leaves its temps where the proxy reads them',
    shows_at: 'deploy/file.replace#1:inside',
    breaks: 'nothing is left lying about',
    file: leavesTemps,
  },
  {
    name: 'answers before the commit',
    shows_at: 'deploy/store.write#1:before',
    breaks: 'nothing acknowledged is lost',
    store: answersBeforeTheCommit,
  },
  {
    name: 'deletes in a second transaction',
    shows_at: 'delete/store.write#1:after',
    breaks: 'each change happened as a whole or not at all',
    store: splitsTheTransaction,
  },
  {
    name: 'journals after the effect',
    shows_at: 'deploy/file.replace#1:after',
    breaks: 'the journal knew of what was written',
    store: journalsAfterTheEffect,
  },
  {
    name: 'forgets what it wrote',
    // With no step open, nothing but the record tells our file from a stranger's.
    shows_at: 'edit/store.write#1:before',
    met_by: 'a stranger',
    breaks: 'the world converged',
    store: forgetsWhatItWrote,
  },
]
