/** Where trials happen: a folder for each, gone at the end. */
import { mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export interface Workshop {
  /** A new, empty folder. */
  folder(): string
  remove(folder: string): void
  close(): void
}

/** @param where a folder to work in, such as one in memory. */
export function openWorkshop(where: string = tmpdir()): Workshop {
  const root = mkdtempSync(join(realpathSync(where), 'plumbline-faults-'))
  const remove = (folder: string) => rmSync(folder, { recursive: true, force: true })
  let made = 0
  return {
    folder() {
      const folder = join(root, `trial-${++made}`)
      mkdirSync(folder)
      return folder
    },
    remove,
    close: () => remove(root),
  }
}
