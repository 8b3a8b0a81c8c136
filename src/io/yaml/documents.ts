/** The documents port over the `yaml` library. */
import type { Documents } from '../../ports/documents.ts'
import { readYaml } from './read.ts'
import { writeYaml } from './write.ts'

export const yamlDocuments: Documents = { read: readYaml, write: writeYaml }
