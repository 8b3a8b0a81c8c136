/** The result for others and the memory for the next run: two small files, replaced whole or not at all. */
import { statSync } from 'node:fs'
import { readSmallFile } from '../../../config/read-file.ts'
import { writeAtomically } from '../../../io/files/write-atomically.ts'
import { Failure } from '../../../kernel/failure.ts'
import type { Kept } from './port.ts'

const PUBLIC = 0o644
const OWN = 0o600

export const keptFiles = (result_path: string, state_path: string): Kept => ({
  read: () => {
    try {
      return { text: readSmallFile(state_path), fault: null }
    } catch (error) {
      return { text: null, fault: (error as Error).message }
    }
  },
  lastResult: () => {
    try {
      return readSmallFile(result_path)
    } catch {
      return null
    }
  },
  saveMemory: (text) => written(state_path, text, OWN),
  saveResult: (text) => written(result_path, text, PUBLIC),
  state_path,
})

/** A folder that a slip names is somebody's: nothing takes its place. */
async function written(path: string, text: string, mode: number): Promise<void> {
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory() === true)
    throw new Failure('storage_unwritable', `${path} is a folder: name a file in it.`)
  await writeAtomically(path, [Buffer.from(text)], { mode })
}
