/** The result for others and the memory for the next run: two small files, replaced whole or not at all. */
import { readSmallFile } from '../../../config/read-file.ts'
import { writeAtomically } from '../../../io/files/write-atomically.ts'
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
  saveMemory: (text) => writeAtomically(state_path, [Buffer.from(text)], { mode: OWN }),
  saveResult: (text) => writeAtomically(result_path, [Buffer.from(text)], { mode: PUBLIC }),
  state_path,
})
