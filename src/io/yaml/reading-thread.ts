/** The thread that reads large documents, one after another, as long as somebody asks. */
import { parentPort } from 'node:worker_threads'
import type { ReadingOrder } from './aside.ts'
import { readGoYaml } from './go-tree.ts'
import { readYaml } from './read.ts'

parentPort?.on('message', ({ text, options }: ReadingOrder) =>
  parentPort?.postMessage(options === null ? readGoYaml(text) : readYaml(text, options)),
)
