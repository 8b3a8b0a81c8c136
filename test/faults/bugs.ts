/**
 * Bugs that are put in on purpose, each by a wrapper around a real port: if the harness does not see them, it sees
 * nothing. What a kill cannot show (a missing fsync: the page cache survives) is for power cuts.
 */
import { renameSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import type { ManagedFile } from '../../src/ports/files.ts'
import type { JournalIntent, Store, StoreWriter } from '../../src/ports/store.ts'
import type { Failpoints } from './failpoints.ts'
import { syncPath } from './disk.ts'
import type { InvariantName } from './invariants.ts'
import { commitsWithoutSync, locksByPidFile } from './library-bugs.ts'

export interface Bug {
  /** "The house …" */
  readonly name: string
  /** What shows it. */
  readonly shown_by: 'a kill' | 'a power cut' | 'an error' | 'a rival'
  /** The point at which it must show, or the step and the call whose error does it. */
  readonly shows_at: string
  /** Who meets the house after its death, where it takes somebody to show the bug. */
  readonly met_by?: 'a stranger'
  readonly breaks: InvariantName
  readonly store?: (store: Store, points: Failpoints) => Store
  readonly file?: (file: ManagedFile, points: Failpoints) => ManagedFile
  /** Spoils a library for the whole process, where no port leads. */
  readonly library?: () => void
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

/** How long the rest of a step waits behind its own change: for longer than the next step takes to come. */
const LAZY_MS = 1_000

/**
 * The answer to a change goes out while its transaction is still open. That commits when the first write of a later step
 * knocks. A write of the same step gets through a little later: its answer may need it, but mostly it is a beat or the
 * end of a pass, and would do at once what the next step is to find undone.
 */
function answersBeforeTheCommit(store: Store, points: Failpoints): Store {
  const open = new Map<() => void, string>()
  return {
    ...store,
    write<T>(work: (tx: StoreWriter) => Promise<T>) {
      const answer = Promise.withResolvers<T>()
      const leisure = Promise.withResolvers<void>()
      const { step } = points
      const committing = store.write(async (tx) => {
        const watched = watchingTheAudit(tx)
        answer.resolve(await work(watched.tx))
        if (!watched.isChange()) return
        open.set(leisure.resolve, step)
        await leisure.promise
        open.delete(leisure.resolve)
      })
      committing.catch(answer.reject)
      const commits = [...open.keys()]
      const commitAll = (): void => commits.forEach((commit) => commit())
      if ([...open.values()].includes(step)) setTimeout(commitAll, LAZY_MS)
      else commitAll()
      return answer.promise
    },
  }
}

function watchingTheAudit(tx: StoreWriter): { readonly tx: StoreWriter; readonly isChange: () => boolean } {
  let audited = false
  const watched: StoreWriter = {
    ...tx,
    audit(entry) {
      audited = true
      return tx.audit(entry)
    },
    auditAbove(entry, number) {
      audited = true
      return tx.auditAbove(entry, number)
    },
  }
  return { tx: watched, isChange: () => audited }
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

/** @param syncs what it syncs of the two that it should. */
const syncsOnly =
  (syncs: 'the file' | 'the folder') =>
  (file: ManagedFile): ManagedFile => ({
    ...file,
    async replace(chunks) {
      const temp = `${file.path}.new`
      writeFileSync(temp, Buffer.concat(chunks))
      if (syncs === 'the file') syncPath(temp)
      renameSync(temp, file.path)
      if (syncs === 'the folder') syncPath(dirname(file.path))
    },
  })

/** A commit that fails is taken for one that worked. */
const swallowsTheCommit = (store: Store): Store => ({
  ...store,
  async write<T>(work: (tx: StoreWriter) => Promise<T>): Promise<T> {
    const done: T[] = []
    try {
      return await store.write(async (tx) => (done[0] = await work(tx)))
    } catch (error) {
      if (done.length === 0) throw error
      return done[0]!
    }
  },
})

export const BUGS: readonly Bug[] = [
  {
    name: 'writes the file in place',
    shown_by: 'a kill',
    shows_at: 'deploy/file.replace#1:inside',
    breaks: 'the file was never torn',
    file: writesInPlace,
  },
  {
    name: 'leaves its temps where the proxy reads them',
    shown_by: 'a kill',
    shows_at: 'deploy/file.replace#1:inside',
    breaks: 'nothing is left lying about',
    file: leavesTemps,
  },
  {
    name: 'answers before the commit',
    shown_by: 'a kill',
    shows_at: 'deploy/store.write#1:before',
    breaks: 'nothing acknowledged is lost',
    store: answersBeforeTheCommit,
  },
  {
    name: 'deletes in a second transaction',
    shown_by: 'a kill',
    shows_at: 'delete/store.write#1:after',
    breaks: 'each change happened as a whole or not at all',
    store: splitsTheTransaction,
  },
  {
    name: 'journals after the effect',
    shown_by: 'a kill',
    shows_at: 'deploy/file.replace#1:after',
    breaks: 'the journal knew of what was written',
    store: journalsAfterTheEffect,
  },
  {
    name: 'forgets what it wrote',
    shown_by: 'a kill',
    // With no step open, nothing but the record tells our file from a stranger's.
    shows_at: 'edit/store.write#1:before',
    met_by: 'a stranger',
    breaks: 'the world converged',
    store: forgetsWhatItWrote,
  },
  {
    name: 'does not sync the file',
    shown_by: 'a power cut',
    shows_at: 'deploy/file.replace#1:after',
    breaks: 'the file was never torn',
    file: syncsOnly('the folder'),
  },
  {
    name: 'does not sync the folder',
    shown_by: 'a power cut',
    // The next step begins: what came before it is acknowledged.
    shows_at: 'deactivate/store.write#1:before',
    breaks: 'the file was never torn',
    file: syncsOnly('the file'),
  },
  {
    name: 'commits without sync',
    shown_by: 'a power cut',
    // Everything since the last checkpoint is gone: of a young installation, the database.
    shows_at: 'deploy/store.write#1:before',
    breaks: 'the next start succeeds',
    library: commitsWithoutSync,
  },
  {
    name: 'takes a failed commit for a good one',
    shown_by: 'an error',
    // After a failed sync the commit may still be found at the next start; after a failed write it is gone.
    shows_at: 'save/pwrite64',
    breaks: 'nothing acknowledged is lost',
    store: swallowsTheCommit,
  },
  {
    name: 'locks by a pid file',
    shown_by: 'a rival',
    shows_at: 'open/file.look#1:before',
    breaks: 'the daemon goes on',
    library: locksByPidFile,
  },
]
