/** How a hand changes a file, and how it is as before: bytes, mode and kind. */
import {
  chmodSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { dirname } from 'node:path'
import { FILES_MS, type Ground, type OwnEndpoint, type Way } from './false-greens.ts'

/** Where it stands, by now. */
export type PathIn<World> = (world: World) => string

interface FileWay<World extends Ground> {
  readonly title: string
  readonly path: PathIn<World>
  readonly part: string
  readonly own: OwnEndpoint
  readonly spoil: (path: string, world: World) => Promise<void> | void
  readonly within_ms?: number
  readonly aside?: string
  /** Whatever else was done. */
  readonly also?: (world: World) => Promise<void> | void
}

/** Whatever is done to it, the same bytes stand there again with the same mode. */
export function fileWay<World extends Ground>({ path, spoil, also, ...rest }: FileWay<World>): Way<World> {
  let before: { readonly bytes: Buffer; readonly mode: number; readonly folder_mode: number } | null = null
  return {
    within_ms: FILES_MS,
    ...rest,
    async do(world) {
      const at = path(world)
      const { mode } = lstatSync(at)
      before = { bytes: readFileSync(at), mode, folder_mode: lstatSync(dirname(at)).mode }
      await spoil(at, world)
    },
    async undo(world) {
      if (before === null) return
      const at = path(world)
      await also?.(world)
      mkdirSync(dirname(at), { recursive: true, mode: before.folder_mode })
      chmodSync(dirname(at), before.folder_mode)
      const found = lstatSync(at, { throwIfNoEntry: false })
      if (found?.isFile() !== true) rmSync(at, { recursive: true, force: true })
      writeFileSync(at, before.bytes)
      chmodSync(at, before.mode)
      before = null
    },
  }
}

/** In place: the file stays the same file. Throws where nothing is changed. */
export function rewrite(path: string, change: (text: string) => string): void {
  const text = readFileSync(path, 'latin1')
  const changed = change(text)
  if (changed === text) throw new Error(`${path} has nothing to change`)
  writeFileSync(path, changed, 'latin1')
}

/** As an editor saves: beside it, and then over it. */
export function renameOver(path: string, change: (text: string) => string): void {
  const { mode } = lstatSync(path)
  const draft = `${path}.draft`
  writeFileSync(draft, change(readFileSync(path, 'latin1')), { encoding: 'latin1', mode })
  renameSync(draft, path)
}

/** One bit, in the middle of the first place where the words stand. */
export function flipIn(path: string, words: string): void {
  const bytes = readFileSync(path)
  const at = bytes.indexOf(words)
  if (at < 0) throw new Error(`${path} has no ${words}`)
  bytes[at + (words.length >> 1)]! ^= 1
  writeFileSync(path, bytes)
}

/** The stamp that everybody can put back is put back. */
export function withOldTime(path: string, change: () => void): void {
  const { atime, mtime } = lstatSync(path)
  change()
  utimesSync(path, atime, mtime)
}
