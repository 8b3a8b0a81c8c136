/** What runs in the thread of `../invariants.ts`: one look, handed back as one message. */
import { parentPort, workerData } from 'node:worker_threads'
import { lookInto } from './look.ts'
import type { LookOptions } from './rule.ts'

export interface LookOrder {
  readonly directory: string
  readonly options: LookOptions
}

const { directory, options } = workerData as LookOrder
parentPort?.postMessage(lookInto(directory, options))
