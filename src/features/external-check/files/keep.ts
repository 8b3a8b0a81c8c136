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
      return { text: readRegular(state_path), fault: null }
    } catch (error) {
      return { text: null, fault: (error as Error).message }
    }
  },
  lastResult: () => {
    try {
      return readRegular(result_path)
    } catch {
      return null
    }
  },
  saveMemory: (text) => written(state_path, text, OWN),
  saveResult: (text) => written(result_path, text, PUBLIC),
  state_path,
})

/** A pipe that nobody writes into would never be read to its end. Null where there is nothing. */
function readRegular(path: string): string | null {
  if (statSync(path, { throwIfNoEntry: false })?.isFile() === false) throw new Error('it is no file')
  return readSmallFile(path)
}

/** What a slip names (a folder, a device) is somebody's: nothing takes its place. */
async function written(path: string, text: string, mode: number): Promise<void> {
  const stats = statSync(path, { throwIfNoEntry: false })
  if (stats?.isDirectory() === true)
    throw new Failure('storage_unwritable', `${path} is a folder: name a file in it.`)
  if (stats?.isFile() === false) throw new Failure('storage_unwritable', `${path} is no file.`)
  await writeAtomically(path, [Buffer.from(text)], { mode })
}
